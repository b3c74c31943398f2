import type { Socket } from 'node:net';
import type { Fact } from '../fleet/fact.ts';
import type { Failure } from '../foundation/failure.ts';
import type { Attention } from '../watch/planner-input.ts';
import type { Release } from './election.ts';
import { heartbeatMs, type Member, type Role } from './role.ts';
import { isBelieved, ownFacts } from './shared-facts.ts';
import { createLineSocket, lineOf, type Message } from './socket.ts';

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
