import type { Socket } from 'node:net';
import type { Fact } from '../fleet/fact.ts';
import { audienceByFact } from '../fleet/fact-sharing.ts';
import type { Clock } from '../foundation/clock.ts';
import { factFrom, type PreviousLists } from '../journal/list-delta.ts';
import type { Attention } from '../watch/planner-input.ts';
import type { Read } from '../watch/reads.ts';
import { heartbeatMs } from './leader.ts';
import { createLineSocket, jsonLineOf, maxMessageLength } from './line-socket.ts';
import { type Message, messageFrom } from './messages.ts';

/** A process that receives everything that a leader reads. */
export type Follower = {
	/** Sends a fact about an operation of this process to all other processes. */
	share(fact: Fact): void;
	setAttention(attention: Attention): void;
	readNow(reads?: readonly Read[]): void;
	/** Tells the leader that a read of this process was answered. */
	reportReadAnswered(): void;
	close(): void;
};

type FollowerOptions = {
	socket: Socket;
	pid: number;
	clock: Clock;
	/** Receives the facts of other processes, each with the pid of its process. */
	onFact: (fact: Fact) => void;
	/**
	 * Called when a person begins to use another terminal. The parameter says whether it is the terminal of this
	 * process.
	 */
	onUsedLast: (isThisProcess: boolean) => void;
	/** Called with the pid of the leader, which the leader's first message contains. */
	onLeader: (pid: number) => void;
	/** Called when the leader has been silent for two seconds, and when it speaks again. */
	onSilence: (isSilent: boolean) => void;
	onEnd: () => void;
};

/** A leader that says nothing for this long may be stopped or overloaded. */
export const silenceMs = 2 * heartbeatMs;

const readingMs = 20;

/** The largest time of a `Date`, in milliseconds. */
const largestTime = 8.64e15;

/** Follows the leader at the other end of a connection. */
export function createFollower(options: FollowerOptions): Follower {
	const { socket, pid, clock, onFact, onLeader, onSilence, onEnd } = options;
	let lists: PreviousLists = new Map();
	let leaderPid = 0;
	let isSilent = false;
	let heardAt = clock.now();
	let checkedAt = heardAt;
	let cancelWatch = () => {};

	const line = createLineSocket({
		socket,
		maxLineLength: maxMessageLength,
		onMessage(value) {
			heardAt = clock.now();
			if (isSilent) setSilent(false);
			const message = messageFrom(value);
			if (message) receive(message);
		},
		onClose() {
			cancelWatch();
			onEnd();
		},
	});

	function setSilent(next: boolean) {
		isSilent = next;
		onSilence(next);
	}

	function receive(message: Message) {
		if (message.type === 'hello') {
			leaderPid = message.pid;
			return onLeader(leaderPid);
		}
		if (message.type === 'usedLast') return options.onUsedLast(message.pid === pid);
		if (message.type !== 'fact') return;
		const { lists: next, fact } = factFrom(lists, message.fact);
		lists = next;
		if (audienceByFact[fact.type] === 'none') return;
		onFact({ ...fact, pane: message.pane ?? leaderPid });
	}

	/** If this process was busy until now, the leader may have spoken without being read. */
	function confirmSilence() {
		if (hasBeenQuiet()) setSilent(true);
		watchLeader();
	}

	const hasBeenQuiet = () => clock.now() - heardAt >= silenceMs;

	function watchLeader() {
		const now = clock.now();
		const passed = now - checkedAt;
		checkedAt = now;
		// The machine was asleep, or the clock was set. The leader gets as long as always to be heard.
		if (passed < 0 || passed >= silenceMs) heardAt = now;
		const mayBeSilent = !isSilent && hasBeenQuiet();
		cancelWatch = mayBeSilent
			? clock.after(readingMs, confirmSilence)
			: clock.after(silenceMs / 2, watchLeader);
	}

	watchLeader();
	line.send({ type: 'hello', pid });

	return {
		share(fact) {
			line.sendLine(jsonLineOf({ type: 'fact', fact }));
		},
		setAttention({ visibleIds, attendedUntil, ...rest }) {
			// The time may be `Infinity`, if the terminal reports its focus. JSON cannot express that, so the largest
			// time is sent.
			const until = Math.min(Math.max(attendedUntil, -largestTime), largestTime);
			const attention = { visibleIds: [...visibleIds], attendedUntil: until, ...rest };
			line.send({ type: 'attention', ...attention });
		},
		readNow: reads => void line.send({ type: 'readNow', ...(reads && { reads }) }),
		reportReadAnswered: () => void line.send({ type: 'readAnswered' }),
		close() {
			cancelWatch();
			line.close();
		},
	};
}
