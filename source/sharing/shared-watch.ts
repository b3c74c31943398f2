import type { Fact, FactBody } from '../fleet/fact.ts';
import { isOfThisProcess } from '../fleet/operations/operation.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import { fleetSummaryOf } from '../store/summarise-fleet.ts';
import type { Watch } from '../watch/watch.ts';
import { createDepartures, panesWithJobs } from './departures.ts';
import type { ElectionResult } from './election.ts';
import { createFollower, type Follower } from './follower.ts';
import { jobFacts } from './job-facts.ts';
import { joinedAttention } from './joined-attention.ts';
import {
	audienceOf,
	createAnswerMemory,
	isAcceptable,
	shareFacts,
	usageFacts,
} from './known-facts.ts';
import { createLeader, type Leader } from './leader.ts';
import type { SharedWatchOptions } from './shared-watch-options.ts';

/** The watch of an account that all processes on the host share: one of them polls. */
export type SharedWatch = Watch & {
	/** Lets another process lead, because this process is about to be suspended. */
	leave(): void;
	/** Leads or follows again. */
	rejoin(): void;
	/** Whether a person used the terminal of this process last, so that it may ring. */
	isUsedLast(): boolean;
};

// Followers that lose their leader wait for a random time up to this, so that they do not all start an election at
// once.
const maxElectionDelayMs = 30;

// No event announces that a problem such as a full disk is over, so a process that watches alone tries again.
const aloneRetryMs = 60_000;

/**
 * Polls, or receives what another process polls. The process that listens on the socket of the account leads:
 *
 * ```
 *             ┌──────────── leader ends, is suspended or signed out ───────────┐
 *             ▼                                                                │
 *   start ─▶ election ──▶ following ── silent for 2 s ──▶ polling for itself ──┤
 *             │                ▲──────── speaks again ─────────┘               │
 *             ├──▶ leading: polls, and shares what it reads ───────────────────┘
 *             └──▶ alone: polls
 * ```
 *
 * The function is over 60 lines because every part reads or changes the role.
 */
