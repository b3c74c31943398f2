import { existsSync } from 'node:fs';
import type { Fact, FactBody } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import { createListeners } from '../foundation/listeners.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Attention } from '../watch/plan.ts';
import type { Watch } from '../watch/watch.ts';
import type { ElectionResult } from './election.ts';
import { createFollower, createLeader, type Member, type Role } from './roles.ts';
import { audienceOf } from './shared-facts.ts';
import { isListening } from './socket.ts';

/** Why a process reads apart from the others for a while. */
type Absence = 'suspended' | 'signedOut';

export type SharedWatch = Watch & {
	/** Ends the role of this process, so that another one can lead. A process that is signed out returns when it has read a list. */
	leave(why: Absence): void;
	/** Does nothing while there is another reason. */
	rejoin(why: Absence): void;
	/** So that its terminal may ring. */
	isUsedLast(): boolean;
};

type SharedWatchOptions = Pick<
	Member,
	'account' | 'store' | 'clock' | 'random' | 'election' | 'ownWatch' | 'hasScreen'
> & { recorder: Pick<OwnRecorder, 'set'>; initialAttention: Attention };

/** Followers that lose their leader wait for a random time up to this, so that they do not all elect at once. */
const maxElectionDelayMs = 10;

/** No event tells a process that reads alone that the reason for it is over. */
const aloneRetryMs = 2_000;

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
	const { account, ownWatch, store, clock, random, election, recorder } = options;
	const absences = new Set<Absence>();
	let attention = options.initialAttention;
	/** Undefined while this process reads alone, or takes part in an election. */
	let role: Role | undefined;
	let isStarted = false;
	let isReading = false;
	let canRead = true;
	let shortConnections = 0;
	/** Grows with each election and each end of a role, so that the result of an earlier election is ignored. */
	let term = 0;
	let cancelElection = () => {};
	let stopSharing = () => {};

	const state = (): AccountState => store.getState().accounts.get(account) ?? emptyAccount;
	const fold = (body: FactBody) => store.receive([{ account, at: clock.now(), ...body }]);

	const member: Member = {
		...options,
		state,
		fold,
		canRead: () => canRead,
		setReading,
		resign: () => noteCanRead(false),
		rejoin: rejoinElection,
		replaceLeader(place) {
			// When the old leader continues, it finds another socket, and follows.
			endRole();
			void join(place);
		},
		loseLeader(followedForMs) {
			shortConnections = followedForMs < shortConnectionMs ? shortConnections + 1 : 0;
			if (shortConnections < maxShortConnections) return rejoinElection();
			// A process holds the socket, but closes every connection. It is asked again ever more rarely.
			endRole();
			recorder.set(true);
			readAlone(Math.min(maxPauseMs, 1_000 * 2 ** (shortConnections - maxShortConnections)));
		},
	};

	function setReading(next: boolean) {
		if (isReading === next) return;
		isReading = next;
		if (next) ownWatch.start();
		else ownWatch.pause();
	}

	async function join(replaces?: string) {
		cancelElection();
		term += 1;
		const joined = term;
		const result = await election.elect({ canLead: canRead, replaces });
		if (joined !== term) return discard(result);
		recorder.set(result.role === 'leader' || (result.role === 'alone' && result.records));
		switch (result.role) {
			case 'leader':
				role = createLeader(member, result.listener, attention);
				if (state().sharedWatch?.leader !== undefined) forgetSharing();
				return setReading(true);
			case 'follower':
				role = createFollower(member, result, attention);
				return;
			case 'alone':
				return readAlone(aloneRetryMs);
		}
	}

	function readAlone(retryMs: number) {
		forgetSharing();
		setReading(true);
		electAfter(retryMs);
	}

	function electAfter(delayMs: number) {
		cancelElection();
		cancelElection = clock.after(delayMs, () => void join());
	}

	function rejoinElection() {
		endRole();
		electAfter(Math.ceil(random() * maxElectionDelayMs));
	}

	/** The other processes notice at once. */
	function endRole() {
		term += 1;
		cancelElection();
		const ended = role;
		role = undefined;
		recorder.set(false);
		ended?.close();
	}

	function forgetSharing() {
		if (state().sharedWatch) fold({ type: 'watchShared' });
	}

	function onFact(fact: Fact) {
		if (fact.account !== account || fact.pane !== undefined) return;
		role?.noteOwn(fact, audienceOf(fact, state()));
		if (fact.type === 'listRead') {
			noteCanRead(true);
			endAbsence('signedOut');
		}
		// A cached token counts as a sign-in before the platform has accepted it, so only a follower, which sends no reads,
		// goes by it.
		if (fact.type === 'signedIn' && role?.kind === 'follower') noteCanRead(true);
		const isRefused =
			fact.type === 'readFailed' && fact.read === 'list' && fact.failure.kind === 'auth';
		if (isRefused || fact.type === 'signInFailed') noteCanRead(false);
	}

	/** Another process may have better credentials, so a leader whose credentials are refused ends its role. */
	function noteCanRead(next: boolean) {
		if (canRead === next) return;
		canRead = next;
		if (next && !role && absences.size === 0) void join();
		if (next || role?.kind !== 'leader') return;
		endRole();
		electAfter(aloneRetryMs);
	}

	function endAbsence(why: Absence) {
		if (absences.delete(why) && absences.size === 0) void join();
	}

	return {
		start() {
			isStarted = true;
			stopSharing = store.onFact(onFact);
			void join();
		},
		stop() {
			isStarted = false;
			absences.clear();
			stopSharing();
			endRole();
			forgetSharing();
			isReading = false;
			ownWatch.stop();
		},
		leave(why) {
			if (!isStarted) return;
			absences.add(why);
			endRole();
			forgetSharing();
			// A process that only lent its terminal to a command goes on, and follows its operations.
			setReading(true);
		},
		rejoin: endAbsence,
		setAttention(next) {
			attention = next;
			(role ?? ownWatch).setAttention(next);
		},
		readNow: reads => (role ?? ownWatch).readNow(reads),
		isUsedLast: () => (role?.usedLast() ?? election.id) === election.id,
		wake: ownWatch.wake,
		retryAfterSignIn: ownWatch.retryAfterSignIn,
	};
}

function discard(result: ElectionResult): void {
	if (result.role === 'leader') result.listener.close();
	if (result.role === 'follower') result.socket.destroy();
}

/** A recorder writes what was read to the log, keeps the last known fleet and runs the hooks. */
export type Recorder = {
	isRecorder(): boolean;
	onBecoming(listener: () => void): () => void;
};

export type OwnRecorder = Recorder & { set(next: boolean): void };

export function createRecorder(isAtFirst: boolean): OwnRecorder {
	const becoming = createListeners();
	let isRecorder = isAtFirst;
	return {
		isRecorder: () => isRecorder,
		onBecoming: becoming.subscribe,
		set(next) {
			const begins = next && !isRecorder;
			isRecorder = next;
			if (begins) becoming.notify();
		},
	};
}

const lookEveryMs = 2_000;

/** For a process that stays off the socket. */
export function recordWhileNobodyLeads(
	leaderPath: () => string | undefined,
	recorder: OwnRecorder,
	clock: Clock,
	signal: AbortSignal,
): void {
	let cancelLook = () => {};
	signal.addEventListener('abort', () => cancelLook());

	async function look() {
		const path = leaderPath();
		const isLed = path !== undefined && existsSync(path) && (await isListening(path));
		if (signal.aborted) return;
		recorder.set(!isLed);
		cancelLook = clock.after(lookEveryMs, () => void look());
	}

	void look();
}
