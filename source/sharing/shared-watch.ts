import type { Fact, FactBody } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Attention } from '../watch/planner-input.ts';
import type { OwnWatch, Watch } from '../watch/watch.ts';
import { discardElection, type Election, type ElectionResult, type Release } from './election.ts';
import { createFollower, type Follower } from './follower.ts';
import { createLeader, type Leader } from './leader.ts';
import type { OwnRecorder } from './recorder.ts';
import { audienceOf } from './shared-facts.ts';

export type SharedWatch = Watch & {
	/** Ends the leading role, so that another process can lead while this one is suspended. */
	leave(): void;
	rejoin(): void;
	/** So that its terminal may ring. */
	isUsedLast(): boolean;
};

type SharedWatchOptions = {
	account: string;
	/** Reads for this process, and for others while this process leads. */
	ownWatch: OwnWatch;
	store: Store;
	clock: Clock;
	random: () => number;
	election: Election;
	recorder: Pick<OwnRecorder, 'set'>;
	initialAttention: Attention;
	/** Whether a person looks at this process, so that its view decides what is read, and its terminal may ring. */
	hasScreen: boolean;
};

type Following = Extract<ElectionResult, { role: 'follower' }>;

/** Followers that lose their leader wait for a random time up to this, so that they do not all elect at once. */
const maxElectionDelayMs = 10;

/** No event tells a process that reads alone that the reason for it is over. */
const aloneRetryMs = 2_000;

/** A leader whose reads fail for this long resigns if a follower can read. */
const blindAfterMs = 10_000;

const shortConnectionMs = 2_000;
const maxShortConnections = 3;
const maxPauseMs = 60_000;

/**
 * Reads, or receives what another process reads. The process that listens on the socket of the account leads:
 *
 * ```
 *             ┌──────────── leader ends, is suspended or signed out ───────────┐
 *             ▼                                                                │
 *   start ─▶ election ──▶ following ── silent for 2 s ──▶ one of them reads ───┤
 *             │                ▲──────── speaks again ─────────┘               │
 *             ├──▶ leading: reads, and shares what it reads ───────────────────┘
 *             └──▶ alone: reads
 * ```
 */
