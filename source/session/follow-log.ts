import { type OperationMove, unendedOperations } from '../fleet/change.ts';
import { type Fact, type FactBody, operationFact } from '../fleet/fact.ts';
import { isUnderWay, type Operation } from '../fleet/operations/operation.ts';
import { changeIn, createLogTail, readLines } from '../journal/log-files.ts';
import { lookedUpForMs } from '../operations/outcome.ts';
import { createFailure } from '../platform/decoding/platform-error.ts';
import { operationIn } from '../store/our-operations.ts';
import { emptyAccount } from '../store/state.ts';
import { fold } from '../store/store.ts';
import type { Host } from './host.ts';
import type { AccountSession } from './session.ts';
import { logPath, machineIdOf } from './state-folder.ts';

const lookEveryMs = 1_000;

/**
 * Follows the operations that the log tells of and the socket does not: those of commands, of panes with `--alone`, and of
 * processes that have ended.
 *
 * ```
 *   crowsnest stop ─▶ log ─▶ facts ─▶ jobs, log, hooks
 *         └── ends ─▶ paneLeft ─▶ the recorder follows the stop to its end
 * ```
 */
export function followLog(
	host: Host,
	{ account, store, signal, recorder, election }: AccountSession,
): void {
	if (!election) return;
	const { hasEnded } = election;
	const { clock, processId } = host;
	const directory = logPath(host);
	const machine = machineIdOf(host);
	const state = () => store.getState().accounts.get(account) ?? emptyAccount;
	/** Whether operations may have begun before this process began to follow the log, or to record. */
	let isBehind = true;
	let isLooking = false;
	let tail: ReturnType<typeof createLogTail> | undefined;
	let cancelLook = () => {};
	newMoves();

	/** None while the log cannot be read, which the journal reports. Another machine looks after its own operations. */
	function movesIn(read: () => readonly string[]): readonly OperationMove[] {
		let lines: readonly string[] = [];
		try {
			lines = read().filter(line => line.includes('"operationMoved"'));
		} catch {}
		return lines.flatMap(line => {
			const change = changeIn(line, account, machine);
			return change?.type === 'operationMoved' && !change.isElsewhere ? change : [];
		});
	}

	function newMoves() {
		return movesIn(() => {
			tail ??= createLogTail(directory);
			return tail().map(({ text }) => text);
		});
	}

	/** All at once, so that the recorder does not look for the outcome of an operation before its last line is known. */
	function foldMoves(moves: readonly OperationMove[]) {
		let known = store.getState();
		const facts: Fact[] = [];
		for (const move of moves) {
			const { pane, wish, at, to, isAccepted = false } = move;
			const operation = operationIn(known.accounts.get(account) ?? emptyAccount, wish.key);
			// Its first line begins an operation, unless the socket has told of it already.
			if (operation ? to === 'sent' && !isAccepted : to !== 'sent') continue;
			const told = factsOfMove(move, operation).map(body => ({ account, at, pane, ...body }));
			known = told.reduce(fold, known);
			facts.push(...told);
		}
		store.receive(facts);
	}

	async function foldForgotten() {
		isBehind = false;
		for (const move of unendedOperations(state().changes)) {
			if (move.isElsewhere || operationIn(state(), move.wish.key)) continue;
			const isLeft = (await hasEnded(move.pane ?? ''))
				? move.isAccepted
				: clock.now() - move.at > lookedUpForMs;
			if (!isLeft && !signal.aborted) foldMoves([move]);
		}
	}

	const foldNewMoves = () =>
		foldMoves(newMoves().filter(({ pane }) => pane !== undefined && pane !== processId));

	/** A leader may have told of an operation as it was before its last lines, which are older than this process. */
	function foldEndsOf(left: readonly string[]) {
		const open = [...state().operations.values()].filter(
			operation => left.includes(operation.pane ?? '') && isUnderWay(operation),
		);
		if (open.length === 0) return;
		const lastMoves = new Map(
			movesIn(() => readLines(directory)).map(move => [move.wish.key, move]),
		);
		foldMoves(open.flatMap(({ spec }) => lastMoves.get(spec.key) ?? []));
	}

	async function look() {
		if (isLooking) return;
		isLooking = true;
		cancelLook();
		if (isBehind) await foldForgotten();
		const others = [...state().operations.values()].flatMap(({ pane, abandonedAt }) =>
			abandonedAt === undefined && pane !== undefined ? pane : [],
		);
		const left: string[] = [];
		for (const pane of new Set(others)) if (await hasEnded(pane)) left.push(pane);
		isLooking = false;
		if (signal.aborted) return;
		// By now, the log has everything that these processes wrote.
		foldNewMoves();
		foldEndsOf(left);
		for (const pane of left)
			store.receive([{ account, at: clock.now(), type: 'paneLeft', left: pane, hasEnded: true }]);
		cancelLook = clock.after(lookEveryMs, () => void look());
	}

	const stopNoting = recorder.subscribe(begins => {
		if (!begins) return;
		isBehind = true;
		// The recorder before may have written an end that it no longer told.
		foldNewMoves();
		void look();
	});
	signal.addEventListener('abort', () => {
		stopNoting();
		cancelLook();
	});
	void look();
}

/** As the other process would have shared them when it noted the step. */
function factsOfMove(move: OperationMove, known: Operation | undefined): readonly FactBody[] {
	const { at, to, took, wish: spec, isAccepted = false, message = '' } = move;
	const sentAt = known?.sentAt ?? (to === 'sent' ? at : at - took);
	const sent: Operation = {
		...(known ?? { hasPhaseChanged: false, askedAt: sentAt }),
		spec,
		stage: 'sent',
		sentAt,
	};
	const accepted: Operation = { ...sent, stage: 'accepted', acceptedAt: known?.acceptedAt ?? at };
	// The process that sent the request may still find out an unknown outcome.
	const failure = createFailure('server', message, { isOutcomeUnknown: to === 'unknown' });
	switch (to) {
		case 'sent':
			return [operationFact(isAccepted ? accepted : sent)];
		case 'settled':
			return [accepted, { ...accepted, stage: 'done' as const, endedAt: at }].map(operationFact);
		case 'failed':
		case 'unknown':
			return [operationFact({ ...sent, stage: to, endedAt: at, failure })];
		case 'cancelled':
			return [operationFact({ ...sent, stage: to, endedAt: at })];
	}
}
