import type { Socket } from 'node:net';
import type { Fact } from '../fleet/fact.ts';
import { audienceByFact } from '../fleet/fact-sharing.ts';
import type { Clock } from '../foundation/clock.ts';
import { factFrom, type PreviousLists, recordedFactFrom } from '../journal/list-delta.ts';
import type { Attention } from '../watch/planner-input.ts';
import type { Read } from '../watch/reads.ts';
import type { Listener } from './election.ts';
import {
	createLineSocket,
	jsonLineOf,
	type LineSocket,
	maxFollowerMessageLength,
} from './line-socket.ts';
import { type Message, messageFrom } from './messages.ts';
import { createUsedLast } from './used-last.ts';

/** The process that polls, with the processes that follow it. */
export type Leader = {
	/** Sends a fact of this process to all followers. */
	share(fact: Fact): void;
	/** Returns the attention of the people at all followers. */
	attentions(): readonly Attention[];
	/** Notes that a person has pressed a key in the terminal of this process, which thus was used last. */
	noteOwnAttention(attention: Attention): void;
	close(): void;
};

export type LeaderOptions = {
	listener: Listener;
	pid: number;
	clock: Clock;
	/** Returns the facts from which a new follower builds its state. */
	knownFacts: () => readonly Fact[];
	/**
	 * Returns the facts with the histories. Only followers get them: a command that asks once needs no history and
	 * should not wait for it.
	 */
	histories: () => readonly Fact[];
	/** Receives the facts of followers; `pane` of a fact is the follower's pid. */
	onFact: (fact: Fact) => void;
	onAttentionChange: () => void;
	onReadNow: (reads: readonly Read[] | undefined) => void;
	/** Called when a follower has read the list itself. */
	onReadElsewhere: () => void;
	/**
	 * Called when a person begins to use another terminal. The parameter says whether it is the terminal of this
	 * process.
	 */
	onUsedLast: (isThisProcess: boolean) => void;
	/** Called before a new follower receives the known facts. */
	onArrival: (pid: number) => void;
	/** Called when a follower comes or goes. */
	onFollowers: (count: number, leftPid?: number) => void;
	/**
	 * Called when the socket's path no longer leads to this process: the file was deleted, or another process leads.
	 */
	onReplaced: () => void;
};

/** A process that follows, or a command that asks once. A command sends no pid. */
type Client = { line: LineSocket; pid: number | undefined; attention: Attention | undefined };

export const heartbeatMs = 1_000;

/** No screen shows more computers. */
const maxVisibleIds = 1_000;

/**
 * Serves the followers. Of each list, only the differences from the previous list are sent, in the format of a
 * recording, so that even a large fleet costs little while nothing happens.
 */
export function createLeader(options: LeaderOptions): Leader {
	const { listener, pid, clock, knownFacts, onFollowers } = options;
	const clients = new Set<Client>();
	const followers = new Set<Client>();
	let lists: PreviousLists = new Map();
	/**
	 * The lines for new followers, kept until the next fact. After the end of a leader, many followers arrive at once
	 * and get the same lines.
	 */
	let snapshot: Snapshot | undefined;
	const usage = createUsedLast(pid);
	let cancelHeartbeat = () => {};
	let isClosed = false;

	function welcome(socket: Socket) {
		const client: Client = { line: undefined as never, pid: undefined, attention: undefined };
		client.line = createLineSocket({
			socket,
			maxLineLength: maxFollowerMessageLength,
			onMessage(value) {
				const message = messageFrom(value);
				if (message) receive(client, message);
			},
			onClose() {
				clients.delete(client);
				if (!followers.delete(client)) return;
				if (client.pid !== undefined) shareUsedLast(usage.without(client.pid));
				if (!isClosed) onFollowers(followers.size, client.pid);
			},
		});
		clients.add(client);
		client.line.send({ type: 'hello', pid });
	}

	function addFollower(client: Client, clientPid: number) {
		if (followers.has(client)) return;
		// No process may speak for this one, or for another one that is connected.
		const isTaken = [...followers].some(follower => follower.pid === clientPid);
		if (clientPid === pid || isTaken) return client.line.close();
		client.pid = clientPid;
		options.onArrival(clientPid);
		// A new follower gets the last shared list as a whole. After that, all followers have the same list, and only
		// the differences of the next list are sent.
		snapshot ??= snapshotOf([...knownFacts(), ...options.histories()]);
		lists = snapshot.lists;
		client.line.sendLine(snapshot.lines);
		client.line.send({ type: 'usedLast', pid: usage.pid() });
		client.line.send({ type: 'ready' });
		followers.add(client);
		onFollowers(followers.size);
	}

	function receive(client: Client, message: Message) {
		switch (message.type) {
			case 'hello':
				return addFollower(client, message.pid);
			case 'ask':
				client.line.sendLine(snapshotOf(knownFacts()).lines);
				return void client.line.send({ type: 'ready' });
			case 'attention': {
				if (client.pid === undefined) return;
				const { type: _, visibleIds, ...rest } = message;
				client.attention = { ...rest, visibleIds: new Set(visibleIds.slice(0, maxVisibleIds)) };
				shareUsedLast(usage.note(client.pid, rest.attendedUntil));
				return options.onAttentionChange();
			}
			case 'readNow':
				return options.onReadNow(message.reads);
			case 'readAnswered':
				return options.onReadElsewhere();
			case 'fact': {
				const fact = factFrom(new Map(), message.fact).fact;
				// Only the leader shares answers of the platform, so other facts of a follower are ignored.
				if (client.pid === undefined || audienceByFact[fact.type] !== 'panes') return;
				const withPane = { ...fact, pane: client.pid };
				options.onFact(withPane);
				snapshot = undefined;
				sendToAll(factLine(withPane), client);
			}
		}
	}

	function sendToAll(line: string, except?: Client) {
		for (const follower of followers) if (follower !== except) follower.line.sendLine(line);
	}

	function shareUsedLast(hasChanged: boolean) {
		if (!hasChanged) return;
		options.onUsedLast(usage.pid() === pid);
		sendToAll(jsonLineOf({ type: 'usedLast', pid: usage.pid() }));
	}

	function beat() {
		cancelHeartbeat = clock.after(heartbeatMs, beat);
		// The lines are long, and a few facts that they contain are shared in no other way.
		snapshot = undefined;
		sendToAll(jsonLineOf({ type: 'heartbeat' }));
		if (!listener.isInPlace()) options.onReplaced();
	}

	listener.server.on('connection', welcome);
	beat();

	return {
		share(fact) {
			snapshot = undefined;
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
			for (const { line } of clients) line.close();
			followers.clear();
		},
	};
}

type Snapshot = { lines: string; lists: PreviousLists };

/** Returns the lines for a process that has no facts yet, and the lists that the process has after them. */
function snapshotOf(facts: readonly Fact[]): Snapshot {
	let lists: PreviousLists = new Map();
	const lines = facts.map(fact => {
		const next = recordedFactFrom(lists, fact);
		lists = next.lists;
		return factLine(next.recordedFact);
	});
	return { lines: lines.join(''), lists };
}

function factLine(fact: object & { pane?: number }): string {
	const { pane, ...rest } = fact;
	return jsonLineOf({ type: 'fact', ...(pane !== undefined && { pane }), fact: rest });
}
