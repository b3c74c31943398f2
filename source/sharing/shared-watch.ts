import type { Socket } from 'node:net';
import type { Fact, FactBody } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Recorder } from '../journal/journal.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Attention } from '../watch/plan.ts';
import type { OwnWatch, Watch } from '../watch/watch.ts';
import type { Election } from './election.ts';
import { isBelieved, isShared, isSignInRefused, ownFacts, stateFacts } from './shared-facts.ts';
import { isListening, type Message, receiveMessages, send } from './socket.ts';

export type SharedWatch = Watch & {
	/** Lets another process lead, because this one may be stopped now. If it goes on, it enters the election two seconds later. */
	resign(): void;
	/** Reads apart from the others until it has read a list. */
	signOut(): void;
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
	/** Until a person looks at any process. */
	initialAttention: Attention;
};

/** No event tells a process that reads alone that the reason for it is over. */
const aloneRetryMs = 2_000;

/** Ticks are counted, and not times, because the machine may have slept or this process may have been busy. */
const tickMs = 1_000;

/** A leader beats with each tick. One that says nothing for so long is stopped or overloaded. */
const maxSilentTicks = 5;

/** A list may be this much later than the leader has announced, and its reads may fail for so long. */
const patienceMs = 5_000;

type Leader = {
	socket: Socket;
	/** The name of its link. */
	place: string;
	id?: string;
	silentTicks: number;
	ticksUntilLate: number;
};

/**
 * Reads, or receives what another process reads. The process that listens on the socket of the account leads:
 *
 * ```
 *   alone      reads; enters the election every two seconds
 *   leader     reads, and shares it ─ it ends, is suspended, signed out or refused, or its socket is gone ─▶ election
 *   follower   receives ─ the leader ends ────────────────────────────────────────────────────────────────▶ election
 *                       ─ the leader is silent, or its list is late and this process reads one ─▶ replaces it
 *
 *   election ─▶ leader, follower, or alone where no socket can be made
 * ```
 */
