import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Fact, FactBody } from '../../source/fleet/fact.ts';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import { isBelieved, isShared, stateFacts } from '../../source/sharing/shared-facts.ts';
import {
	askLeader,
	type Message,
	messageFrom,
	receiveMessages,
} from '../../source/sharing/socket.ts';
import { batchesOf } from '../../source/store/our-operations.ts';
import { type AccountState, emptyAccount, emptyState } from '../../source/store/state.ts';
import { fold } from '../../source/store/store.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { temporaryFolder } from '../journal/state-directory.ts';
import { holdSocket, openFollowed } from './panes.ts';

test('a message may arrive in pieces, also within a character, and what is no message is skipped', async () => {
	const path = join(temporaryFolder(), 'peer.sock');
	const messages: Message[] = [];
	await holdSocket(path, socket => {
		receiveMessages(socket, 'follower', message => messages.push(message));
	});
	const far = connect(path);
	onTestFinished(() => void far.destroy());
	const text =
		'{"a":\nnull\n{"type":"hello","id":"größe 世"}\n{"type":"new"}\n{"type":"hello"}\n{"type":"hello","id":"b"}\n';
	for (const byte of Buffer.from(text)) far.write(Buffer.from([byte]));
	while (messages.length < 2) await new Promise(setImmediate);
	expect(messages).toEqual([
		{ type: 'hello', id: 'größe 世' },
		{ type: 'hello', id: 'b' },
	]);
});

test('a message is validated, its texts are cleaned, and fields of a newer version are ignored', () => {
	const failure = createFailure('server', 'broken');
	const fact = { account: 'a', at: 1, type: 'readFailed', read: 'list', failure };
	const told = (changes: object) => messageFrom(JSON.stringify({ type: 'fact', fact, ...changes }));
	const plain = told({});
	expect(plain).toMatchObject({ type: 'fact', fact: { failure: { message: 'broken' } } });
	for (const message of ['broken\u001B[2J', 'broken\u009B2J', 'broken\n', 'bro\u200Bken'])
		expect(told({ fact: { ...fact, failure: { ...failure, message } } })).toEqual(plain);
	expect(told({ urgency: 'high', fact: { ...fact, cause: { person: 'b' } } })).toEqual(plain);
	const long = told({ fact: { ...fact, failure: { ...failure, message: 'x'.repeat(10_000) } } });
	expect(JSON.stringify(long).length).toBeLessThan(5_000);
	for (const wrong of [
		...[{ type: 7 }, { fact: undefined }, { type: 'hello', id: 7 }],
		...[{ fact: { ...fact, at: 'soon' } }, { fact: { ...fact, type: 'newFact' } }],
	])
		expect(told(wrong)).toBeUndefined();
});

test('a follower can tell the leader of its operations and its share, and of nothing that was read', async () => {
	const { first: leader, path, clock, until } = await openFollowed(1);
	const peer = connect(path);
	onTestFinished(() => void peer.destroy());
	const tell = (message: Message) => peer.write(`${JSON.stringify(message)}\n`);
	const common = { account: 'test', at: clock.now(), askedAt: clock.now() };
	tell({ type: 'hello', id: '9' });
	tell({ type: 'fact', fact: { ...common, type: 'listRead', computers: [] } });
	tell({ type: 'fact', fact: { ...common, type: 'signInTried', email: 'other@example.com' } });
	tell({ type: 'fact', fact: { ...common, type: 'shareChosen', share: 'half', chosenAt: 1 } });
	await until(() => leader.state().chosenShare?.share === 'half');
	expect(leader.state().computers.size).toBe(7);
	expect(leader.state().signIn).not.toMatchObject({ email: 'other@example.com' });
});

test('a leader answers a process that only asks with what it knows, and soon counts it no more', async () => {
	const { path, clock, first: leader, until } = await openFollowed(1);
	const facts = await askLeader(path, 'command', clock);
	const types = facts.map(({ type }) => type);
	expect(types).toEqual(expect.arrayContaining(['listRead', 'signInTried']));
	expect(facts.every(({ pane }) => pane === '1')).toBe(true);
	const list = facts.find(({ type }) => type === 'listRead');
	expect(list?.at).toBe(leader.state().reads.list?.answer?.at);
	await until(() => leader.state().sharedWatch?.followers === undefined);
});

