import { join } from 'node:path';
import { createJournal, type Journal } from '../journal/journal.ts';
import { pathsOf } from './config-settings.ts';
import type { Host } from './host.ts';
import type { Lookout } from './lookout.ts';

export function journalPath(host: Host): string {
	return join(pathsOf(host).statePath, 'journal');
}

/** The fleet as it was known last is there at once, and the past soon after; then all is kept. */
export async function remember(
	host: Host,
	{ account, store }: Lookout,
	onTrouble: (message: string) => void,
): Promise<Journal> {
	const journal = createJournal({
		directory: journalPath(host),
		clock: host.clock,
		activity: host.activity,
		pid: host.program.pid,
		onTrouble: ({ of, message }) => onTrouble(`the ${of} is not kept: ${message}`),
	});
	store.foldAll((await journal.recallFleet(account)).facts);
	store.foldAll((await journal.recallPast(account)).facts);
	store.witness(journal.witness);
	return journal;
}