export function createSharedWatch(options: SharedWatchOptions): SharedWatch {
	const { account, store, clock, random, election, recorder, ownWatch } = options;
	const ownId = election.id;
	let isLeading = false;
	let leader: Leader | undefined;
	const followers = new Map<string, Socket>();
	/** Of the processes with a screen that this one knows. */
	const attentions = new Map<string, Attention>();
	/** Only the terminal of the process that a person used last rings. */
	let usedLast = ownId;
	let isReading = false;
	/** Whether the platform accepts the credentials of this process and answers it, so that it can lead. */
	let canRead = true;
	let isSignedOut = false;
	/** Grows with each election and each end of a role. */
	let term = 0;
	let cancelTimer = () => {};
	let stopListening: (() => void) | undefined;

	const state = (): AccountState => store.getState().accounts.get(account) ?? emptyAccount;
	const fold = (body: FactBody) => store.receive([{ account, at: clock.now(), ...body }]);

	/** A leader at the place `replaced` does not do its work. */
	async function join(replaced?: string) {
		endRole();
		const joined = term;
		const result = await election.elect(canRead, replaced);
		if (joined !== term) {
			if (result.role === 'leader') election.resign();
			if (result.role === 'follower') result.socket.destroy();
			return;
		}
		if (result.role === 'alone') return readAlone(result.records);
		recorder.setState(result.role === 'leader');
		if (result.role === 'leader') lead();
		else follow(result.socket, result.place);
		cancelTimer = clock.after(tickMs, tick);
	}

	function tick() {
		cancelTimer = clock.after(tickMs, tick);
		if (leader) checkLeader(leader);
		else if (election.isInPlace()) tell(beat());
		// A person has deleted the socket, or a process that can read has replaced it, and records.
		else {
			recorder.setState(false);
			void join();
		}
	}

	/** The other processes notice at once. */
	function endRole() {
		term += 1;
		cancelTimer();
		if (isLeading) election.resign();
		const sockets = leader ? [leader.socket] : [...followers.values()];
		isLeading = false;
		leader = undefined;
		for (const id of followers.keys()) attentions.delete(id);
		followers.clear();
		noteAttentions();
		for (const socket of sockets) socket.destroy();
		if (state().sharedWatch) fold({ type: 'watchShared' });
	}

	function readAlone(records = false) {
		endRole();
		recorder.setState(records);
		setReading(true);
		if (!isSignedOut) cancelTimer = clock.after(aloneRetryMs, () => void join());
	}

	function setReading(next: boolean) {
		if (next && !isReading) ownWatch.start();
		if (!next) ownWatch.pause();
		isReading = next;
	}

	function onFact(fact: Fact) {
		if (fact.account !== account || fact.pane !== undefined) return;
		if (isShared(fact, state(), leader ? 'follower' : 'leader')) tell({ type: 'fact', fact });
		if (fact.type === 'listRead') {
			canRead = true;
			// Otherwise, it was requested before this process followed.
			const isLeaderLate = leader && leader.ticksUntilLate <= 0;
			if (isSignedOut || isLeaderLate) void join(leader?.place);
			isSignedOut = false;
		}
		if (!isSignInRefused(fact)) return;
		// Another process may have better credentials. This one leads again once it has read a list.
		canRead = false;
		if (isLeading) readAlone();
	}

	/** A leader tells its followers, and a follower its leader. */
	function tell(message: Message, except?: string) {
		if (leader) return send([leader.socket], message);
		send(
			[...followers].flatMap(([id, socket]) => (id === except ? [] : socket)),
			message,
		);
	}

	// What a leader does

	function lead() {
		isLeading = true;
		setReading(true);
		election.serve(welcome);
	}

	function welcome(socket: Socket) {
		let id: string | undefined;
		socket.once('close', () => {
			if (id === undefined || followers.get(id) !== socket) return;
			followers.delete(id);
			attentions.delete(id);
			noteFollowers();
		});
		receiveMessages(socket, 'follower', message => {
			if (message.type === 'hello') {
				// No process may speak for this one, or for another one that is connected.
				const isFree = message.id !== ownId && !followers.has(message.id);
				if (id !== undefined || !isFree || !isLeading) return void socket.destroy();
				id = message.id;
				addFollower(id, socket);
			} else if (id !== undefined) receiveFromFollower(id, message);
		});
		send([socket], { type: 'hello', id: ownId });
	}

	function addFollower(id: string, socket: Socket) {
		// It tells of all its operations again.
		fold({ type: 'paneLeft', left: id });
		for (const fact of stateFacts(account, state(), clock.now()))
			send([socket], { type: 'fact', fact });
		send([socket], beat());
		followers.set(id, socket);
		noteFollowers();
	}

	function beat(): Message {
		const isOpen = [...attentions.values()].some(({ isReadOnly = false }) => !isReadOnly);
		const screen = isOpen ? 'open' : attentions.size > 0 ? 'readOnly' : undefined;
		return { type: 'beat', usedLast, screen };
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
		const all = byUse.length > 0 ? byUse.map(([, each]) => each) : [options.initialAttention];
		const opened = all.findLast(({ detailId }) => detailId !== undefined);
		ownWatch.setAttention({
			visibleIds: [...new Set(all.flatMap(({ visibleIds }) => visibleIds))],
			views: [...new Set(all.flatMap(({ views }) => views))],
			attendedUntil: Math.max(...all.map(({ attendedUntil }) => attendedUntil)),
			detailId: opened?.detailId,
			restingSince: opened?.restingSince,
		});
		if (!leader) [usedLast] = byUse.at(-1) ?? [ownId];
	}

	function receiveFromFollower(id: string, message: Message) {
		if (message.type === 'readNow') ownWatch.readNow(message.reads);
		if (message.type === 'attention') noteAttention(id, message);
		if (message.type !== 'fact') return;
		const fact = { ...message.fact, pane: id };
		if (fact.account !== account || !isBelieved(fact, 'follower', state(), clock.now())) return;
		store.receive([fact]);
		tell({ type: 'fact', fact }, id);
		ownWatch.wake();
	}

	// What a follower does

	function follow(socket: Socket, place: string) {
		const followed: Leader = { socket, place, silentTicks: 0, ticksUntilLate: ticksOf(patienceMs) };
		leader = followed;
		// The leader tells of the operations of all panes that go on.
		const panes = [...state().operations.values()].flatMap(({ pane }) => pane ?? []);
		for (const left of new Set(panes)) fold({ type: 'paneLeft', left });
		receiveMessages(socket, 'leader', message => receiveFromLeader(followed, message));
		socket.once('close', () => {
			if (leader !== followed) return;
			// What closes every connection is no leader, so it is not asked again at once.
			if (followed.id === undefined) readAlone();
			else void join();
		});
		tell({ type: 'hello', id: ownId });
		for (const fact of ownFacts(account, state())) tell({ type: 'fact', fact });
		tellAttention();
	}

	/** Many followers share the limits. */
	function ticksOf(milliseconds: number) {
		return (milliseconds * (1 + random() / 2)) / tickMs;
	}

	function receiveFromLeader(from: Leader, message: Message) {
		from.silentTicks = 0;
		if (message.type === 'beat') usedLast = message.usedLast;
		if (message.type === 'hello') {
			from.id = message.id;
			setReading(false);
			fold({ type: 'watchShared', leader: from.id });
		}
		if (message.type !== 'fact') return;
		const fact: Fact = { pane: from.id, ...message.fact };
		const isMeant = fact.account === account && fact.pane !== ownId;
		if (!isMeant || !isBelieved(fact, 'leader', state(), clock.now())) return;
		if (fact.type === 'listRead') {
			from.ticksUntilLate = ticksOf((fact.every ?? 0) + patienceMs);
			setReading(false);
		}
		if (fact.type !== 'readFailed' || fact.read !== 'list') return store.receive([fact]);
		from.ticksUntilLate = Math.min(from.ticksUntilLate, ticksOf(patienceMs));
		const text = `another pane cannot read: ${fact.failure.message}`;
		const failure = { ...fact.failure, message: text, advice: '' };
		if (from.ticksUntilLate > 0) store.receive([{ ...fact, failure }]);
	}

	function tellAttention() {
		const own = attentions.get(ownId);
		if (own) tell({ type: 'attention', ...own });
	}

	/** When a leader that was silent continues, it finds another socket, and follows. */
	function checkLeader(followed: Leader) {
		followed.silentTicks += 1;
		if (followed.silentTicks >= maxSilentTicks && canRead) return void join(followed.place);
		const { reads, standings } = state();
		const { nextReadAt = 0, frozenUntil = 0 } = standings?.other ?? {};
		const now = clock.now();
		// The limits let no process read.
		if (Math.max(nextReadAt, frozenUntil) > now) return;
		const wasLate = followed.ticksUntilLate <= 0;
		followed.ticksUntilLate -= 1;
		if (followed.ticksUntilLate > 0) return;
		const { nextAt = now } = reads.list?.failing ?? {};
		if (!wasLate || nextAt <= now) ownWatch.tryList();
	}

	return {
		start() {
			stopListening = store.onFact(onFact);
			void join();
		},
		stop() {
			stopListening?.();
			stopListening = undefined;
			isSignedOut = false;
			endRole();
			recorder.setState(false);
			isReading = false;
			ownWatch.stop();
		},
		resign() {
			if (!stopListening || isSignedOut) return;
			endRole();
			recorder.setState(false);
			setReading(false);
			cancelTimer = clock.after(aloneRetryMs, () => void join());
		},
		signOut() {
			isSignedOut = true;
			// The next read fails at once, and says that it is signed out.
			setReading(false);
			readAlone();
		},
		setAttention(next) {
			noteAttention(ownId, next);
			if (leader) tellAttention();
		},
		readNow(reads) {
			if (leader) tell({ type: 'readNow', reads });
			else ownWatch.readNow(reads);
		},
		isUsedLast: () => usedLast === ownId,
		wake: ownWatch.wake,
		retryAfterSignIn: ownWatch.retryAfterSignIn,
	};
}

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
		cancelLook = clock.after(aloneRetryMs, () => void look());
	}

	void look();
}
