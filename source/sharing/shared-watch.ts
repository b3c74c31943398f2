import type { Socket } from 'node:net';
import { audienceByFact, type Fact, type FactBody } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import type { Recorder } from '../journal/journal.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Attention } from '../watch/plan.ts';
import type { OwnWatch, Watch } from '../watch/watch.ts';
import type { Election, ElectionResult, Link } from './election.ts';
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

/** A leader that says nothing for so long may be stopped or overloaded. */
const silentAfterTicks = 3;

const replacedAfterTicks = 10;

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

const ofOtherText = 'another pane cannot read: ';

/**
 * Reads, or receives what another process reads. The process that listens on the socket of the account leads:
 *
 * ```
 *   alone      reads; enters the election every two seconds
 *   leader     reads, and shares it       ─ it ends, is suspended, signed out or refused, or its socket is gone ─▶ election
 *   follower   receives                   ─ the leader ends, or tells no list while this process reads some ────▶ election
 *    of a silent leader                   ─ after 2 s, one follower reads; after 10 s, it replaces the leader ──▶ election
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
	/** Grows with each election and each end of a role, so that the result of an earlier election is ignored. */
	let term = 0;
	/** Of the next tick of a role, or of the next election. */
	let cancelTimer = () => {};
	let stopListening: (() => void) | undefined;

	const state = (): AccountState => store.getState().accounts.get(account) ?? emptyAccount;
	const fold = (body: FactBody) => store.receive([{ account, at: clock.now(), ...body }]);

	async function join(replaces?: string) {
		cancelTimer();
		term += 1;
		const joined = term;
		const result = await election.elect(canRead, replaces);
		if (joined !== term) return discard(result);
		recorder.setState(result.role === 'leader' || (result.role === 'alone' && result.records));
		if (result.role === 'alone') return readAlone();
		if (result.role === 'leader') {
			forgetSharing();
			setReading(true);
			role = lead(result);
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

	function lead({ link, serve }: Extract<ElectionResult, { role: 'leader' }>): Role {
		const followers = new Map<string, Socket>();
		/** Of all processes; the one that a person has used since the others comes last. */
		const attentions = new Map<string, Attention>();
		let hasEnded = false;

		function tellFollowers(message: Message, except?: string) {
			if (followers.size === 0) return;
			const line = lineOf(message);
			for (const [id, socket] of followers) if (id !== except) sendLine(socket, line);
		}

		function welcome(socket: Socket) {
			let id: string | undefined;
			socket.once('close', () => {
				if (hasEnded || id === undefined) return;
				followers.delete(id);
				attentions.delete(id);
				noteFollowers();
			});
			receiveMessages(socket, 'follower', message => {
				if (hasEnded) return void socket.destroy();
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

		serve(welcome);
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
				if (link.isInPlace()) return;
				// A person has deleted the socket, or a process that can read has replaced it.
				if (state().reads.list?.failing) canRead = false;
				electAgain();
			},
			end() {
				hasEnded = true;
				link.remove();
				for (const socket of followers.values()) socket.destroy();
			},
		};
	}

	/** `place` identifies the socket of the leader. */
	function follow(socket: Socket, place: string | undefined): Role {
		let leader: string | undefined;
		/** Ticks are counted, and not times, because the machine may have slept or this process may have been busy. */
		let silentTicks = 0;
		let ticksUntilTry = 0;
		/** How often this process has read the list itself since its leader last sent one, and how often with success. */
		let ownTries = 0;
		let ownAnswers = 0;
		/** Held by the one follower of a silent leader that reads. */
		let lock: Link | undefined;
		let hasEnded = false;

		const isSilent = () => silentTicks >= silentAfterTicks;
		const tell = (message: Message) => sendLine(socket, lineOf(message));
		/** Many followers share the limits. */
		const ticksOf = (milliseconds: number) => (milliseconds * (1 + random() / 2)) / tickMs;

		function receive(message: Message) {
			silentTicks = 0;
			lock?.remove();
			lock = undefined;
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
			if (ownAnswers === 0) store.receive([{ ...fact, failure: failureOfOther(fact.failure) }]);
		}

		/** Says that another process cannot read: what helps there may be done here already. */
		function failureOfOther(failure: Failure): Failure {
			const own = state().reads.list?.failing?.failure;
			if (own?.kind === failure.kind && !own.message.startsWith(ofOtherText)) return failure;
			return { ...failure, message: `${ofOtherText}${failure.message}`, advice: '' };
		}

		/** The leader has sent a list, or has begun to lead: the next list is due after this time. */
		function trustFor(milliseconds: number) {
			ownTries = 0;
			ownAnswers = 0;
			ticksUntilTry = ticksOf(milliseconds);
		}

		/** Reads the list once, and again ever more rarely, unless the leader tells one. */
		function tryToRead() {
			ticksUntilTry = ticksOf(Math.min(maxPauseMs, retryMs * 2 ** ownTries));
			ownTries += 1;
			if (!isSilent()) ownWatch.readListOnce();
		}

		/** When the old leader continues, it finds another socket, and follows. */
		function replaceLeader() {
			endRole();
			void join(place);
		}

		/** One of the followers of a silent leader reads; the others look with each tick whether it still runs. */
		async function standIn() {
			const taken = lock ?? (await election.takeLock().catch(() => undefined));
			if (hasEnded || !isSilent()) return taken?.remove();
			if (!taken) return;
			lock = taken;
			setReading(true);
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
			if (hasEnded) return;
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
				if (fact.type === 'readFailed' && fact.read === 'list') ownAnswers = 0;
				if (fact.type !== 'listRead' || isSilent()) return;
				ownAnswers += 1;
				if (ownAnswers >= enoughAnswers) replaceLeader();
			},
			setAttention(next) {
				tellAttention(next);
				ownWatch.setAttention(next);
			},
			readNow(reads) {
				tell({ type: 'readNow', reads });
				if (lock) ownWatch.readNow(reads);
			},
			tick() {
				silentTicks += 1;
				ticksUntilTry -= 1;
				if (ticksUntilTry <= 0) tryToRead();
				if (!isSilent()) return;
				const isReplaced = silentTicks >= replacedAfterTicks;
				if (isReplaced && canRead) replaceLeader();
				else if (isReplaced || canRead) void standIn();
			},
			end() {
				hasEnded = true;
				lock?.remove();
				socket.destroy();
			},
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

function discard(result: ElectionResult): void {
	if (result.role === 'leader') result.link.remove();
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
