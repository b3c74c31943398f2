import type { Socket } from 'node:net';
import { audienceByFact, type Fact, type FactBody } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import type { Recorder } from '../journal/journal.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Attention } from '../watch/plan.ts';
import type { OwnWatch, Watch } from '../watch/watch.ts';
import type { Election, ElectionResult, Listener, Release } from './election.ts';
import { isBelieved, isShared, isSignInRefused, ownFacts, stateFacts } from './shared-facts.ts';
import { isListening, lineOf, type Message, receiveMessages, sendLine } from './socket.ts';

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

type SharedWatchOptions = {
	account: string;
	store: Store;
	clock: Clock;
	random: () => number;
	election: Election;
	recorder: Recorder;
	/** Reads for this process, and for others while this process leads. */
	ownWatch: OwnWatch;
	/** Whether a person looks at this process, so that its view decides what is read, and its terminal may ring. */
	hasScreen: boolean;
	initialAttention: Attention;
};

type Role = {
	/** A fact of this process. */
	noteOwn(fact: Fact): void;
	setAttention(attention: Attention): void;
	readNow: Watch['readNow'];
	end(): void;
};

/** Followers that lose their leader wait for a random time up to this, so that they do not all elect at once. */
const maxElectionDelayMs = 10;

/** No event tells a process that reads alone that the reason for it is over. */
const aloneRetryMs = 2_000;

const shortConnectionMs = 2_000;
const maxShortConnections = 3;

const beatMs = 1_000;

/** A leader whose reads fail for this long resigns if a follower can read. */
const blindAfterMs = 10_000;

/** No screen shows more computers. */
const maxVisibleIds = 1_000;

const tickMs = beatMs / 2;

/** A leader that says nothing for this long may be stopped or overloaded. */
const silenceMs = 2 * beatMs;

/** A leader that is silent for this long is replaced. */
const replacedAfterMs = 10_000;

/** A list may be this much later than the leader has announced. */
const patienceMs = 5_000;

/** A failure may be over with the next try of the leader. */
const failurePatienceMs = 2_500;

/** The longest pause between two reads of a follower. */
const maxPauseMs = 60_000;

/** A leader that can tell nothing would resign before this many reads of a follower are answered. */
const uselessAfter = 4;

/** The largest time of a `Date`. JSON has no `Infinity`. */
const largestTime = 8.64e15;

