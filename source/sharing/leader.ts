import type { Socket } from 'node:net';
import type { Fact } from '../fleet/fact.ts';
import { audienceByFact } from '../fleet/fact-sharing.ts';
import type { Clock } from '../foundation/clock.ts';
import { factFrom, type PreviousLists, recordedFactFrom } from '../recording/list-delta.ts';
import type { Attention, Read } from '../watch/planner-input.ts';
import type { Listener } from './election.ts';
import { createLineSocket, type LineSocket, lineOf } from './line-socket.ts';
import { type Message, maxMessageLength, messageFrom } from './messages.ts';
import { createUsedLast } from './used-last.ts';

/** The process that polls, with the processes that follow it. */
export type Leader = {
	/** Sends a fact of this process to all followers. */
	share(fact: Fact): void;
	/** Returns what the people at all followers look at. */
	attentions(): readonly Attention[];
	/** Chooses the terminal that was used last, now that a person at this process has pressed a key. */
	noteOwnAttention(attention: Attention): void;
	close(): void;
};

type LeaderOptions = {
	listener: Listener;
	pid: number;
	clock: Clock;
	/** Returns the facts from which a new follower builds what is known. */
	knownFacts: () => readonly Fact[];
	/** Receives what a follower did; `pane` of the fact is its pid. */
	onFact: (fact: Fact) => void;
	onAttentionChange: () => void;
	onReadNow: (reads: readonly Read[] | undefined) => void;
	/** Called when a person begins to use another terminal than before. */
	onUsedLast: (isThisProcess: boolean) => void;
	/** Called when a follower comes or goes. */
	onFollowers: (count: number, leftPid?: number) => void;
	/** Called when the path no longer leads to the listener: the file was deleted, or another process leads. */
	onReplaced: () => void;
};

type Follower = { line: LineSocket; pid: number | undefined; attention: Attention | undefined };

export const heartbeatMs = 1_000;

/**
 * Serves the followers. A list is sent as what changed since the list before, in the format of a recording, so that a
 * calm fleet of any size costs little. The function is over 60 lines because its parts share the followers.
 */
export function createLeader(options: LeaderOptions): Leader {
	const { listener, pid, clock, knownFacts, onFollowers } = options;
	const followers = new Set<Follower>();
	let lists: PreviousLists = new Map();
	const usage = createUsedLast(pid);
	let cancelHeartbeat = () => {};
	let isClosed = false;

	function welcome(socket: Socket) {
		const follower: Follower = { line: undefined as never, pid: undefined, attention: undefined };
		follower.line = createLineSocket({
			socket,
			maxLineLength: maxMessageLength,
			onMessage(value) {
				const message = messageFrom(value);
				if (message) receive(follower, message);
			},
			onClose() {
				followers.delete(follower);
				if (follower.pid !== undefined) shareUsedLast(usage.without(follower.pid));
				if (!isClosed) onFollowers(followers.size, follower.pid);
			},
		});
		follower.line.send({ type: 'hello', pid });
		sendKnownFacts(follower.line);
		followers.add(follower);
		onFollowers(followers.size);
	}

	function sendKnownFacts(line: LineSocket) {
		// The list is sent whole. It is the one that was shared last, so the next one is sent as what changed.
		let known: PreviousLists = new Map();
		for (const fact of knownFacts()) {
			const next = recordedFactFrom(known, fact);
			known = next.lists;
			line.sendLine(factLine(next.recordedFact));
		}
		lists = known;
		line.send({ type: 'usedLast', pid: usage.pid() });
		line.send({ type: 'ready' });
	}

	function receive(follower: Follower, message: Message) {
		switch (message.type) {
			case 'hello':
				follower.pid = message.pid;
				return;
			case 'attention': {
				const { type: _, visibleIds, ...rest } = message;
				follower.attention = { ...rest, visibleIds: new Set(visibleIds) };
				if (follower.pid !== undefined) shareUsedLast(usage.note(follower.pid, rest.attendedUntil));
				return options.onAttentionChange();
			}
			case 'readNow':
				return options.onReadNow(message.reads);
			case 'fact': {
				const fact = factFrom(new Map(), message.fact).fact;
				// A follower polls nothing that others would believe.
				if (follower.pid === undefined || audienceByFact[fact.type] !== 'panes') return;
				const withPane = { ...fact, pane: follower.pid };
				options.onFact(withPane);
				sendToAll(factLine(withPane), follower);
			}
		}
	}

	function sendToAll(line: string, except?: Follower) {
		for (const follower of followers) if (follower !== except) follower.line.sendLine(line);
	}

	function shareUsedLast(hasChanged: boolean) {
		if (!hasChanged) return;
		options.onUsedLast(usage.pid() === pid);
		sendToAll(lineOf({ type: 'usedLast', pid: usage.pid() }));
	}

	function beat() {
		cancelHeartbeat = clock.after(heartbeatMs, beat);
		sendToAll(lineOf({ type: 'heartbeat' }));
		if (!listener.isInPlace()) options.onReplaced();
	}

	listener.server.on('connection', welcome);
	beat();

	return {
		share(fact) {
			if (followers.size === 0) return;
			const { lists: next, recordedFact } = recordedFactFrom(lists, fact);
			lists = next;
			sendToAll(factLine(recordedFact));
		},
		noteOwnAttention: ({ attendedUntil }) => shareUsedLast(usage.note(pid, attendedUntil)),
		attentions: () => [...followers].flatMap(({ attention }) => attention ?? []),
		close() {
			isClosed = true;
			cancelHeartbeat();
			listener.close();
			for (const { line } of followers) line.close();
			followers.clear();
		},
	};
}

function factLine(fact: object & { pane?: number }): string {
	const { pane, ...rest } = fact;
	return lineOf({ type: 'fact', ...(pane !== undefined && { pane }), fact: rest });
}