export function createSharedWatch(options: SharedWatchOptions): SharedWatch {
	const { account, ownWatch, store, foldInOrder, clock, random, pid, elect, isRunning } = options;
	const memory = createAnswerMemory();
	let attention = options.initialAttention;
	let leader: Leader | undefined;
	let follower: Follower | undefined;
	let isStarted = false;
	/** Whether this process has left the election, because it is about to be suspended. */
	let hasLeft = false;
	let isUsedLast = true;
	let canLead = true;
	/** Whether this process polls although it follows, because its leader is silent. */
	let isLeaderSilent = false;
	/** Increases with each start and end, so that a late election changes nothing. */
	let term = 0;
	let cancelElection = () => {};
	let stopSharing = () => {};

	const accountState = (): AccountState => store.getState().accounts.get(account) ?? emptyAccount;
	const foldBody = (body: Extract<FactBody, { type: 'watchShared' | 'paneLeft' }>) =>
		store.fold({ account, at: clock.now(), ...body });

	const foldPaneLeft = (left: number, hasEnded: boolean) =>
		foldBody({ type: 'paneLeft', left, ...(hasEnded && { hasEnded }) });
	const departures = createDepartures({ clock, isRunning, onLeft: foldPaneLeft });

	function onFact(fact: Fact) {
		if (fact.account !== account) return;
		memory.note(fact);
		if (fact.pane !== undefined) return;
		if (fact.type === 'signInFailed' || fact.type === 'signedIn') noteSignIn(fact.type);
		share(fact);
	}

	/** Another process may still be signed in, so a leader that is signed out ends its role. */
	function noteSignIn(type: 'signInFailed' | 'signedIn') {
		if (canLead === (type === 'signedIn')) return;
		canLead = type === 'signedIn';
		// A listener of the store must not fold a fact itself, so the election begins in a later turn.
		if (!follower) cancelElection = clock.after(0, rejoinElection);
	}

	function share(fact: Fact) {
		const audience = audienceOf(fact, accountState());
		if (audience === undefined) return;
		if (leader) leader.share(fact);
		else if (audience === 'panes') follower?.share(fact);
	}

	function foldOther(fact: Fact) {
		if (fact.account !== account || !isAcceptable(fact, accountState(), clock.now())) return;
		foldInOrder(fact);
	}

	async function join() {
		const joined = ++term;
		const result = await elect(canLead);
		if (joined !== term) return discard(result);
		// Folding these facts before the election would draw the screen, and so delay the election.
		forgetOtherPanes(result.role === 'leader' ? departures.note : undefined);
		switch (result.role) {
			case 'leader':
				return lead(result.listener);
			case 'follower':
				return follow(result.socket);
			case 'alone':
				ownWatch.start();
				cancelElection = clock.after(aloneRetryMs, rejoinElection);
		}
	}

	function discard(result: ElectionResult) {
		if (result.role === 'leader') result.listener.close();
		if (result.role === 'follower') result.socket.destroy();
	}

	function lead(listener: Extract<ElectionResult, { role: 'leader' }>['listener']) {
		leader = createLeader({
			...{ listener, pid, clock },
			knownFacts: () => [
				...memory.facts(),
				...shareFacts(account, accountState()),
				...jobFacts(account, accountState(), () => true),
			],
			histories: () => usageFacts(account, accountState(), clock.now()),
			summary: () => fleetSummaryOf(accountState(), clock.now()),
			onFact(fact) {
				foldOther(fact);
				ownWatch.wake();
			},
			onAttentionChange: reportAttention,
			onUsedLast(next) {
				isUsedLast = next;
			},
			onReadNow: reads => ownWatch.readNow(reads),
			onArrival: departures.noteReturn,
			onFollowers(followers, leftPid) {
				if (leftPid !== undefined) departures.note(leftPid);
				foldBody({ type: 'watchShared', ...(followers > 0 && { followers }) });
				reportAttention();
			},
			onReplaced: rejoinElection,
		});
		reportAttention();
		ownWatch.start();
	}

	function follow(socket: Extract<ElectionResult, { role: 'follower' }>['socket']) {
		follower = createFollower({
			...{ socket, pid, clock },
			onFact: foldOther,
			onUsedLast(next) {
				isUsedLast = next;
			},
			onLeader: leaderPid => foldBody({ type: 'watchShared', leader: leaderPid }),
			onSilence(isSilent) {
				isLeaderSilent = isSilent;
				if (isSilent) ownWatch.start();
				else ownWatch.stop();
			},
			onEnd: rejoinElection,
		});
		if (options.hasScreen !== false) follower.setAttention(attention);
		const state = accountState();
		const ownFacts = [...shareFacts(account, state), ...jobFacts(account, state, isOfThisProcess)];
		for (const fact of ownFacts) follower.share(fact);
	}

	const reportAttention = () =>
		ownWatch.setAttention(joinedAttention([attention, ...(leader?.attentions() ?? [])]));

	/** Ends the present role. The other processes notice at once. */
	function endRole({ isRejoining = false } = {}) {
		term += 1;
		cancelElection();
		const [wasLeader, wasFollower] = [leader, follower];
		leader = undefined;
		follower = undefined;
		isLeaderSilent = false;
		isUsedLast = true;
		departures.close();
		wasLeader?.close();
		wasFollower?.close();
		ownWatch.stop();
		if (!isRejoining) forgetOtherPanes();
	}

	/** The operations of panes that go on are shared again, by the leader or with it. */
	function forgetOtherPanes(forget = (pid: number) => foldPaneLeft(pid, !isRunning(pid))) {
		const { sharedWatch } = accountState();
		for (const pane of panesWithJobs(accountState())) forget(pane);
		if (sharedWatch) foldBody({ type: 'watchShared' });
	}

	function rejoinElection() {
		if (!isStarted || hasLeft) return;
		endRole({ isRejoining: true });
		cancelElection = clock.after(Math.ceil(random() * maxElectionDelayMs), () => void join());
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
			// If only the terminal was lent, this process goes on, and its operations have to be followed.
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
			if (!follower || isLeaderSilent) ownWatch.readNow(reads);
		},
		isUsedLast: () => isUsedLast,
		wake: ownWatch.wake,
		retryAfterSignIn: ownWatch.retryAfterSignIn,
	};
}
