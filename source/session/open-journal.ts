import { join } from 'node:path';
import { type Journal, openJournal } from '../journal/journal.ts';
import { type Host, pathsOf } from './host.ts';
import { machineIdOf } from './processes.ts';
import type { AccountSession } from './session.ts';

export function logPath(host: Host): string {
	return join(pathsOf(host).statePath, 'log');
}

export const openJournalOf = (
	host: Host,
	{ account, store, recorder }: Pick<AccountSession, 'account' | 'store' | 'recorder'>,
	onProblem: (message: string) => void,
	needsHistory?: boolean,
): Journal =>
	openJournal({
		directory: logPath(host),
		account,
		store,
		clock: host.clock,
		process: host.processId,
		machine: machineIdOf(host),
		recorder,
		onProblem,
		needsHistory,
	});
