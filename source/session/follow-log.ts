import { type Change, type OperationMove, unendedOperations } from '../fleet/change.ts';
import { type Fact, type FactBody, operationFact } from '../fleet/fact.ts';
import { isUnderWay, type Operation } from '../fleet/operations/operation.ts';
import { changeIn, createLogTail, readLines } from '../journal/log-files.ts';
import { lookedUpForMs } from '../operations/outcome.ts';
import { createFailure } from '../platform/decoding/platform-error.ts';
import { fold } from '../store/fold.ts';
import { operationIn } from '../store/our-operations.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Host } from './host.ts';
import type { AccountSession } from './session.ts';
import { logPath, machineIdOf } from './state-folder.ts';

const lookEveryMs = 1_000;

type IsNews = (
	move: OperationMove,
	operation: Operation | undefined,
	account: AccountState,
) => boolean;

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
	const { clock } = host;
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
		const changes = lines.flatMap(line => changeIn(line, account, machine) ?? []);
		return changes.flatMap(change =>
			change.type === 'operationMoved' && !change.isElsewhere ? change : [],
		);
	}

	const allMoves = () => movesIn(() => readLines(logPath(host)));

	function newMoves() {
		return movesIn(() => {
			tail ??= createLogTail(logPath(host));
			return tail().map(({ text }) => text);
		});
	}

	/** All at once, so that the recorder does not look for the outcome of an operation before its last line is known. */
	function foldMoves(moves: readonly OperationMove[], isNews: IsNews = () => true) {
		let known = store.getState();
		const facts: Fact[] = [];
		for (const move of moves) {
			const { pane, wish, at } = move;
			const accountKnown = known.accounts.get(account) ?? emptyAccount;
			const operation = operationIn(accountKnown, wish.key);
			if (!isNews(move, operation, accountKnown)) continue;
			const told = factsOfMove(move, operation).map(body => ({ account, at, pane, ...body }));
			known = told.reduce(fold, known);
			facts.push(...told);
		}
		store.receive(facts);
	}

	const isForgotten = ({ wish, isElsewhere }: OperationMove) =>
		!isElsewhere && !operationIn(state(), wish.key);

	async function catchUp() {
		isBehind = false;
		if (!unendedOperations(state().changes).some(isForgotten)) return;
		for (const move of unendedOperations(allMoves()).filter(isForgotten)) {
			const isLeft = (await hasEnded(move.pane ?? ''))
				? move.isAccepted
				: clock.now() - move.at > lookedUpForMs;
			if (!isLeft && !signal.aborted) foldMoves([move]);
		}
	}

	/** Folds the new lines, except those of this process, and those whose process has told of the step over the socket. */
	function foldNewMoves() {
		const ofOthers = newMoves().filter(({ pane }) => pane !== undefined && pane !== host.processId);
		foldMoves(
			ofOthers,
			(move, known, { changes }) =>
				(move.to === 'sent' || known !== undefined) && !isLogged(changes, move),
		);
	}

	/** A leader may have told of an operation as it was before its last lines, which are older than this process. */
	function foldEndsOf(left: readonly string[]) {
		const open = [...state().operations.values()].filter(
			operation =>
				left.includes(operation.pane ?? '') &&
				(isUnderWay(operation) || operation.stage === 'unknown'),
		);
		if (open.length === 0) return;
		const lastMoves = new Map(allMoves().map(move => [move.wish.key, move]));
		const moves = open.flatMap(({ spec }) => lastMoves.get(spec.key) ?? []);
		foldMoves(moves, ({ to }, known) => to !== 'sent' && to !== known?.stage);
	}

	async function look() {
		if (isLooking) return;
		isLooking = true;
		cancelLook();
		if (isBehind) await catchUp();
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

const isLogged = (changes: readonly Change[], { wish, to, at, isAccepted }: OperationMove) =>
	!isAccepted &&
	changes.some(
		change =>
			change.type === 'operationMoved' &&
			change.wish.key === wish.key &&
			change.to === to &&
			change.at === at,
	);

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
