import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Fact, FactBody } from '../../source/fleet/fact.ts';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import { isBelieved, isShared, stateFacts } from '../../source/sharing/shared-facts.ts';
import {
	askLeader,
	lineOf,
	type Message,
	messageFrom,
	receiveMessages,
} from '../../source/sharing/socket.ts';
import { fold } from '../../source/store/fold.ts';
import { batchesOf } from '../../source/store/our-operations.ts';
import { type AccountState, emptyAccount, emptyState } from '../../source/store/state.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { temporaryFolder } from '../journal/hooked-fleet.ts';
import { holdSocket, openFollowed } from './panes.ts';

test('a message may arrive in pieces, also within a character, and what is no message is skipped', async () => {
	const path = join(temporaryFolder(), 'peer.sock');
	const messages: Message[] = [];
	await holdSocket(path, socket => {
		receiveMessages(socket, 'follower', message => messages.push(message));
	});
	const far = connect(path);
	onTestFinished(() => void far.destroy());
	const bytes = Buffer.from(
		'{"a":\nnull\n{"type":"hello","id":"größe 世"}\n{"type":"new"}\n{"type":"hello"}\n',
	);
	for (const byte of bytes) far.write(Buffer.from([byte]));
	while (messages.length < 2) await new Promise(setImmediate);
	expect(messages).toEqual([{ type: 'hello', id: 'größe 世' }, { type: 'hello' }]);
});

test('a follower can tell the leader of its operations and its share, and of nothing that was read', async () => {
	const { first: leader, path, clock, until } = await openFollowed(1);
	const peer = connect(path);
	onTestFinished(() => void peer.destroy());
	const tell = (message: Message) => peer.write(lineOf(message));
	const common = { account: 'test', at: clock.now(), askedAt: clock.now() };
	tell({ type: 'hello', id: '9' });
	tell({ type: 'fact', fact: { ...common, type: 'listRead', computers: [] } });
	tell({ type: 'fact', fact: { ...common, type: 'signInTried', email: 'other@example.com' } });
	tell({ type: 'fact', fact: { ...common, type: 'shareChosen', share: 'half', chosenAt: 1 } });
	await until(() => leader.state().chosenShare?.share === 'half');
	expect(leader.state().computers.size).toBe(7);
	expect(leader.state().signIn).not.toMatchObject({ email: 'other@example.com' });
});

test('a message from another process is validated, and its texts are cleaned', () => {
	const fact = { account: 'a', at: 1, type: 'readFailed', read: 'list' };
	const told = (message: unknown) => messageFrom(JSON.stringify(message));
	const withMessage = (message: string) =>
		told({ type: 'fact', fact: { ...fact, failure: createFailure('server', message) } });
	for (const unclean of ['broken\u001B[2J', 'broken\u009B2J', 'broken\n', 'bro\u200Bken'])
		expect(withMessage(unclean)).toMatchObject({ fact: { failure: { message: 'broken' } } });
	expect(JSON.stringify(withMessage('x'.repeat(10_000))).length).toBeLessThan(5_000);
	const failure = createFailure('server', 'broken');
	for (const value of [
		...[null, 7, {}, { type: 'fact' }, { type: 'hello', id: 7 }],
		{ type: 'fact', fact: { ...fact, at: 'soon', failure } },
		{ type: 'fact', fact: { type: 'newFact', account: 'a', at: 1 } },
	])
		expect(told(value)).toBeUndefined();
});

test('fields that a newer version has added to a message are ignored', () => {
	const stop = { key: 'k', operation: 'stop' };
	const fact = { account: 'a', at: 1, ...operationChanged(stop, 'cancelled') };
	const newer = { type: 'fact', urgency: 'high', fact: { ...fact, cause: { person: 'b' } } };
	expect(messageFrom(JSON.stringify(newer))).toEqual(
		messageFrom(lineOf({ type: 'fact', fact } as Message)),
	);
});

test('a leader answers with what it knows', async () => {
	const { path, clock, first: leader } = await openFollowed(1);
	const facts = await askLeader(path, clock);
	const types = facts.map(({ type }) => type);
	expect(types).toEqual(expect.arrayContaining(['listRead', 'signInTried']));
	expect(facts.every(({ pane }) => pane === '1')).toBe(true);
	const list = facts.find(({ type }) => type === 'listRead');
	expect(list?.at).toBe(leader.state().reads.list?.answer?.at);
});

test('a process that only asks does not count as a follower', async () => {
	const { path, clock, first: leader, open, until } = await openFollowed(1);
	const asked = leader.facts.length;
	await askLeader(path, clock);
	expect(leader.facts.slice(asked).filter(({ type }) => type === 'watchShared')).toEqual([]);
	const follower = open(2);
	await until(() => follower.role() === 'following');
	expect(leader.state().sharedWatch).toEqual({ followers: 1 });
});

test('a question stays unanswered where no process listens, and where the leader is stopped', async () => {
	const { path, clock, first: leader, until } = await openFollowed(1);
	expect(await askLeader(`${path}.other`, clock)).toEqual([]);
	await leader.close();
	expect(await askLeader(path, clock)).toEqual([]);
	await holdSocket(path, () => {});
	const silence = askLeader(path, clock);
	let isOver = false;
	void silence.then(() => {
		isOver = true;
	});
	await until(() => isOver, 1_000);
	expect(await silence).toEqual([]);
});

const hour = 3_600_000;
const start = 1_795_000_000_000;
const stop = { key: 'k', operation: 'stop', computer: 'sb_1' };

const factAt = (at: number, body: FactBody, more: Partial<Fact> = {}) =>
	({ account: 'a', at, askedAt: at - 100, ...more, ...body }) as Fact;

