import type { Socket } from 'node:net';
import { audienceByFact, type Fact, type FactBody } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import type { Recorder } from '../journal/journal.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Attention } from '../watch/plan.ts';
import type { OwnWatch, Watch } from '../watch/watch.ts';
import type { Election } from './election.ts';
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
	tick(): void;
	end(): void;
};

/** Followers that lose their leader wait for a random time up to this, so that they do not all elect at once. */
const maxElectionDelayMs = 10;

/** No event tells a process that reads alone that the reason for it is over. */
const aloneRetryMs = 2_000;

/** A leader beats with each tick, and a follower counts the ticks without a message. */
const tickMs = 1_000;

/** A leader that says nothing for so long is stopped or overloaded. */
const maxSilentTicks = 5;

/** A list may be this much later than the leader has announced. */
const patienceMs = 5_000;

/** The first and the longest pause between two reads of a follower. */
const retryMs = 2_500;
const maxPauseMs = 60_000;

/** A follower that read the list itself so often, while its leader sent none, takes its place. */
const enoughAnswers = 2;

/** No screen shows more computers. */
const maxVisibleIds = 1_000;

/** The largest time of a `Date`. JSON has no `Infinity`. */
const largestTime = 8.64e15;

/**
 * Reads, or receives what another process reads. The process that listens on the socket of the account leads:
 *
 * ```
 *   alone      reads; enters the election every two seconds
 *   leader     reads, and shares it ─ it ends, is suspended, signed out or refused, or its socket is gone ─▶ election
 *   follower   receives ─ the leader ends ────────────────────────────────────────────────────────────────▶ election
 *                       ─ the leader is silent, or tells no list while this process reads some ─▶ depose ─▶ election
 *
 *   election ─▶ leader, follower, or alone where no socket can be made
 * ```
 */
