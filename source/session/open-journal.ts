import { join } from 'node:path';
import type { OperationSpec } from '../fleet/operations/operation.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { createJournal, type Journal, type JournalProblem } from '../journal/journal.ts';
import { lastSteps } from '../store/fold-operation.ts';
import { type Host, pathsOf } from './host.ts';
import { machineIdOf } from './processes.ts';
import type { AccountSession } from './session.ts';

const fileDescriptions = {
	log: 'journal',
	fleet: 'last known fleet',
} as const satisfies Record<JournalProblem['file'], string>;

// A file that works again and then fails again reports its problem again.
const repeatedAfterMs = 10 * 60_000;

export function logPath(host: Host): string {
	return join(pathsOf(host).statePath, 'log');
}

/** A command that shows no history does not load it. */
export function openJournal(
	host: Host,
	{ account, store, recorder }: Pick<AccountSession, 'account' | 'store' | 'recorder'>,
	onProblem: (message: string) => void,
	{ needsHistory = true }: { needsHistory?: boolean | undefined } = {},
): Journal {
	const reportedAtByReason = new Map<string, number>();
	let untracedBatch: string | undefined;

	/** At once, and once for a batch. */
	function reportUntraced({ operation, batch, name, computer }: OperationSpec, reason: string) {
		if (batch !== undefined && batch === untracedBatch) return;
		untracedBatch = batch;
		const { label } = operationRowOf(operation);
		const target = name ?? computer;
		onProblem(
			`${label}${target === undefined ? '' : ` of ${target}`} is sent, but the journal cannot note it: ${reason}. If crowsnest is killed now, nobody looks up what became of it.`,
		);
	}

	const journal = createJournal({
		directory: logPath(host),
		account,
		clock: host.clock,
		process: host.processId,
		machine: machineIdOf(host),
		isRecorder: recorder.isRecorder,
		onProblem({ file, message, sent }) {
			if (sent) return reportUntraced(sent, message);
			// All files lie in one folder, so a full disk is one problem, and not one of each file.
			const now = host.clock.now();
			const saidAt = reportedAtByReason.get(message) ?? Number.NEGATIVE_INFINITY;
			if (now - saidAt < repeatedAfterMs) return;
			reportedAtByReason.set(message, now);
			onProblem(`Cannot save the ${fileDescriptions[file]}: ${message}`);
		},
	});
	store.receive(journal.recallFleet());
	if (needsHistory) store.receive([journal.recallPast()]);
	const stop = store.onFact(journal.onFact);
	const stopTakingOver = recorder.onBecoming(journal.takeOver);
	return {
		...journal,
		close() {
			const left = store.getState().accounts.get(account);
			if (left) journal.addSteps(lastSteps(left, host.clock.now()));
			stop();
			stopTakingOver();
			journal.close();
		},
	};
}