const accountAfter = (facts: readonly Fact[]): AccountState =>
	facts.reduce(fold, emptyState).accounts.get('a') ?? emptyAccount;

test('from the facts of the leader, a follower knows the same computers, answers, failures and operations', () => {
	const failure = createFailure('server', 'broken');
	const steps = ['done', 'failed', 'unknown', 'accepted', 'cancelled'] as const;
	const batch = steps.flatMap((step, at) => {
		const spec = { key: step, operation: 'stop', computer: `sb_${at}`, batch: 'b' };
		const isBad = step === 'failed' || step === 'unknown';
		return [
			factAt(start, operationChanged(spec, 'queued')),
			factAt(
				start + 2,
				operationChanged(spec, step, { sent: start + 1 }, isBad ? { failure } : {}),
			),
		];
	});
	const leader = accountAfter([
		factAt(start, {
			type: 'listRead',
			computers: [
				{ id: 'sb_1', name: 'atlas', status: 'active', cpu: 7 },
				{ id: 'sb_2', name: 'draco', status: 'error' },
			],
			unreadable: 1,
			repeated: 2,
			isCut: true,
		}),
		factAt(start + 1_000, {
			type: 'computerRead',
			read: 'detail',
			computer: { id: 'sb_1', status: 'active', ports: [{ port: 80 }] },
		}),
		factAt(start + 2_000, {
			type: 'computerRead',
			read: 'status',
			computer: { id: 'sb_2', status: 'error', error: 'no disk' },
		}),
		factAt(start + 2_000, { type: 'answered', read: 'credits', answer: { balance: 3 } }),
		factAt(start + 2_000, { type: 'answered', read: 'subscription', answer: null }),
		factAt(start + 3_000, { type: 'readFailed', read: 'models', failure }),
		factAt(start + 3_000, { type: 'signInTried', email: 'a@example.com' }),
		factAt(start + 3_000, { type: 'shareChosen', share: 'half', chosenAt: start }),
		...batch,
	]);
	const follower = accountAfter(stateFacts('a', leader, start + 4_000));
	const knownIn = (state: AccountState) => ({
		computers: [...state.computers.values()].map(({ reading, isListed }) => ({
			reading,
			isListed,
		})),
		computerReads: state.computerReads,
		answers: Object.entries(state.reads).map(([name, { answer, failing }]) => [
			name,
			answer,
			failing?.failure,
		]),
		listFields: state.listFields,
		notes: [state.unreadableCount, state.repeatedCount, state.isListCut],
		account: [state.credits, state.subscription, state.signIn, state.chosenShare],
		batches: [...batchesOf(state)],
	});
	expect(knownIn(follower)).toEqual(knownIn(leader));
	// What the credentials of the leader are refused says nothing about others.
	const refused = accountAfter([
		factAt(start, { type: 'readFailed', read: 'list', failure: createFailure('auth', 'no') }),
	]);
	expect(stateFacts('a', refused, start)).toEqual([]);
});

test('a fact of another process about an operation of this process is not believed, nor operations without end', () => {
	const own = accountAfter([factAt(start, operationChanged(stop, 'sent'))]);
	const done = factAt(start, operationChanged(stop, 'done'), { pane: 'other' });
	expect(isBelieved(done, own, start)).toBe(false);
	const others = accountAfter([
		{ ...factAt(start, operationChanged(stop, 'sent')), pane: 'other' },
	]);
	expect(isBelieved(done, others, start)).toBe(true);
	const many = { ...emptyAccount, operations: { size: 2_000, get: () => undefined } as never };
	expect(isBelieved(done, many, start)).toBe(false);
	expect(isBelieved(factAt(start, { type: 'watchShared' }), own, start)).toBe(false);
});

test('the old list of a leader that was stopped is not believed, unless the clock was set back', () => {
	const listAt = (at: number) => factAt(at, { type: 'listRead', computers: [] });
	const known = accountAfter([listAt(start)]);
	expect(isBelieved(listAt(start - hour), known, start + 1)).toBe(false);
	expect(isBelieved(listAt(start + 1), known, start + 1)).toBe(true);
	expect(isBelieved(listAt(start - hour), known, start - hour)).toBe(true);
	expect(isBelieved(listAt(start - hour), emptyAccount, start)).toBe(true);
});

test.each<[string, FactBody]>([
	['that its sign-in was refused', { type: 'signInTried', failure: createFailure('auth', 'no') }],
	[
		'that its sign-in was refused when it read the list',
		{ type: 'readFailed', read: 'list', failure: createFailure('auth', 'no') },
	],
	[
		'a change of the account, which each process notes itself',
		{
			type: 'changeNoted',
			change: { type: 'accountNoted', at: start, notBefore: start, event: 'accountDown' },
		},
	],
])('no process tells another, or believes of another: %s', (_, body) => {
	const told = factAt(start, body);
	for (const role of ['leader', 'follower'] as const)
		expect(isShared(told, emptyAccount, role)).toBe(false);
	expect(isBelieved(told, emptyAccount, start)).toBe(false);
});

test('a leader tells its followers that a hook failed, and that it has signed in', () => {
	const change = {
		type: 'hookFailed',
		at: start,
		notBefore: start,
		hook: 'a',
		message: 'b',
	} as const;
	const bodies: readonly FactBody[] = [
		{ type: 'changeNoted', change },
		{ type: 'signInTried', email: 'a@example.com' },
	];
	for (const told of bodies.map(body => factAt(start, body))) {
		expect(isShared(told, emptyAccount, 'leader')).toBe(true);
		expect(isShared(told, emptyAccount, 'follower')).toBe(false);
		expect(isBelieved(told, emptyAccount, start)).toBe(true);
	}
});
