import type { Socket } from 'node:net';
import type { Fact, FactBody } from '../fleet/fact.ts';
import { audienceByFact } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import type { AccountState } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Attention } from '../watch/plan.ts';
import type { Read } from '../watch/reads.ts';
import type { OwnWatch } from '../watch/watch.ts';
import type { Election, Listener, Release } from './election.ts';
import { type Audience, isBelieved, ownFacts, stateFacts } from './shared-facts.ts';
import { createLineSocket, type LineSocket, lineOf, type Message } from './socket.ts';

/** A process that takes part in the shared watch, as its role sees it. */
export type Member = {
	account: string;
	store: Store;
	clock: Clock;
	random: () => number;
	election: Election;
	/** Reads for this process, and for others while this process leads. */
	ownWatch: OwnWatch;
	/** Whether a person looks at this process, so that its view decides what is read, and its terminal may ring. */
	hasScreen: boolean;
	state(): AccountState;
	fold(body: FactBody): void;
	/** Whether the platform accepts the credentials of this process, so that it can lead. */
	canRead(): boolean;
	setReading(isReading: boolean): void;
	/** Ends the role for another election, in which this process leads only if its reads work again. */
	resign(): void;
	rejoin(): void;
	/** Takes the place of a leader that does not answer. */
	replaceLeader(place: string | undefined): void;
	/** The leader has closed the connection. */
	loseLeader(followedForMs: number): void;
};

export type Role = {
	kind: 'leader' | 'follower';
	/** Only the terminal of the process that a person used last rings. */
	usedLast(): string;
	/** A fact of this process; without an audience, others do not learn of it. */
	noteOwn(fact: Fact, audience: Audience | undefined): void;
	setAttention(attention: Attention): void;
	readNow(reads: readonly Read[] | undefined): void;
	close(): void;
};

export const heartbeatMs = 1_000;

/** A leader whose reads fail for this long resigns if a follower can read. */
const blindAfterMs = 10_000;

/** No screen shows more computers. */
const maxVisibleIds = 1_000;

export function createLeader(member: Member, listener: Listener, attention: Attention): Role {
	const { account, store, clock, ownWatch, state, fold } = member;
	const ownId = member.election.id;
	/** Also those of commands, which only ask for the state. */
	const lines = new Set<LineSocket>();
	const followers = new Map<string, LineSocket>();
	/** Of all processes; the one that a person has used since the others comes last. */
	const attentions = new Map<string, Attention>();
	let usedLast = ownId;
	/** When a follower last told that it had read the list itself. */
	let readElsewhereAt = Number.NEGATIVE_INFINITY;
	let isClosed = false;
	let cancelBeat = () => {};

	function sendToFollowers(message: Message, except?: string) {
		if (followers.size === 0) return;
		const line = lineOf(message);
		for (const [id, follower] of followers) if (id !== except) follower.send(line);
	}

	function welcome(socket: Socket) {
		let id: string | undefined;
		const line = createLineSocket(socket, {
			from: 'follower',
			onMessage(message) {
				if (message.type !== 'hello') {
					if (id !== undefined) receive(id, message);
					return;
				}
				// No process may speak for this one, or for another one that is connected.
				if (message.id === ownId || id !== undefined || followers.has(message.id ?? ''))
					return void socket.destroy();
				id = message.id;
				if (id !== undefined) addFollower(id, line);
				for (const fact of stateFacts(account, state(), clock.now()))
					line.send(lineOf({ type: 'fact', fact }));
				line.send(lineOf({ type: 'beat', usedLast }));
			},
			onEnd() {
				lines.delete(line);
				if (isClosed || id === undefined) return;
				followers.delete(id);
				attentions.delete(id);
				noteFollowers();
			},
		});
		lines.add(line);
		line.send(lineOf({ type: 'hello', id: ownId }));
	}

	function addFollower(id: string, line: LineSocket) {
		followers.set(id, line);
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
		const screens = [...attentions].filter(([id]) => id !== ownId || member.hasScreen);
		screens.sort(([, a], [, b]) => a.attendedUntil - b.attendedUntil);
		const [next = ownId] = screens.at(-1) ?? [];
		if (next === usedLast) return;
		usedLast = next;
		sendToFollowers({ type: 'beat', usedLast });
	}

	function receive(id: string, message: Message) {
		switch (message.type) {
			case 'fact': {
				const fact = { ...message.fact, pane: id };
				const isShared = fact.account === account && audienceByFact[fact.type] === 'panes';
				if (!isShared || !isBelieved(fact, state(), clock.now())) return;
				store.receive([fact]);
				sendToFollowers({ type: 'fact', fact }, id);
				return ownWatch.wake();
			}
			case 'attention': {
				const visibleIds = new Set(message.visibleIds.slice(0, maxVisibleIds));
				return noteAttention(id, { ...message, visibleIds });
			}
			case 'readNow':
				return ownWatch.readNow(message.reads);
			case 'readAnswered':
				readElsewhereAt = clock.now();
		}
	}

	function beat() {
		cancelBeat = clock.after(heartbeatMs, beat);
		sendToFollowers({ type: 'beat', usedLast });
		// A person may have deleted the socket, and another process may listen there now.
		if (!listener.isInPlace()) member.rejoin();
		else if (isBlind()) member.resign();
	}

	function isBlind() {
		const { failure, firstFailedAt = 0 } = state().reads.list?.failing ?? {};
		if (!failure || failure.kind === 'limited') return false;
		return clock.now() - firstFailedAt >= blindAfterMs && readElsewhereAt >= firstFailedAt;
	}

	listener.welcome(welcome);
	noteAttention(ownId, attention);
	cancelBeat = clock.after(heartbeatMs, beat);

	return {
		kind: 'leader',
		usedLast: () => usedLast,
		noteOwn(fact, audience) {
			if (audience) sendToFollowers({ type: 'fact', fact });
		},
		setAttention: next => noteAttention(ownId, next),
		readNow: ownWatch.readNow,
		close() {
			isClosed = true;
			cancelBeat();
			listener.close();
			for (const line of lines) line.close();
		},
	};
}

