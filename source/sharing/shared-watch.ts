import type { Socket } from 'node:net';
import type { Fact, FactBody } from '../fleet/fact.ts';
import type { Failure } from '../foundation/failure.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import { canReadAfter, electionRetryMs, isRefusalOfList } from './can-read.ts';
import { createDepartures, panesWithJobs } from './departures.ts';
import { createDoubtfulLeader } from './doubtful-leader.ts';
import { discardElection, type Listener } from './election.ts';
import { createFollower, type Follower, silenceMs } from './follower.ts';
import { joinedAttention } from './joined-attention.ts';
import { audienceOf, createAnswerMemory, isAcceptable } from './known-facts.ts';
import { createLeader, type Leader } from './leader.ts';
import { followerKnowledge, leaderKnowledge } from './shared-knowledge.ts';
import type { SharedWatch, SharedWatchOptions } from './shared-watch-options.ts';

// Followers that lose their leader wait for a random time up to this, so that they do not all start an election at
// once.
const maxElectionDelayMs = 10;

/** A leader whose reads fail for this long resigns if a follower can read. */
const blindAfterMs = 10_000;

/** A leader that is silent for this long is replaced. */
const replacedAfterMs = 10_000;

const standInRetryMs = 1_000;

const shortConnectionMs = 2_000;
const maxLostConnections = 3;
const maxElectionPauseMs = 60_000;

const ofOtherText = 'another pane cannot read: ';

/**
 * Polls, or receives what another process polls. The process that listens on the socket of the account leads:
 *
 * ```
 *             ┌──────────── leader ends, is suspended or signed out ───────────┐
 *             ▼                                                                │
 *   start ─▶ election ──▶ following ── silent for 2 s ──▶ one of them polls ───┤
 *             │                ▲──────── speaks again ─────────┘               │
 *             ├──▶ leading: polls, and shares what it reads ───────────────────┘
 *             └──▶ alone: polls
 * ```
 *
 */
