import { abandonedOperations } from '../fleet/abandoned-operations.ts';
import type { OperationMove } from '../fleet/change.ts';
import type { Fact, FactBody } from '../fleet/fact.ts';
import type { Operation } from '../fleet/operations/operation.ts';
import { operationFact } from '../fleet/operations/operation-fact.ts';
import { followOtherRuns } from '../journal/other-runs.ts';
import { createFailure } from '../platform/decoding/platform-error.ts';
import { operationIn } from '../store/our-operations.ts';
import { emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Host } from './host.ts';
import { logPath } from './open-journal.ts';
import { hasEnded, isRunning, machineIdOf } from './processes.ts';
import type { AccountSession } from './session.ts';

/**
 * Follows the operations of processes that share no watch with this one, such as `crowsnest stop`. They are in the
 * journal, and become facts as if their process had shared them:
 *
 * ```
 *   crowsnest stop ─▶ journal ─▶ facts ─▶ jobs, log, hooks
 *         └── ends ─▶ paneLeft ─▶ the recorder follows the stop to its end
 * ```
 */
export function followCommands(
	host: Host,
	session: Pick<AccountSession, 'account' | 'store' | 'signal' | 'recorder'>,
): void {
	const { account, store, signal } = session;
	const { clock, program } = host;
	const shared = createRecentKeys(account, store);
	/** The followed operations: from the key of an operation to the pid of its process. */
	const followed = new Map<string, number>();
	const stateNow = () => store.getState().accounts.get(account) ?? emptyAccount;

	function onMove(move: OperationMove) {
		const { pane, wish } = move;
		if (signal.aborted) return;
		// It cannot be known here when a process of another machine ends, so such operations are not followed.
		if (pane === undefined || pane === program.pid || move.isElsewhere) return;
		const isFollowed = followed.has(wish.key);
		if (!isFollowed && (move.to !== 'sent' || shared.has(wish.key))) return;
		followed.set(wish.key, pane);
		const bodies = factsOfStep(move, operationIn(stateNow(), wish.key));
		store.receive(bodies.map((body): Fact => ({ account, at: move.at, pane, ...body })));
	}

	/**
	 * Notes which processes have ended, and forgets their operations. By now, everything that they wrote to the
	 * journal has been read.
	 */
	function noteEnded(pids: ReadonlySet<number>) {
		if (signal.aborted) return;
		for (const left of pids)
			store.receive([{ account, at: clock.now(), type: 'paneLeft', left, hasEnded: true }]);
		for (const [key, pid] of followed)
			if (pids.has(pid) || !operationIn(stateNow(), key)) followed.delete(key);
	}

	const stopFollowingAbandoned = followAbandoned(host, session);
	const following = followOtherRuns({
		directory: logPath(host),
		account,
		machine: machineIdOf(host),
		clock,
		onOperationMove: onMove,
		onCheck() {
			const ended = new Set([...followed.values()].filter(pid => !isRunning(host, pid)));
			return () => noteEnded(ended);
		},
	});
	signal.addEventListener(
		'abort',
		() => {
			shared.close();
			stopFollowingAbandoned();
			following.stop();
		},
		{ once: true },
	);
}

const maxRecentKeys = 1_000;

/** Remembers the operations that arrive over the socket, because the journal contains them as well. */
function createRecentKeys(account: string, store: Store) {
	const keys = new Set<string>();
	const close = store.onFact(fact => {
		if (fact.type !== 'operationChanged' || fact.account !== account) return;
		keys.add(fact.key);
		const [oldest] = keys;
		if (keys.size > maxRecentKeys && oldest !== undefined) keys.delete(oldest);
	});
	return { has: (key: string) => keys.has(key), close };
}

/** Returns the facts that another process would have shared when it noted a step of an operation. */
function factsOfStep(move: OperationMove, known: Operation | undefined): readonly FactBody[] {
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

/**
 * Follows the operations of processes that were killed, while this process is the recorder: of a host, only the recorder
 * says how they ended. Returns a function that ends this.
 */
function followAbandoned(
	host: Host,
	{ account, store, recorder }: Pick<AccountSession, 'account' | 'store' | 'recorder'>,
): () => void {
	function follow() {
		const now = host.clock.now();
		const known = store.getState().accounts.get(account) ?? emptyAccount;
		const steps = abandonedOperations(known.changes, step => hasEnded(host, step)).filter(
			({ wish }) => !operationIn(known, wish.key),
		);
		store.receive(
			steps.map((step): Fact => {
				const { at: sentAt, wish: spec, pane = host.program.pid } = step;
				const sent: Operation = {
					spec,
					stage: 'sent',
					askedAt: sentAt,
					sentAt,
					hasPhaseChanged: false,
					pane,
					abandonedAt: now,
				};
				return { account, at: now, ...operationFact(sent) };
			}),
		);
	}
	let cancel = () => {};
	const stop = recorder.onBecoming(() => {
		// A listener of the store must not fold a fact itself.
		cancel = host.clock.after(0, follow);
	});
	if (recorder.isRecorder()) follow();
	return () => {
		stop();
		cancel();
	};
}