/** The visible rows of all processes, and the details in the one that was used last. */
function joinedAttention(attentions: readonly Attention[]): Attention {
	const opened = attentions
		.filter(({ detailId }) => detailId !== undefined)
		.toSorted((a, b) => b.attendedUntil - a.attendedUntil)[0];
	return {
		visibleIds: new Set(attentions.flatMap(({ visibleIds }) => [...visibleIds])),
		attendedUntil: Math.max(...attentions.map(({ attendedUntil }) => attendedUntil)),
		detailId: opened?.detailId,
		restingSince: opened?.restingSince,
	};
}

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

/** `place` identifies the socket of the leader. */
export function createFollower(
	member: Member,
	{ socket, place }: { socket: Socket; place: string | undefined },
	attention: Attention,
): Role {
	const { account, store, clock, election, ownWatch, state, fold, setReading } = member;
	const followsSince = clock.monotonic();
	let leader = '';
	let usedLast = election.id;
	/** Ticks are counted, and not times, because the machine may have slept or this process may have been busy. */
	let silentTicks = 0;
	/** Held by the one follower of a silent leader that reads. */
	let lock: Release | undefined;
	/** How often this process has read the list itself since its leader last told it, and how often with success. */
	let ownTries = 0;
	let ownAnswers = 0;
	let isLeaderFailing = false;
	let isClosed = false;
	let cancelOwnTry = () => {};

	const isSilent = () => silentTicks * tickMs > silenceMs;
	const send = (message: Message) => line.send(lineOf(message));

	const line = createLineSocket(socket, {
		from: 'leader',
		onMessage(message) {
			if (isSilent()) stopStandingIn();
			silentTicks = 0;
			receive(message);
		},
		onEnd: () => member.loseLeader(clock.monotonic() - followsSince),
	});

	function receive(message: Message) {
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
		cancelOwnTry = clock.after(milliseconds * (1 + member.random() / 2), () => {
			ownTries += 1;
			tryAfter(Math.min(maxPauseMs, patienceMs * 2 ** ownTries));
			if (!isSilent()) ownWatch.readListOnce();
		});
	}

	function tick() {
		cancelTick = clock.after(tickMs, tick);
		silentTicks += 1;
		if (!isSilent() || !member.canRead()) return;
		if (silentTicks * tickMs >= replacedAfterMs) member.replaceLeader(place);
		else void standIn();
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

	function sendAttention({ visibleIds, attendedUntil, ...rest }: Attention) {
		if (!member.hasScreen) return;
		const until = Math.min(Math.max(attendedUntil, -largestTime), largestTime);
		send({ type: 'attention', ...rest, visibleIds: [...visibleIds], attendedUntil: until });
	}

	// The new leader tells of the operations of all panes that go on.
	const others = new Set([...state().operations.values()].flatMap(({ pane }) => pane ?? []));
	for (const left of others) fold({ type: 'paneLeft', left });
	let cancelTick = clock.after(tickMs, tick);
	trustFor(patienceMs);
	send({ type: 'hello', id: election.id });
	for (const fact of ownFacts(account, state())) send({ type: 'fact', fact });
	sendAttention(attention);

	return {
		kind: 'follower',
		usedLast: () => usedLast,
		noteOwn(fact, audience) {
			if (audience === 'panes') send({ type: 'fact', fact });
			if (fact.type === 'readFailed' && fact.read === 'list') ownAnswers = 0;
			if (fact.type !== 'listRead' || isSilent()) return;
			ownAnswers += 1;
			send({ type: 'readAnswered' });
			if (ownAnswers >= uselessAfter) member.replaceLeader(place);
		},
		setAttention(next) {
			sendAttention(next);
			ownWatch.setAttention(next);
		},
		readNow(reads) {
			send({ type: 'readNow', reads });
			if (lock) ownWatch.readNow(reads);
		},
		close() {
			isClosed = true;
			cancelTick();
			cancelOwnTry();
			lock?.();
			line.close();
		},
	};
}