const ofOtherText = 'another pane cannot read: ';

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
	const { account, store, clock, random, election, recorder, ownWatch, hasScreen } = options;
	const ownId = election.id;
	const absences = new Set<Absence>();
	let attention = options.initialAttention;
	/** Undefined while this process reads alone, or takes part in an election. */
	let role: Role | undefined;
	let isStarted = false;
	let isReading = false;
	/** Whether the platform accepts the credentials of this process and answers it, so that it can lead. */
	let canRead = true;
	/** Only the terminal of the process that a person used last rings. */
	let usedLast = ownId;
	/** Of the short connections that one and the same leader has just closed in a row. */
	let closedPlaces: readonly (string | undefined)[] = [];
	/** Grows with each election and each end of a role, so that the result of an earlier election is ignored. */
	let term = 0;
	let cancelElection = () => {};
	let stopListening = () => {};

	const state = (): AccountState => store.getState().accounts.get(account) ?? emptyAccount;
	const fold = (body: FactBody) => store.receive([{ account, at: clock.now(), ...body }]);

	async function join(replaces?: string) {
		cancelElection();
		term += 1;
		const joined = term;
		const result = await election.elect(canRead, replaces);
		if (joined !== term) return discard(result);
		recorder.setState(result.role === 'leader' || (result.role === 'alone' && result.records));
		switch (result.role) {
			case 'leader':
				role = lead(result.listener);
				if (state().sharedWatch?.leader !== undefined) forgetSharing();
				return setReading(true);
			case 'follower':
				role = follow(result.socket, result.place);
				return;
			case 'alone':
				return readAlone();
		}
	}

	function joinAfter(delayMs: number) {
		cancelElection();
		cancelElection = clock.after(delayMs, () => void join());
	}

	/** The other processes notice at once. */
	function endRole() {
		term += 1;
		cancelElection();
		const ended = role;
		role = undefined;
		usedLast = ownId;
		recorder.setState(false);
		ended?.end();
	}

	function rejoinElection() {
		endRole();
		joinAfter(Math.ceil(random() * maxElectionDelayMs));
	}

	function readAlone() {
		forgetSharing();
		setReading(true);
		joinAfter(aloneRetryMs);
	}

	function forgetSharing() {
		if (state().sharedWatch) fold({ type: 'watchShared' });
	}

	function setReading(next: boolean) {
		if (isReading === next) return;
		isReading = next;
		if (next) ownWatch.start();
		else ownWatch.pause();
	}

	function onFact(fact: Fact) {
		if (fact.account !== account || fact.pane !== undefined) return;
		if (fact.type === 'listRead') canRead = true;
		if (isSignInRefused(fact)) canRead = false;
		role?.noteOwn(fact);
		if (fact.type === 'listRead') endAbsence('signedOut');
	}

	function endAbsence(why: Absence) {
		if (absences.delete(why) && absences.size === 0) void join();
	}

	function lead(listener: Listener): Role {
		/** Also those of commands, which only ask for the state. */
		const sockets = new Set<Socket>();
		const followers = new Map<string, Socket>();
		/** Of all processes; the one that a person has used since the others comes last. */
		const attentions = new Map<string, Attention>();
		/** When a follower last told that it had read the list itself. */
		let readElsewhereAt = Number.NEGATIVE_INFINITY;
		let hasEnded = false;

		function tellFollowers(message: Message, except?: string) {
			if (followers.size === 0) return;
			const line = lineOf(message);
			for (const [id, socket] of followers) if (id !== except) sendLine(socket, line);
		}

		function welcome(socket: Socket) {
			let id: string | undefined;
			sockets.add(socket);
			socket.once('close', () => {
				sockets.delete(socket);
				if (hasEnded || id === undefined) return;
				followers.delete(id);
				attentions.delete(id);
				noteFollowers();
			});
			receiveMessages(socket, 'follower', message => {
				if (message.type !== 'hello') {
					if (id !== undefined) receive(id, message);
					return;
				}
				// No process may speak for this one, or for another one that is connected.
				if (message.id === ownId || id !== undefined || followers.has(message.id ?? ''))
					return void socket.destroy();
				id = message.id;
				if (id !== undefined) addFollower(id, socket);
				for (const fact of stateFacts(account, state(), clock.now()))
					sendLine(socket, lineOf({ type: 'fact', fact }));
				sendLine(socket, lineOf({ type: 'beat', usedLast }));
			});
			sendLine(socket, lineOf({ type: 'hello', id: ownId }));
		}

		function addFollower(id: string, socket: Socket) {
			followers.set(id, socket);
			// It tells of all its operations again.
			if ([...state().operations.values()].some(({ pane }) => pane === id))
				fold({ type: 'paneLeft', left: id });
			noteFollowers();
		}

		function noteFollowers() {
			fold({ type: 'watchShared', followers: followers.size || undefined });
			noteAttentions();
		}

		function noteAttention(id: string, next: Attention) {
			// A key that is set again keeps its place in a map, so it is deleted first.
			if (attentions.get(id)?.attendedUntil !== next.attendedUntil) attentions.delete(id);
			attentions.set(id, next);
			noteAttentions();
		}

		function noteAttentions() {
			ownWatch.setAttention(joinedAttention([...attentions.values()]));
			const screens = [...attentions].filter(([id]) => id !== ownId || hasScreen);
			screens.sort(([, a], [, b]) => a.attendedUntil - b.attendedUntil);
			const [next = ownId] = screens.at(-1) ?? [];
			if (next === usedLast) return;
			usedLast = next;
			tellFollowers({ type: 'beat', usedLast });
		}

		function receive(id: string, message: Message) {
			switch (message.type) {
				case 'fact': {
					const fact = { ...message.fact, pane: id };
					const isMeant = fact.account === account && audienceByFact[fact.type] === 'panes';
					if (!isMeant || !isBelieved(fact, state(), clock.now())) return;
					store.receive([fact]);
					tellFollowers({ type: 'fact', fact }, id);
					return ownWatch.wake();
				}
				case 'attention': {
					const visibleIds = new Set(message.visibleIds.slice(0, maxVisibleIds));
					return noteAttention(id, { ...message, visibleIds, views: new Set([message.view]) });
				}
				case 'readNow':
					return ownWatch.readNow(message.reads);
				case 'readAnswered':
					readElsewhereAt = clock.now();
			}
		}

		function beat() {
			cancelBeat = clock.after(beatMs, beat);
			tellFollowers({ type: 'beat', usedLast });
			// A person may have deleted the socket, and another process may listen there now.
			if (!listener.isInPlace()) rejoinElection();
			else if (isBlind()) resign();
		}

		function isBlind() {
			const { failure, firstFailedAt = 0 } = state().reads.list?.failing ?? {};
			if (!failure || failure.kind === 'limited') return false;
			return clock.now() - firstFailedAt >= blindAfterMs && readElsewhereAt >= firstFailedAt;
		}

		/** Another process may reach the platform, or have better credentials. This one leads again once it has read a list. */
		function resign() {
			canRead = false;
			endRole();
			joinAfter(aloneRetryMs);
		}

		listener.welcome(welcome);
		let cancelBeat = clock.after(beatMs, beat);
		noteAttention(ownId, attention);

		return {
			noteOwn(fact) {
				if (isShared(fact, state(), 'leader')) tellFollowers({ type: 'fact', fact });
				if (!canRead) resign();
			},
			setAttention: next => noteAttention(ownId, next),
			readNow: ownWatch.readNow,
			end() {
				hasEnded = true;
				cancelBeat();
				listener.close();
				for (const socket of sockets) socket.destroy();
			},
		};
	}

	/** `place` identifies the socket of the leader. */
	function follow(socket: Socket, place: string | undefined): Role {
		const followsSince = clock.monotonic();
		let leader = '';
		/** Ticks are counted, and not times, because the machine may have slept or this process may have been busy. */
		let silentTicks = 0;
		let ticksUntilTry = 0;
		/** How often this process has read the list itself since its leader last told it, and how often with success. */
		let ownTries = 0;
		let ownAnswers = 0;
		/** Held by the one follower of a silent leader that reads. */
		let lock: Release | undefined;
		let hasEnded = false;

		const silentMs = () => silentTicks * tickMs;
		const isSilent = () => silentMs() > silenceMs;
		const tell = (message: Message) => sendLine(socket, lineOf(message));
		/** Many followers share the limits. */
		const ticksOf = (milliseconds: number) => (milliseconds * (1 + random() / 2)) / tickMs;

		function receive(message: Message) {
			if (isSilent()) stopStandingIn();
			silentTicks = 0;
			switch (message.type) {
				case 'hello':
					leader = message.id ?? '';
					setReading(false);
					return fold({ type: 'watchShared', leader });
				case 'beat':
					usedLast = message.usedLast;
					return;
				case 'fact':
					return receiveFact({ ...message.fact, pane: message.fact.pane ?? leader });
			}
		}

		function receiveFact(fact: Fact) {
			const isMeant = fact.account === account && fact.pane !== ownId;
			if (!isMeant || !isBelieved(fact, state(), clock.now())) return;
			if (fact.type === 'listRead') trustFor((fact.every ?? maxPauseMs) + patienceMs);
			if (fact.type !== 'readFailed' || fact.read !== 'list') return store.receive([fact]);
			if (ownTries === 0) ticksUntilTry = Math.min(ticksUntilTry, ticksOf(failurePatienceMs));
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
			ticksUntilTry = ticksOf(milliseconds);
		}

		function tick() {
			cancelTick = clock.after(tickMs, tick);
			silentTicks += 1;
			ticksUntilTry -= 1;
			if (ticksUntilTry <= 0) tryToRead();
			if (!isSilent()) return;
			const isReplaced = silentMs() >= replacedAfterMs;
			if (isReplaced && canRead) replaceLeader();
			else if (isReplaced || canRead) void standIn();
		}

		/** Reads the list once, and again ever more rarely, unless the leader tells one. */
		function tryToRead() {
			ownTries += 1;
			ticksUntilTry = ticksOf(Math.min(maxPauseMs, patienceMs * 2 ** ownTries));
			if (!isSilent()) ownWatch.readListOnce();
		}

		/** When the old leader continues, it finds another socket, and follows. */
		function replaceLeader() {
			endRole();
			void join(place);
		}

		/** One of the followers of a silent leader reads; the others wait, and look with each tick whether it still runs. */
		async function standIn() {
			if (lock) return;
			// Where no lock can be written, each follower reads: the log of requests keeps the limits.
			const taken = await election.takeLock().catch(() => () => {});
			if (hasEnded || !isSilent() || lock) return taken?.();
			if (taken) setReading(true);
			lock = taken;
		}

		function stopStandingIn() {
			lock?.();
			lock = undefined;
			setReading(false);
		}

		function loseLeader() {
			const isShort = clock.monotonic() - followsSince < shortConnectionMs;
			closedPlaces = isShort ? [...closedPlaces.filter(each => each === place), place] : [];
			if (closedPlaces.length < maxShortConnections) return rejoinElection();
			// A process holds the socket, but closes every connection.
			endRole();
			recorder.setState(true);
			readAlone();
		}

		function tellAttention({ visibleIds, views, attendedUntil, ...rest }: Attention) {
			if (!hasScreen) return;
			const until = Math.min(Math.max(attendedUntil, -largestTime), largestTime);
			const [view = ''] = views;
			tell({ type: 'attention', ...rest, visibleIds: [...visibleIds], view, attendedUntil: until });
		}

		// The new leader tells of the operations of all panes that go on.
		const others = new Set([...state().operations.values()].flatMap(({ pane }) => pane ?? []));
		for (const left of others) fold({ type: 'paneLeft', left });
		let cancelTick = clock.after(tickMs, tick);
		trustFor(patienceMs);
		receiveMessages(socket, 'leader', receive);
		socket.once('close', () => {
			if (!hasEnded) loseLeader();
		});
		tell({ type: 'hello', id: ownId });
		for (const fact of ownFacts(account, state())) tell({ type: 'fact', fact });
		tellAttention(attention);

		return {
			noteOwn(fact) {
				if (isShared(fact, state(), 'follower')) tell({ type: 'fact', fact });
				if (fact.type === 'readFailed' && fact.read === 'list') ownAnswers = 0;
				if (fact.type !== 'listRead' || isSilent()) return;
				ownAnswers += 1;
				tell({ type: 'readAnswered' });
				if (ownAnswers >= uselessAfter) replaceLeader();
			},
			setAttention(next) {
				tellAttention(next);
				ownWatch.setAttention(next);
			},
			readNow(reads) {
				tell({ type: 'readNow', reads });
				if (lock) ownWatch.readNow(reads);
			},
			end() {
				hasEnded = true;
				cancelTick();
				lock?.();
				socket.destroy();
			},
		};
	}

	return {
		start() {
			isStarted = true;
			stopListening = store.onFact(onFact);
			void join();
		},
		stop() {
			isStarted = false;
			absences.clear();
			stopListening();
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
		isUsedLast: () => usedLast === ownId,
		wake: ownWatch.wake,
		retryAfterSignIn: ownWatch.retryAfterSignIn,
	};
}

