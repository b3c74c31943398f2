import type { Socket } from 'node:net';
import type { Fact, FactBody } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Attention } from '../watch/planner-input.ts';
import type { Read } from '../watch/reads.ts';
import type { OwnWatch } from '../watch/watch.ts';
import type { Election, Release } from './election.ts';
import { heartbeatMs } from './leader.ts';
import { isBelieved, ownFacts } from './shared-facts.ts';
import { createLineSocket, lineOf, type Message } from './socket.ts';

export type Follower = {
	share(fact: Fact): void;
	setAttention(attention: Attention): void;
	readNow(reads: readonly Read[] | undefined): void;
	/** Of the list, by this process itself. */
	noteOwnRead(isAnswered: boolean): void;
	/** Whether this process reads in the place of a silent leader. */
	isStandingIn(): boolean;
	close(): void;
};

type FollowerOptions = {
	account: string;
	store: Store;
	clock: Clock;
	random: () => number;
	election: Pick<Election, 'id' | 'takeLock'>;
	socket: Socket;
	ownWatch: Pick<OwnWatch, 'readListOnce'>;
	/** Whether the platform accepts the credentials of this process, so that it could lead. */
	canRead: () => boolean;
	setReading: (isReading: boolean) => void;
	onUsedLast: (isThisProcess: boolean) => void;
	/** Called when this process must take the place of its leader, with the start lock if this process holds it. */
	onUseless: (lock: Release | undefined) => void;
	onEnd: () => void;
};

const tickMs = heartbeatMs / 2;

/** A leader that says nothing for this long may be stopped or overloaded. */
const silenceMs = 2 * heartbeatMs;

/** A leader that is silent for this long is replaced. */
const replacedAfterMs = 10_000;

/** A list may be this much later than the leader has announced. */
const patienceMs = 5_000;

/** A failure may be over with the next try of the leader. */
const failurePatienceMs = 2_500;
const maxPauseMs = 60_000;

/** A leader that can tell nothing would resign before this many reads of a follower are answered. */
const uselessAfter = 4;

/** The largest time of a `Date`. JSON has no `Infinity`. */
const largestTime = 8.64e15;

const ofOtherText = 'another pane cannot read: ';

export function createFollower(options: FollowerOptions): Follower {
	const { account, store, clock, random, election, setReading } = options;
	let leader = '';
	/** Ticks are counted, and not times, because the machine may have slept or this process may have been busy. */
	let silentTicks = 0;
	/** Held by the one follower of a silent leader that reads. */
	let lock: Release | undefined;
	/** How often this process has read the list itself since its leader last told it, and how often with success. */
	let ownTries = 0;
	let ownAnswers = 0;
	let isLeaderFailing = false;
	let isClosed = false;
	let cancelTick = () => {};
	let cancelOwnTry = () => {};

	const state = (): AccountState => store.getState().accounts.get(account) ?? emptyAccount;
	const fold = (body: FactBody) => store.receive([{ account, at: clock.now(), ...body }]);
	const isSilent = () => silentTicks * tickMs > silenceMs;

	const line = createLineSocket(options.socket, {
		from: 'leader',
		onMessage(message) {
			if (isSilent()) stopStandingIn();
			silentTicks = 0;
			receive(message);
		},
		onEnd: options.onEnd,
	});

	function receive(message: Message) {
		switch (message.type) {
			case 'hello':
				leader = message.id ?? '';
				setReading(false);
				return fold({ type: 'watchShared', leader });
			case 'beat':
				return options.onUsedLast(message.usedLast === election.id);
			case 'fact':
				return receiveFact({ ...message.fact, pane: message.fact.pane ?? leader });
		}
	}

	function receiveFact(fact: Fact) {
		const isOurs = fact.account === account && fact.pane !== election.id;
		if (!isOurs || !isBelieved(fact, state(), clock.now())) return;
		if (fact.type === 'listRead') trustFor((fact.every ?? maxPauseMs) + patienceMs);
		if (fact.type !== 'readFailed' || fact.read !== 'list') return store.receive([fact]);
		if (!isLeaderFailing && ownTries === 0) tryAfter(failurePatienceMs);
		isLeaderFailing = true;
		// This pane has data of its own, so the failure of the other one concerns nobody here.
		if (ownAnswers === 0) store.receive([{ ...fact, failure: failureOfOther(fact.failure) }]);
	}

	/** Says that another process cannot read: what helps there may be done here already. */
	function failureOfOther(failure: Failure): Failure {
		const own = state().reads.list?.failing?.failure;
		if (own?.kind === failure.kind && !own.message.startsWith(ofOtherText)) return failure;
		return { ...failure, message: `${ofOtherText}${failure.message}`, advice: '' };
	}

	/** The leader has told a list, or has begun to lead: the next list is due after this time. */
	function trustFor(milliseconds: number) {
		ownTries = 0;
		ownAnswers = 0;
		isLeaderFailing = false;
		tryAfter(milliseconds);
	}

	/** Reads the list once, and again ever more rarely, unless the leader tells one. Many followers share the limits. */
	function tryAfter(milliseconds: number) {
		cancelOwnTry();
		cancelOwnTry = clock.after(milliseconds * (1 + random() / 2), () => {
			ownTries += 1;
			tryAfter(Math.min(maxPauseMs, patienceMs * 2 ** ownTries));
			if (!isSilent()) options.ownWatch.readListOnce();
		});
	}

	function tick() {
		cancelTick = clock.after(tickMs, tick);
		silentTicks += 1;
		if (!isSilent() || !options.canRead()) return;
		if (silentTicks * tickMs >= replacedAfterMs) replace();
		else void standIn();
	}

	function replace() {
		const held = lock;
		lock = undefined;
		options.onUseless(held);
	}

	/** One of the followers of a silent leader reads; the others wait, and look with each tick whether it still runs. */
	async function standIn() {
		if (lock) return;
		// Where no lock can be written, each follower reads: the log of requests keeps the limits.
		const taken = await election.takeLock().catch(() => () => {});
		if (isClosed || !isSilent() || lock) return taken?.();
		if (taken) setReading(true);
		lock = taken;
	}

	function stopStandingIn() {
		lock?.();
		lock = undefined;
		setReading(false);
	}

	// The new leader tells of the operations of all panes that go on.
	const others = new Set([...state().operations.values()].flatMap(({ pane }) => pane ?? []));
	for (const left of others) fold({ type: 'paneLeft', left });
	cancelTick = clock.after(tickMs, tick);
	trustFor(patienceMs);
	line.send(lineOf({ type: 'hello', id: election.id }));
	const share = (fact: Fact) => line.send(lineOf({ type: 'fact', fact }));
	for (const fact of ownFacts(account, state())) share(fact);

	return {
		share,
		setAttention({ visibleIds, attendedUntil, ...rest }) {
			const until = Math.min(Math.max(attendedUntil, -largestTime), largestTime);
			const seen = { ...rest, visibleIds: [...visibleIds], attendedUntil: until };
			line.send(lineOf({ type: 'attention', ...seen }));
		},
		readNow: reads => line.send(lineOf({ type: 'readNow', reads })),
		noteOwnRead(isAnswered) {
			if (isSilent()) return;
			ownAnswers = isAnswered ? ownAnswers + 1 : 0;
			if (isAnswered) line.send(lineOf({ type: 'readAnswered' }));
			if (ownAnswers >= uselessAfter) replace();
		},
		isStandingIn: () => lock !== undefined,
		close() {
			isClosed = true;
			cancelTick();
			cancelOwnTry();
			lock?.();
			line.close();
		},
	};
}