export function createSharedWatch(options: SharedWatchOptions): SharedWatch {
	const { account, store, clock, random, election, recorder, ownWatch, hasScreen } = options;
	const ownId = election.id;
	const absences = new Set<Absence>();
	let attention = options.initialAttention;
	/** Undefined while this process reads alone, or takes part in an election. */
	let role: Role | undefined;
	let isReading = false;
	/** Whether the platform accepts the credentials of this process and answers it, so that it can lead. */
	let canRead = true;
	/** Only the terminal of the process that a person used last rings. */
	let usedLast = ownId;
	/** Grows with each election and each end of a role, so that what belongs to an earlier one is ignored. */
	let term = 0;
	/** Of the next tick of a role, or of the next election. */
	let cancelTimer = () => {};
	let stopListening: (() => void) | undefined;

	const state = (): AccountState => store.getState().accounts.get(account) ?? emptyAccount;
	const fold = (body: FactBody) => store.receive([{ account, at: clock.now(), ...body }]);

	async function join() {
		cancelTimer();
		term += 1;
		const joined = term;
		const result = await election.elect(canRead);
		if (joined !== term) {
			if (result.role === 'leader') election.resign();
			if (result.role === 'follower') result.socket.destroy();
			return;
		}
		recorder.setState(result.role === 'leader' || (result.role === 'alone' && result.records));
		if (result.role === 'alone') return readAlone();
		if (result.role === 'leader') {
			forgetSharing();
			setReading(true);
			role = lead();
		} else role = follow(result.socket, result.place);
		cancelTimer = clock.after(tickMs, tick);
	}

	function tick() {
		cancelTimer = clock.after(tickMs, tick);
		role?.tick();
	}

	function joinAfter(delayMs: number) {
		cancelTimer();
		cancelTimer = clock.after(delayMs, () => void join());
	}

	function readAlone() {
		forgetSharing();
		setReading(true);
		joinAfter(aloneRetryMs);
	}

	/** The other processes notice at once. */
	function endRole() {
		term += 1;
		cancelTimer();
		const ended = role;
		role = undefined;
		usedLast = ownId;
		recorder.setState(false);
		ended?.end();
	}

	function electAgain() {
		endRole();
		joinAfter(Math.ceil(random() * maxElectionDelayMs));
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

	function lead(): Role {
		const ownTerm = term;
		const followers = new Map<string, Socket>();
		const attentions = new Map<string, Attention>();

		function tellFollowers(message: Message, except?: string) {
			if (followers.size === 0) return;
			const line = lineOf(message);
			for (const [id, socket] of followers) if (id !== except) sendLine(socket, line);
		}

		function welcome(socket: Socket) {
			let id: string | undefined;
			socket.once('close', () => {
				if (ownTerm !== term || id === undefined) return;
				followers.delete(id);
				attentions.delete(id);
				noteFollowers();
			});
			receiveMessages(socket, 'follower', message => {
				if (ownTerm !== term) return void socket.destroy();
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
			// Of two that are used until the same time, the one that told it last comes last.
			if (attentions.get(id)?.attendedUntil !== next.attendedUntil) attentions.delete(id);
			attentions.set(id, next);
			noteAttentions();
		}

		/** Reads the visible rows of all processes, and the details in the one that was used last. */
		function noteAttentions() {
			const byUse = [...attentions].sort(([, a], [, b]) => a.attendedUntil - b.attendedUntil);
			const all = byUse.map(([, each]) => each);
			const opened = all.findLast(({ detailId }) => detailId !== undefined);
			ownWatch.setAttention({
				visibleIds: new Set(all.flatMap(({ visibleIds }) => [...visibleIds])),
				views: new Set(all.flatMap(({ views }) => [...views])),
				attendedUntil: Math.max(...all.map(({ attendedUntil }) => attendedUntil)),
				detailId: opened?.detailId,
				restingSince: opened?.restingSince,
			});
			const [next = ownId] = byUse.findLast(([id]) => id !== ownId || hasScreen) ?? [];
			if (next === usedLast) return;
			usedLast = next;
			tellFollowers({ type: 'beat', usedLast });
		}

		function receive(id: string, message: Message) {
			if (message.type === 'readNow') ownWatch.readNow(message.reads);
			if (message.type === 'attention') {
				const visibleIds = new Set(message.visibleIds.slice(0, maxVisibleIds));
				noteAttention(id, { ...message, visibleIds, views: new Set([message.view]) });
			}
			if (message.type !== 'fact') return;
			const fact = { ...message.fact, pane: id };
			const isMeant = fact.account === account && audienceByFact[fact.type] === 'panes';
			if (!isMeant || !isBelieved(fact, state(), clock.now())) return;
			store.receive([fact]);
			tellFollowers({ type: 'fact', fact }, id);
			ownWatch.wake();
		}

		election.serve(welcome);
		noteAttention(ownId, attention);

		return {
			noteOwn(fact) {
				if (isShared(fact, state(), 'leader')) tellFollowers({ type: 'fact', fact });
				if (canRead) return;
				// Another process may have better credentials. This one leads again once it has read a list.
				endRole();
				joinAfter(aloneRetryMs);
			},
			setAttention: next => noteAttention(ownId, next),
			readNow: ownWatch.readNow,
			tick() {
				tellFollowers({ type: 'beat', usedLast });
				if (election.isInPlace()) return;
				// A person has deleted the socket, or a process that can read has replaced it.
				if (state().reads.list?.failing) canRead = false;
				electAgain();
			},
			end() {
				election.resign();
				for (const socket of followers.values()) socket.destroy();
			},
		};
	}

	/** `place` identifies the socket of the leader. */
	function follow(socket: Socket, place: string | undefined): Role {
		const ownTerm = term;
		let leader: string | undefined;
		/** Ticks are counted, and not times, because the machine may have slept or this process may have been busy. */
		let silentTicks = 0;
		let ticksUntilTry = 0;
		/** How often this process has read the list itself since its leader last sent one, and with which result. */
		let ownTries = 0;
		let ownAnswers = 0;
		let ownFailure: Failure | undefined;

		const tell = (message: Message) => sendLine(socket, lineOf(message));
		/** Many followers share the limits. */
		const ticksOf = (milliseconds: number) => (milliseconds * (1 + random() / 2)) / tickMs;

		function receive(message: Message) {
			silentTicks = 0;
			setReading(false);
			if (message.type === 'beat') usedLast = message.usedLast;
			if (message.type === 'fact') receiveFact({ pane: leader, ...message.fact });
			if (message.type !== 'hello') return;
			leader = message.id ?? '';
			fold({ type: 'watchShared', leader });
		}

		function receiveFact(fact: Fact) {
			const isMeant = fact.account === account && fact.pane !== ownId;
			if (!isMeant || !isBelieved(fact, state(), clock.now())) return;
			if (fact.type === 'listRead') trustFor((fact.every ?? maxPauseMs) + patienceMs);
			if (fact.type !== 'readFailed' || fact.read !== 'list') return store.receive([fact]);
			if (ownTries === 0) ticksUntilTry = Math.min(ticksUntilTry, ticksOf(patienceMs));
			// This pane has data of its own, so the failure of the other one concerns nobody here.
			if (ownAnswers > 0) return;
			const message = `another pane cannot read: ${fact.failure.message}`;
			const failure = ownFailure ?? { ...fact.failure, message, advice: '' };
			store.receive([{ ...fact, failure }]);
		}

		/** The leader has sent a list, or has begun to lead: the next list is due after this time. */
		function trustFor(milliseconds: number) {
			ownTries = 0;
			ownAnswers = 0;
			ownFailure = undefined;
			ticksUntilTry = ticksOf(milliseconds);
		}

		/** Reads the list once, and again ever more rarely, unless the leader tells one. */
		function tryToRead() {
			ticksUntilTry = ticksOf(Math.min(maxPauseMs, retryMs * 2 ** ownTries));
			ownTries += 1;
			ownWatch.readListOnce();
		}

		/** When the old leader continues, it finds another socket, and follows. */
		function replaceLeader() {
			endRole();
			election.depose(place);
			void join();
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
		trustFor(patienceMs);
		receiveMessages(socket, 'leader', receive);
		socket.once('close', () => {
			if (ownTerm !== term) return;
			electAgain();
			// What closes every connection is no leader, so it is not asked again at once.
			if (leader === undefined) readAlone();
		});
		tell({ type: 'hello', id: ownId });
		for (const fact of ownFacts(account, state())) tell({ type: 'fact', fact });
		tellAttention(attention);

		return {
			noteOwn(fact) {
				if (isShared(fact, state(), 'follower')) tell({ type: 'fact', fact });
				if (fact.type === 'readFailed' && fact.read === 'list') {
					ownAnswers = 0;
					ownFailure = fact.failure;
				}
				if (fact.type !== 'listRead') return;
				ownAnswers += 1;
				if (ownAnswers >= enoughAnswers) replaceLeader();
			},
			setAttention(next) {
				tellAttention(next);
				ownWatch.setAttention(next);
			},
			readNow: reads => tell({ type: 'readNow', reads }),
			tick() {
				silentTicks += 1;
				ticksUntilTry -= 1;
				if (silentTicks >= maxSilentTicks && canRead) replaceLeader();
				else if (ticksUntilTry <= 0) tryToRead();
			},
			end: () => socket.destroy(),
		};
	}

	return {
		start() {
			stopListening = store.onFact(onFact);
			void join();
		},
		stop() {
			absences.clear();
			stopListening?.();
			stopListening = undefined;
			endRole();
			forgetSharing();
			isReading = false;
			ownWatch.stop();
		},
		leave(why) {
			if (!stopListening) return;
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