function discard(result: ElectionResult): void {
	if (result.role === 'leader') result.listener.close();
	if (result.role === 'follower') result.socket.destroy();
}

/** The visible rows of all processes, and the details in the one that was used last. */
function joinedAttention(attentions: readonly Attention[]): Attention {
	const opened = attentions
		.filter(({ detailId }) => detailId !== undefined)
		.toSorted((a, b) => b.attendedUntil - a.attendedUntil)[0];
	return {
		visibleIds: new Set(attentions.flatMap(({ visibleIds }) => [...visibleIds])),
		views: new Set(attentions.flatMap(({ views }) => [...views])),
		attendedUntil: Math.max(...attentions.map(({ attendedUntil }) => attendedUntil)),
		detailId: opened?.detailId,
		restingSince: opened?.restingSince,
	};
}

const lookEveryMs = 2_000;

/** For a process that stays off the socket. */
export function recordWhileNobodyLeads(
	{ leaderPath }: Election,
	recorder: Recorder,
	clock: Clock,
	signal: AbortSignal,
): void {
	let cancelLook = () => {};
	signal.addEventListener('abort', () => cancelLook());

	async function look() {
		const path = leaderPath();
		const isLed = path !== undefined && (await isListening(path));
		if (signal.aborted) return;
		recorder.setState(!isLed);
		cancelLook = clock.after(lookEveryMs, () => void look());
	}

	void look();
}