test('a question stays unanswered where no process listens, and where the leader is stopped', async () => {
	const { path, clock, first: leader, until } = await openFollowed(1);
	await leader.close();
	expect(await askLeader(path, 'command', clock)).toEqual([]);
	await holdSocket(path, () => {});
	let answer: readonly Fact[] | undefined;
	void askLeader(path, 'command', clock).then(facts => {
		answer = facts;
	});
	await until(() => answer !== undefined, 1_000);
	expect(answer).toEqual([]);
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
		notes: state.listNotes,
		account: [state.credits, state.subscription, state.signIn, state.chosenShare],
		batches: [...batchesOf(state)],
	});
	expect(knownIn(follower)).toEqual(knownIn(leader));
	// What the credentials of the leader are refused says nothing about others.
	const refused = accountAfter([
		factAt(start, { type: 'readFailed', read: 'list', failure: createFailure('auth', 'no') }),
	]);
	const types = stateFacts('a', refused, start).map(({ type }) => type);
	expect(types).not.toContain('readFailed');
});

const refused = createFailure('auth', 'no');
const times = { at: start, notBefore: start };
const accountDown = { type: 'accountNoted', ...times, event: 'accountDown' } as const;
const hookFailed = { type: 'hookFailed', ...times, hook: 'a', message: 'b' } as const;

test.each<[string, FactBody, boolean]>([
	['that its sign-in was refused', { type: 'signInTried', failure: refused }, false],
	['that its list was refused', { type: 'readFailed', read: 'list', failure: refused }, false],
	['what each process notes itself', { type: 'changeNoted', change: accountDown }, false],
	['that it follows', { type: 'watchShared', leader: 'x' }, false],
	['that a hook failed', { type: 'changeNoted', change: hookFailed }, true],
	['that it has signed in', { type: 'signInTried', email: 'a@example.com' }, true],
])('a leader tells its followers, and they believe it, or not: %s', (_, body, isTold) => {
	const told = factAt(start, body);
	expect(isShared(told, emptyAccount, 'leader')).toBe(isTold);
	expect(isBelieved(told, 'leader', emptyAccount, start)).toBe(isTold);
	expect(isShared(told, emptyAccount, 'follower')).toBe(false);
	expect(isBelieved(told, 'follower', emptyAccount, start)).toBe(false);
});

const sent = factAt(start, operationChanged(stop, 'sent'));
const done = factAt(start, operationChanged(stop, 'done'), { pane: 'other' });
const full = { ...emptyAccount, operations: { size: 2_000, get: () => undefined } as never };
const listAt = (at: number) => factAt(at, { type: 'listRead', computers: [] });
const listed = accountAfter([listAt(start)]);

test.each<[string, Fact, AccountState, number, boolean]>([
	['an operation of this process', done, accountAfter([sent]), start, false],
	['one of another process', done, accountAfter([{ ...sent, pane: 'other' }]), start, true],
	['operations without end', done, full, start, false],
	['the old list of a leader that was stopped', listAt(start - hour), listed, start + 1, false],
	['a newer list', listAt(start + 1), listed, start + 1, true],
	['an older one after the clock was set back', listAt(start - hour), listed, start - hour, true],
	['an old one where none is known', listAt(start - hour), emptyAccount, start, true],
])('what a leader tells is believed, or not: %s', (_, told, known, now, isTrue) => {
	expect(isBelieved(told, 'leader', known, now)).toBe(isTrue);
});

test('what an assistant may propose is an operation of the platform, and only the first ten wait', () => {
	const proposed = (changes: object) =>
		messageFrom(
			JSON.stringify({
				type: 'fact',
				fact: { account: 'a', at: 1, type: 'proposed', key: 'k', operation: 'stop', ...changes },
			}),
		);
	for (const wrong of [
		{ operation: 'command wipe' },
		{ computers: 'all' },
		{ port: 0 },
		{ key: 7 },
	])
		expect(proposed(wrong)).toBeUndefined();
	let state = emptyState;
	for (let at = 1; at <= 12; at += 1) {
		const message = proposed({ key: `${at}`, computers: ['sb_1'], name: 'a\u001B[2J' });
		if (message?.type !== 'fact') throw new Error('not accepted');
		expect(isBelieved(message.fact, 'follower', emptyAccount, at)).toBe(true);
		state = fold(state, message.fact);
	}
	const kept = () => state.accounts.get('a')?.proposals?.map(({ key, name }) => `${key} ${name}`);
	expect(kept()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(at => `${at} a`));
	const decided = { type: 'proposed', operation: 'stop', outcome: 'opened' } as const;
	state = fold(state, { account: 'a', at: 13, key: '3', ...decided });
	const message = proposed({ key: '11' });
	if (message?.type === 'fact') state = fold(state, message.fact);
	expect(kept()?.slice(-2)).toEqual(['10 a', '11 undefined']);
	expect(kept()?.[0]).toBe('3 undefined');
});