export function createSharedWatch(options: SharedWatchOptions): SharedWatch {
	const { account, ownWatch, store, clock, random, election, recorder, hasScreen } = options;
	let attention = options.initialAttention;
	let leader: Leader | undefined;
	let follower: Follower | undefined;
	let isStarted = false;
	/** Whether this process has left the election, because it is suspended or signed out. */
	let hasLeft = false;
	/** Whether this process reads because no other one leads, and it cannot lead either. */
	let isAlone = false;
	let isReading = false;
	let isUsedLast = true;
	/** Whether the platform accepts the credentials of this process. */
	let canRead = true;
	let failingSince: number | undefined;
	let isReadElsewhere = false;
	let shortConnections = 0;
	/** Grows with each election and each end of a role, so that the result of an earlier election is ignored. */
	let term = 0;
	let cancelElection = () => {};
	let stopSharing = () => {};

	const state = (): AccountState => store.getState().accounts.get(account) ?? emptyAccount;
	const fold = (body: FactBody) => store.receive([{ account, at: clock.now(), ...body }]);

	function setReading(next: boolean) {
		if (isReading === next) return;
		isReading = next;
		if (next) ownWatch.start();
		else ownWatch.pause();
	}

	function electAfter(delayMs: number) {
		cancelElection();
		cancelElection = clock.after(delayMs, () => void join());
	}

	async function join(replaces?: string, held?: Release) {
		cancelElection();
		term += 1;
		const joined = term;
		const result = await election.elect({ canLead: canRead, replaces, lock: held });
		if (joined !== term) return discardElection(result);
		isAlone = result.role === 'alone';
		switch (result.role) {
			case 'leader':
				return lead(result.listener);
			case 'follower':
				return follow(result);
			case 'alone':
				recorder.set(canRead && !result.isForNow);
				readAlone(aloneRetryMs);
		}
	}

	function lead(listener: Parameters<typeof createLeader>[0]['listener']) {
		leader = createLeader({
			account,
			store,
			clock,
			listener,
			id: election.id,
			watch: ownWatch,
			attention,
			hasScreen,
			onUsedLast(isThisProcess) {
				isUsedLast = isThisProcess;
			},
			onReadElsewhere() {
				isReadElsewhere = true;
				resignIfBlind();
			},
			onReplaced: rejoinElection,
		});
		recorder.set(true);
		if (state().sharedWatch?.leader !== undefined) fold({ type: 'watchShared' });
		setReading(true);
	}

	function resignIfBlind() {
		if (!leader || !isReadElsewhere || failingSince === undefined) return;
		if (clock.monotonic() - failingSince >= blindAfterMs) noteCanRead(false);
	}

	/** Another process may have better credentials, so a leader whose credentials are refused ends its role. */
	function noteCanRead(next: boolean) {
		if (canRead === next) return;
		canRead = next;
		if (leader) {
			endRole();
			isAlone = true;
			electAfter(aloneRetryMs);
		} else if (isAlone && canRead) void join();
	}

	function readAlone(retryMs: number) {
		isAlone = true;
		forgetSharing();
		setReading(true);
		electAfter(retryMs);
	}

	function follow({ socket, place }: Following) {
		recorder.set(false);
		const followsSince = clock.monotonic();
		follower = createFollower({
			account,
			store,
			clock,
			random,
			election,
			socket,
			ownWatch,
			canRead: () => canRead,
			setReading,
			onUsedLast(isThisProcess) {
				isUsedLast = isThisProcess;
			},
			onUseless(lock) {
				// When the old leader continues, it finds another socket, and follows.
				endRole();
				void join(place, lock);
			},
			onEnd() {
				const isShort = clock.monotonic() - followsSince < shortConnectionMs;
				shortConnections = isShort ? shortConnections + 1 : 0;
				if (shortConnections < maxShortConnections) return rejoinElection();
				// A process holds the socket, but closes every connection. It is asked again ever more rarely.
				endRole();
				recorder.set(true);
				readAlone(Math.min(maxPauseMs, 1_000 * 2 ** (shortConnections - maxShortConnections)));
			},
		});
		if (hasScreen) follower.setAttention(attention);
	}

	function onFact(fact: Fact) {
		if (fact.account !== account || fact.pane !== undefined) return;
		noteOwnRead(fact);
		const audience = audienceOf(fact, state());
		if (audience) leader?.share(fact);
		if (audience === 'panes') follower?.share(fact);
	}

	/** A cached token counts as a sign-in before the platform has accepted it, so only a follower, which sends no reads, goes by it. */
	function noteOwnRead(fact: Fact) {
		if (fact.type === 'signInFailed') noteCanRead(false);
		if (fact.type === 'signedIn' && follower) noteCanRead(true);
		if (fact.type === 'readFailed' && fact.read === 'list') {
			follower?.noteOwnRead(false);
			if (fact.failure.kind === 'auth') return noteCanRead(false);
			if (fact.failure.kind !== 'limited') failingSince ??= clock.monotonic();
			resignIfBlind();
		}
		if (fact.type !== 'listRead') return;
		noteCanRead(true);
		failingSince = undefined;
		isReadElsewhere = false;
		follower?.noteOwnRead(true);
	}

	/** The other processes notice at once. */
	function endRole() {
		term += 1;
		cancelElection();
		const [wasLeader, wasFollower] = [leader, follower];
		leader = undefined;
		follower = undefined;
		isAlone = false;
		isUsedLast = true;
		recorder.set(false);
		wasLeader?.close();
		wasFollower?.close();
	}

	function rejoinElection() {
		endRole();
		electAfter(Math.ceil(random() * maxElectionDelayMs));
	}

	function forgetSharing() {
		if (state().sharedWatch) fold({ type: 'watchShared' });
	}

	return {
		start() {
			isStarted = true;
			stopSharing = store.onFact(onFact);
			void join();
		},
		stop() {
			isStarted = false;
			stopSharing();
			endRole();
			forgetSharing();
			isReading = false;
			ownWatch.stop();
		},
		leave() {
			if (!isStarted || hasLeft) return;
			hasLeft = true;
			endRole();
			forgetSharing();
			// A process that only lent its terminal to a command goes on, and follows its operations.
			setReading(true);
		},
		rejoin() {
			if (!isStarted || !hasLeft) return;
			hasLeft = false;
			void join();
		},
		setAttention(next) {
			attention = next;
			if (hasScreen) follower?.setAttention(next);
			if (leader) leader.setAttention(next);
			else ownWatch.setAttention(next);
		},
		readNow(reads) {
			follower?.readNow(reads);
			if (!follower || follower.isStandingIn()) ownWatch.readNow(reads);
		},
		isUsedLast: () => isUsedLast,
		wake: ownWatch.wake,
		retryAfterSignIn: ownWatch.retryAfterSignIn,
	};
}
