import { type OperationMove, unendedOperations } from '../fleet/change.ts';
import { type FactBody, operationFact } from '../fleet/fact.ts';
import { isUnderWay, type Operation } from '../fleet/operations/operation.ts';
import { changeOf, entryFrom } from '../journal/log-entry.ts';
import { createLogTail, readLines } from '../journal/log-files.ts';
import { createFailure } from '../platform/decoding/platform-error.ts';
import { operationIn } from '../store/our-operations.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Host } from './host.ts';
import { logPath } from './open-journal.ts';
import { machineIdOf } from './processes.ts';
import type { AccountSession } from './session.ts';

const lookEveryMs = 1_000;

/** What is not known to have ended after this time is left alone. */
const lookedUpForMs = 60 * 60_000;

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
	const state = () => store.getState().accounts.get(account) ?? emptyAccount;
	/** Whether operations may have begun before this process began to follow the log, or to record. */
	let isBehind = true;
	let isLooking = false;
	let tail: ReturnType<typeof createLogTail> | undefined;
	let cancelLook = () => {};
	newLines();

	/** None while the log cannot be read, which the journal reports. */
	function newLines(): readonly string[] {
		try {
			tail ??= createLogTail(logPath(host));
			return tail().map(({ text }) => text);
		} catch {
			return [];
		}
	}

	function movesIn(lines: readonly string[]): readonly OperationMove[] {
		const changes = lines.flatMap(line => {
			const entry = entryFrom(line);
			return entry?.account === account ? changeOf(entry, machineIdOf(host)) : [];
		});
		return changes.filter(change => change.type === 'operationMoved');
	}

	/** Every step in the log, also those of which this process has never heard. */
	function loggedMoves(): readonly OperationMove[] {
		try {
			return movesIn(readLines(logPath(host)).filter(line => line.includes('"operationMoved"')));
		} catch {
			return [];
		}
	}

	function foldMove(move: OperationMove) {
		const { pane, wish, at } = move;
		const bodies = factsOfMove(move, operationIn(state(), wish.key));
		store.receive(bodies.map(body => ({ account, at, pane, ...body })));
	}

	async function catchUp() {
		isBehind = false;
		const isForgotten = ({ wish, isElsewhere }: OperationMove) =>
			!isElsewhere && !operationIn(state(), wish.key);
		if (!unendedOperations(state().changes).some(isForgotten)) return;
		for (const move of unendedOperations(loggedMoves()).filter(isForgotten)) {
			const { pane = '' } = move;
			const isLeft = (await hasEnded(pane))
				? move.isAccepted
				: clock.now() - move.at > lookedUpForMs;
			if (!isLeft && !signal.aborted) foldMove(move);
		}
	}

	/** Notes a new line of the log, unless it is of this process, or its process has told of the step over the socket. */
	function noteMove(move: OperationMove) {
		const { wish, to, pane, isElsewhere } = move;
		// Another machine looks after its own operations.
		if (pane === undefined || pane === host.processId || isElsewhere) return;
		const isNew = to === 'sent' || operationIn(state(), wish.key);
		if (isNew && !isLogged(state(), move)) foldMove(move);
	}

	/** A leader may have told of an operation as it was before its last lines, which are older than this process. */
	function noteEndsOf(left: readonly string[]) {
		const isLeft = ({ pane = '' }: Operation) => left.includes(pane);
		if (![...state().operations.values()].some(isLeft)) return;
		const lastSteps = new Map(loggedMoves().map(move => [move.wish.key, move]));
		for (const [key, operation] of state().operations) {
			const last = lastSteps.get(key);
			const isOver = last && last.to !== 'sent' && last.to !== operation.stage;
			const isOpen = isUnderWay(operation) || operation.stage === 'unknown';
			if (isOver && isOpen && isLeft(operation)) foldMove(last);
		}
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
		// By now, the lines have everything that these processes wrote.
		for (const move of movesIn(newLines())) noteMove(move);
		noteEndsOf(left);
		for (const pane of left)
			store.receive([{ account, at: clock.now(), type: 'paneLeft', left: pane, hasEnded: true }]);
		cancelLook = clock.after(lookEveryMs, () => void look());
	}

	const stopNoting = recorder.onBecoming(() => {
		isBehind = true;
		// The recorder before may have written an end that it no longer told.
		for (const move of movesIn(newLines())) noteMove(move);
		void look();
	});
	signal.addEventListener('abort', () => {
		stopNoting();
		cancelLook();
	});
	void look();
}

const isLogged = ({ changes }: AccountState, { wish, to, at, isAccepted }: OperationMove) =>
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
