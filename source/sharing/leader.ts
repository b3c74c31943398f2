import type { Socket } from 'node:net';
import type { Fact, FactBody } from '../fleet/fact.ts';
import { audienceByFact } from '../fleet/fact-sharing.ts';
import type { Clock } from '../foundation/clock.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Attention } from '../watch/planner-input.ts';
import type { Watch } from '../watch/watch.ts';
import type { Listener } from './election.ts';
import { isBelieved, stateFacts } from './shared-facts.ts';
import { createLineSocket, type LineSocket, lineOf, type Message } from './socket.ts';

export type Leader = {
	share(fact: Fact): void;
	setAttention(attention: Attention): void;
	close(): void;
};

type LeaderOptions = {
	account: string;
	store: Store;
	clock: Clock;
	listener: Listener;
	id: string;
	watch: Pick<Watch, 'setAttention' | 'readNow' | 'wake'>;
	attention: Attention;
	/** Whether a person looks at this process, so that its terminal may ring. */
	hasScreen: boolean;
	onUsedLast: (isThisProcess: boolean) => void;
	/** Called when a follower has read the list itself. */
	onReadElsewhere: () => void;
	/** Called when the path no longer leads to this process: the file was deleted, or another process leads. */
	onReplaced: () => void;
};

/** Another process: one that follows, or, without an id, a command that asks for the state once. */
type Client = { line: LineSocket; id?: string; attention?: Attention };

export const heartbeatMs = 1_000;

/** No screen shows more computers. */
const maxVisibleIds = 1_000;

export function createLeader(options: LeaderOptions): Leader {
	const { account, store, clock, listener, id: ownId, watch } = options;
	const clients = new Set<Client>();
	/** Until when a person uses each terminal; the terminal that told it last comes last. */
	const usedUntil = new Map<string, number>();
	let { attention } = options;
	let usedLast = ownId;
	/** The state as lines, until the next fact: all followers of a leader that has ended arrive at once. */
	let stateLines: string | undefined;
	let cancelBeat = () => {};
	let isClosed = false;

	const state = (): AccountState => store.getState().accounts.get(account) ?? emptyAccount;
	const followers = () => [...clients].filter(({ id }) => id !== undefined);
	const fold = (body: FactBody) => store.receive([{ account, at: clock.now(), ...body }]);
	const beatLine = () => lineOf({ type: 'beat', usedLast });

	function sendToAll(line: string, except?: string) {
		for (const { id, line: follower } of followers()) if (id !== except) follower.send(line);
	}

	function welcome(socket: Socket) {
		const client: Client = {
			line: createLineSocket(socket, {
				from: 'follower',
				onMessage: message => receive(client, message),
				onEnd: () => bidFarewell(client),
			}),
		};
		clients.add(client);
		client.line.send(lineOf({ type: 'hello', id: ownId }));
	}

	function bidFarewell(client: Client) {
		clients.delete(client);
		const { id } = client;
		if (isClosed || id === undefined) return;
		usedUntil.delete(id);
		noteFollowers();
	}

	function noteFollowers() {
		fold({ type: 'watchShared', followers: followers().length || undefined });
		noteAttention();
	}

	function noteAttention() {
		const others = followers().flatMap(client => client.attention ?? []);
		watch.setAttention(joinedAttention([attention, ...others]));
		let latest = Number.NEGATIVE_INFINITY;
		let next = ownId;
		for (const [id, until] of usedUntil) if (until >= latest) [next, latest] = [id, until];
		if (next === usedLast) return;
		usedLast = next;
		options.onUsedLast(usedLast === ownId);
		sendToAll(beatLine());
	}

	function noteUse(id: string, until: number) {
		if (usedUntil.get(id) === until) return;
		// A key that is set again keeps its place in a map, so it is deleted first.
		usedUntil.delete(id);
		usedUntil.set(id, until);
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

	function receive(client: Client, message: Message) {
		if (message.type === 'hello') {
			if (message.id !== undefined) addFollower(client, message.id);
			const known = () => stateFacts(account, state(), clock.now());
			stateLines ??= known()
				.map(fact => lineOf({ type: 'fact', fact }))
				.join('');
			return client.line.send(stateLines + beatLine());
		}
		const { id } = client;
		if (id === undefined) return;
		switch (message.type) {
			case 'fact': {
				const fact = { ...message.fact, pane: id };
				if (audienceByFact[fact.type] !== 'panes' || !isBelieved(fact, state(), clock.now()))
					return;
				stateLines = undefined;
				if (fact.account === account) store.receive([fact]);
				sendToAll(lineOf({ type: 'fact', fact }), id);
				return watch.wake();
			}
			case 'attention':
				client.attention = {
					...message,
					visibleIds: new Set(message.visibleIds.slice(0, maxVisibleIds)),
				};
				noteUse(id, message.attendedUntil);
				return noteAttention();
			case 'readNow':
				return watch.readNow(message.reads);
			case 'readAnswered':
				return options.onReadElsewhere();
		}
	}

	function beat() {
		cancelBeat = clock.after(heartbeatMs, beat);
		// A part of it is shared in no other way.
		stateLines = undefined;
		sendToAll(beatLine());
		if (!listener.isInPlace()) options.onReplaced();
	}

	function setAttention(next: Attention) {
		attention = next;
		if (options.hasScreen) noteUse(ownId, next.attendedUntil);
		noteAttention();
	}

	listener.server.on('connection', welcome);
	setAttention(attention);
	beat();

	return {
		share(fact) {
			stateLines = undefined;
			if (clients.size > 0) sendToAll(lineOf({ type: 'fact', fact }));
		},
		setAttention,
		close() {
			isClosed = true;
			cancelBeat();
			listener.close();
			for (const { line } of clients) line.close();
		},
	};
}

/** The visible rows of all panes, and the details in the pane that was used last. */
function joinedAttention(attentions: readonly [Attention, ...Attention[]]): Attention {
	const { detailId, restingSince } = attentions.reduce((a, b) =>
		b.detailId !== undefined && (a.detailId === undefined || b.attendedUntil > a.attendedUntil)
			? b
			: a,
	);
	return {
		visibleIds: new Set(attentions.flatMap(({ visibleIds }) => [...visibleIds])),
		attendedUntil: Math.max(...attentions.map(({ attendedUntil }) => attendedUntil)),
		detailId,
		restingSince,
	};
}
