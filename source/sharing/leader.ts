import type { Socket } from 'node:net';
import { audienceByFact } from '../fleet/fact.ts';
import type { Attention } from '../watch/planner-input.ts';
import type { Listener } from './election.ts';
import { heartbeatMs, type Member, type Role } from './role.ts';
import { isBelieved, stateFacts } from './shared-facts.ts';
import { createLineSocket, type LineSocket, lineOf, type Message } from './socket.ts';

/** Another process: one that follows, or, without an id, a command that asks for the state once. */
type Client = { line: LineSocket; id?: string };

/** A leader whose reads fail for this long resigns if a follower can read. */
const blindAfterMs = 10_000;

/** No screen shows more computers. */
const maxVisibleIds = 1_000;

export function createLeader(member: Member, listener: Listener, attention: Attention): Role {
	const { account, store, clock, ownWatch, state, fold } = member;
	const ownId = member.election.id;
	const clients = new Set<Client>();
	/** Of all processes; the one that a person has used since the others comes last. */
	const attentions = new Map<string, Attention>();
	let usedLast = ownId;
	let failingSince: number | undefined;
	let isReadElsewhere = false;
	let isClosed = false;
	let cancelBeat = () => {};

	const followers = () => [...clients].filter(({ id }) => id !== undefined);
	const beatLine = () => lineOf({ type: 'beat', usedLast });

	function sendToFollowers(message: Message, except?: string) {
		const receivers = followers().filter(({ id }) => id !== except);
		if (receivers.length === 0) return;
		const line = lineOf(message);
		for (const receiver of receivers) receiver.line.send(line);
	}

	function welcome(socket: Socket) {
		const line = createLineSocket(socket, {
			from: 'follower',
			onMessage: message => receive(client, message),
			onEnd() {
				clients.delete(client);
				if (isClosed || client.id === undefined) return;
				attentions.delete(client.id);
				noteFollowers();
			},
		});
		const client: Client = { line };
		clients.add(client);
		line.send(lineOf({ type: 'hello', id: ownId }));
	}

	function noteFollowers() {
		fold({ type: 'watchShared', followers: followers().length || undefined });
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
		const until = Math.max(...screens.map(([, { attendedUntil }]) => attendedUntil));
		const [next = ownId] = screens.findLast(([, each]) => each.attendedUntil === until) ?? [];
		if (next === usedLast) return;
		usedLast = next;
		member.setUsedLast(usedLast);
		sendToFollowers({ type: 'beat', usedLast });
	}

	function receive(client: Client, message: Message) {
		if (message.type === 'hello') {
			if (message.id !== undefined) addFollower(client, message.id);
			for (const fact of stateFacts(account, state(), clock.now()))
				client.line.send(lineOf({ type: 'fact', fact }));
			return client.line.send(beatLine());
		}
		if (client.id !== undefined) receiveFromFollower(client.id, message);
	}

	function addFollower(client: Client, id: string) {
		// No process may speak for this one, or for another one that is connected.
		if (id === ownId || client.id !== undefined || followers().some(each => each.id === id))
			return client.line.close();
		client.id = id;
		// It tells of all its operations again.
		if ([...state().operations.values()].some(({ pane }) => pane === id))
			fold({ type: 'paneLeft', left: id });
		noteFollowers();
	}

	function receiveFromFollower(id: string, message: Message) {
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
				isReadElsewhere = true;
		}
	}

	function beat() {
		cancelBeat = clock.after(heartbeatMs, beat);
		sendToFollowers({ type: 'beat', usedLast });
		const isFailing =
			failingSince !== undefined && clock.monotonic() - failingSince >= blindAfterMs;
		// A person may have deleted the socket, and another process may listen there now.
		if (!listener.isInPlace()) member.rejoin();
		else if (isFailing && isReadElsewhere) member.resign();
	}

	listener.welcome(welcome);
	noteAttention(ownId, attention);
	cancelBeat = clock.after(heartbeatMs, beat);

	return {
		kind: 'leader',
		share: fact => sendToFollowers({ type: 'fact', fact }),
		noteOwnRead(failure) {
			if (!failure) {
				failingSince = undefined;
				isReadElsewhere = false;
			} else if (failure.kind !== 'limited') failingSince ??= clock.monotonic();
		},
		setAttention: next => noteAttention(ownId, next),
		readNow: ownWatch.readNow,
		close() {
			isClosed = true;
			cancelBeat();
			listener.close();
			for (const { line } of clients) line.close();
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