export function createSharedWatch(options: SharedWatchOptions): SharedWatch {
	const { account, ownWatch, store, clock, random, pid } = options;
	const { elect, isRunning, recorder } = options;
	const memory = createAnswerMemory();
	let attention = options.initialAttention;
	let leader: Leader | undefined;
	let follower: Follower | undefined;
	let isStarted = false;
	/** Whether this process has left the election, because it is about to be suspended. */
	let hasLeft = false;
	let isUsedLast = true;
	let canRead = true;
	/** Since when the reads of the list of this process fail. */
	let failingSince: number | undefined;
	/** Whether a follower has read the list although this process cannot. */
	let isReadElsewhere = false;
	/** Whether the last read of this follower was answered, although its leader cannot read. */
	let hasReadItself = false;
	/** How many connections to a leader have ended at once. */
	let lostConnections = 0;
	/** Whether this process polls because no other process leads and it cannot lead either. */
	let isAlone = false;
	let isLeaderSilent = false;
	/** Ends the reads in the place of a silent leader; undefined while this process does not read. */
	let endStandIn: (() => void) | undefined;
	/** Grows with each start and end, so that the result of an earlier election is ignored. */
	let term = 0;
	let leaderPlace: string | undefined;
	let cancelElection = () => {};
	let cancelReplacing = () => {};
	let cancelStandIn = () => {};
	let stopSharing = () => {};

	const accountState = (): AccountState => store.getState().accounts.get(account) ?? emptyAccount;
	const foldBody = (body: Extract<FactBody, { type: 'watchShared' | 'paneLeft' }>) =>
		store.receive([{ account, at: clock.now(), ...body }]);

	function onUsedLast(isThisProcess: boolean) {
		isUsedLast = isThisProcess;
	}
	const foldPaneLeft = (left: number, hasEnded: boolean) =>
		foldBody({ type: 'paneLeft', left, ...(hasEnded && { hasEnded }) });
	const departures = createDepartures({ clock, isRunning, onLeft: foldPaneLeft });

	function onFact(fact: Fact) {
		if (fact.account !== account) return;
		if (fact.pane === undefined) {
			noteCanRead(canReadAfter(fact, follower !== undefined) ?? canRead);
			noteOwnRead(fact);
		}
		memory.note(fact);
		if (fact.pane !== undefined || isRefusalOfList(fact)) return;
		const audience = audienceOf(fact, accountState());
		if (audience) leader?.share(fact);
		if (audience === 'panes') follower?.share(fact);
	}

	function noteOwnRead(fact: Fact) {
		if (fact.type === 'readFailed' && fact.read === 'list') {
			hasReadItself = false;
			if (fact.failure.kind !== 'limited') failingSince ??= clock.monotonic();
			resignIfBlind();
		}
		if (fact.type !== 'listRead') return;
		failingSince = undefined;
		isReadElsewhere = false;
		if (!follower || isLeaderSilent) return;
		hasReadItself = true;
		follower.reportReadAnswered();
		doubt.noteAnswered();
	}

	/** A leader that cannot read leaves the role to a process that can. */
	function resignIfBlind() {
		if (!leader || !isReadElsewhere || failingSince === undefined) return;
		if (clock.monotonic() - failingSince >= blindAfterMs) noteCanRead(false);
	}

	const doubt = createDoubtfulLeader({
		clock,
		random,
		read() {
			if (follower && !isLeaderSilent) ownWatch.readListOnce();
		},
		// A listener of the store must not fold facts.
		onUseless() {
			cancelReplacing();
			cancelReplacing = clock.after(0, replaceLeader);
		},
	});

	/** Another process may have better credentials, so a leader whose credentials are refused ends its role. */
	function noteCanRead(next: boolean) {
		if (canRead === next) return;
		canRead = next;
		if (leader && !canRead) {
			leader.close();
			leader = undefined;
			recorder.set(false);
			[isAlone, isUsedLast] = [true, true];
			electAfter(electionRetryMs(canRead));
		}
		// A listener of the store must not fold facts, so the election begins after the listener.
		if (isAlone && canRead) electAfter(0);
	}

	function electAfter(delayMs: number) {
		cancelElection();
		cancelElection = clock.after(delayMs, () => void join());
	}

	function foldOther(fact: Fact) {
		if (fact.account !== account || !isAcceptable(fact, accountState(), clock.now())) return;
		if (fact.type === 'listRead') {
			hasReadItself = false;
			doubt.noteList(fact.every);
		}
		if (fact.type !== 'readFailed' || fact.read !== 'list') return store.receive([fact]);
		doubt.noteFailure();
		// This pane has data of its own, so the failure of the other one concerns nobody here.
		if (!hasReadItself) store.receive([{ ...fact, failure: failureOfOther(fact.failure) }]);
	}

	/** Says that another process cannot read: what helps there may be done here already. */
	function failureOfOther(failure: Failure): Failure {
		const own = accountState().reads.list?.failing?.failure;
		if (own?.kind === failure.kind && !own.message.startsWith(ofOtherText)) return failure;
		return { ...failure, message: `${ofOtherText}${failure.message}`, advice: '' };
	}

	async function join(replaces?: string) {
		const joined = ++term;
		const result = await elect(canRead, replaces);
		if (joined !== term) return discardElection(result);
		// Folding these facts draws the screen, which would delay an election.
		forgetJobsOfOthers(result.role === 'leader' ? departures.note : undefined);
		const wasAlone = isAlone;
		isAlone = result.role === 'alone';
		switch (result.role) {
			case 'leader':
				return lead(result.listener, wasAlone);
			case 'follower':
				return follow(result, wasAlone);
			case 'alone':
				recorder.set(canRead && !result.isForNow);
				forgetSharing();
				// Starting a running watch would repeat failed reads too early.
				if (!wasAlone) ownWatch.start();
				electAfter(electionRetryMs(canRead, result.isForNow));
		}
	}

	function lead(listener: Listener, isPolling: boolean) {
		leader = createLeader({
			listener,
			pid,
			clock,
			...leaderKnowledge(account, memory, accountState, clock),
			onFact(fact) {
				foldOther(fact);
				ownWatch.wake();
			},
			onAttentionChange: reportAttention,
			onUsedLast,
			onReadNow: reads => ownWatch.readNow(reads),
			onReadElsewhere() {
				isReadElsewhere = true;
				resignIfBlind();
			},
			onArrival: departures.noteReturn,
			onFollowers(followers, leftPid) {
				if (leftPid !== undefined) departures.note(leftPid);
				foldBody({ type: 'watchShared', ...(followers > 0 && { followers }) });
				reportAttention();
			},
			onReplaced: rejoinElection,
		});
		if (options.hasScreen !== false) leader.noteOwnAttention(attention);
		reportAttention();
		recorder.set(true);
		if (accountState().sharedWatch?.leader !== undefined) foldBody({ type: 'watchShared' });
		if (!isPolling) ownWatch.start();
	}

	function follow(
		{ socket, place }: { socket: Socket; place: string | undefined },
		wasAlone: boolean,
	) {
		recorder.set(false);
		const followsSince = clock.monotonic();
		let isReading = wasAlone;
		leaderPlace = place;
		follower = createFollower({
			socket,
			pid,
			clock,
			onFact: foldOther,
			onUsedLast,
			onLeader(leaderPid) {
				if (isReading) ownWatch.pause();
				isReading = false;
				foldBody({ type: 'watchShared', leader: leaderPid });
			},
			onSilence(isSilent) {
				isLeaderSilent = isSilent;
				cancelReplacing();
				if (!isSilent) return stopStandingIn(ownWatch.pause);
				standIn();
				if (canRead) cancelReplacing = clock.after(replacedAfterMs - silenceMs, replaceLeader);
			},
			onEnd() {
				const isShort = clock.monotonic() - followsSince < shortConnectionMs;
				lostConnections = isShort ? lostConnections + 1 : 0;
				if (lostConnections < maxLostConnections) rejoinElection();
				else readAloneForNow(isReading);
			},
		});
		doubt.begin();
		if (options.hasScreen !== false) follower.setAttention(attention);
		for (const fact of followerKnowledge(account, accountState())) follower.share(fact);
	}

	/** One of the followers of a silent leader reads; the others wait, and look now and then whether it still runs. */
	function standIn() {
		const giveUp = canRead ? options.standIn() : undefined;
		if (!giveUp) {
			cancelStandIn = clock.after(standInRetryMs, standIn);
			return;
		}
		endStandIn = giveUp;
		ownWatch.start();
	}

	function stopStandingIn(stopReading: () => void) {
		cancelStandIn();
		if (!endStandIn) return;
		endStandIn();
		endStandIn = undefined;
		stopReading();
	}

	/** A process that holds the socket, but closes every connection, is asked again ever more rarely. */
	function readAloneForNow(wasReading: boolean) {
		if (!isStarted || hasLeft) return;
		endRole({ isRejoining: true, keepsReading: wasReading });
		isAlone = true;
		recorder.set(true);
		forgetSharing();
		if (!wasReading) ownWatch.start();
		electAfter(Math.min(maxElectionPauseMs, 1_000 * 2 ** (lostConnections - maxLostConnections)));
	}

	/** Takes the place of a leader that does not answer. When it continues, it finds another socket, and follows. */
	function replaceLeader() {
		if (!isStarted || hasLeft || !follower) return;
		const place = leaderPlace;
		endRole({ isRejoining: true });
		void join(place);
	}

	const reportAttention = () =>
		ownWatch.setAttention(joinedAttention([attention, ...(leader?.attentions() ?? [])]));

	/** Ends the current role of this process. The other processes notice at once. */
	function endRole({ isRejoining = false, keepsReading = false } = {}) {
		term += 1;
		cancelElection();
		cancelReplacing();
		doubt.end();
		hasReadItself = false;
		const [wasLeader, wasFollower] = [leader, follower];
		leader = undefined;
		follower = undefined;
		isAlone = false;
		isLeaderSilent = false;
		stopStandingIn(() => {});
		isUsedLast = true;
		recorder.set(false);
		departures.close();
		wasLeader?.close();
		wasFollower?.close();
		if (!keepsReading) ownWatch.stop();
		if (isRejoining) return;
		forgetJobsOfOthers();
		forgetSharing();
	}

	/** Forgets the operations of other panes. Panes that go on share theirs again. */
	function forgetJobsOfOthers(forget = (pid: number) => foldPaneLeft(pid, !isRunning(pid))) {
		for (const pane of panesWithJobs(accountState())) forget(pane);
	}

	function forgetSharing() {
		if (accountState().sharedWatch) foldBody({ type: 'watchShared' });
	}

	function rejoinElection() {
		if (!isStarted || hasLeft) return;
		endRole({ isRejoining: true });
		electAfter(Math.ceil(random() * maxElectionDelayMs));
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
		},
		leave() {
			if (!isStarted || hasLeft) return;
			hasLeft = true;
			endRole();
			// A process that only lent its terminal to a command goes on, and follows its operations.
			ownWatch.start();
		},
		rejoin() {
			if (!isStarted || !hasLeft) return;
			hasLeft = false;
			ownWatch.stop();
			void join();
		},
		setAttention(next) {
			attention = next;
			follower?.setAttention(next);
			leader?.noteOwnAttention(next);
			reportAttention();
		},
		readNow(reads) {
			follower?.readNow(reads);
			if (!follower || endStandIn) ownWatch.readNow(reads);
		},
		isUsedLast: () => isUsedLast,
		wake: ownWatch.wake,
		retryAfterSignIn: ownWatch.retryAfterSignIn,
	};
}
