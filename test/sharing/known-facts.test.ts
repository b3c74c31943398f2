import { expect, test } from 'vitest';
import type { Fact, FactBody } from '../../source/fleet/fact.ts';
import type { Operation } from '../../source/fleet/operations/operation.ts';
import type { OperationChanged } from '../../source/fleet/operations/operation-fact.ts';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import { jobFacts } from '../../source/sharing/job-facts.ts';
import { createAnswerMemory, isAcceptable } from '../../source/sharing/known-facts.ts';
import { fold } from '../../source/store/fold.ts';
import { batchesOf } from '../../source/store/our-operations.ts';
import { type AccountState, emptyAccount, emptyState } from '../../source/store/state.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';

const common = { account: 'a', at: 1 };
const hour = 3_600_000;

const operationOf = (key: string, pane?: number): Operation => ({
	spec: { key, operation: 'stop', computer: 'sb_1' },
	stage: 'sent',
	askedAt: 1,
	hasPhaseChanged: false,
	...(pane !== undefined && { pane }),
});

test('a fact of another process about an operation of this process is refused', () => {
	const operations = new Map([
		['own', operationOf('own')],
		['other', operationOf('other', 7)],
	]);
	const state = { ...emptyAccount, operations };
	const settled = (key: string): Fact => {
		return { ...common, ...operationChanged({ key, operation: 'stop' }, 'done') };
	};
	expect(isAcceptable(settled('own'), state, 1)).toBe(false);
	expect(isAcceptable(settled('other'), state, 1)).toBe(true);
	expect(isAcceptable({ ...common, type: 'listRead', computers: [] }, state, 1)).toBe(true);
});

test('a new follower learns the latest answer of each read, but no answer that a newer one has outdated', () => {
	const memory = createAnswerMemory();
	const failure = createFailure('server', 'broken');
	memory.note({ ...common, type: 'readFailed', read: 'list', failure });
	memory.note({ ...common, type: 'listRead', computers: [{ id: 'sb_1' }, { id: 'sb_2' }] });
	memory.note({ ...common, type: 'detailRead', computer: { id: 'sb_1' } });
	memory.note({ ...common, type: 'detailRead', computer: { id: 'sb_2' } });
	memory.note({ ...common, type: 'answered', read: 'credits', answer: { balance: 1 } });
	memory.note({ ...common, type: 'signedIn', email: 'a@example.com' });
	memory.note({ ...common, ...operationChanged({ key: 'k', operation: 'stop' }, 'cancelled') });
	memory.note({ ...common, at: 2, type: 'listRead', computers: [{ id: 'sb_1' }] });
	expect(memory.facts().map(({ type, at }) => `${type} ${at}`)).toEqual([
		'detailRead 1',
		'answered 1',
		'signedIn 1',
		'listRead 2',
	]);
});

test('a new follower learns the progress of the batches of all processes, and continues counting from there', () => {
	const steps = ['done', 'failed', 'unknown', 'accepted', 'cancelled'] as const;
	const failure = createFailure('server', 'broken');
	const step = (key: string, step: OperationChanged['step'], at = 3): Fact => {
		const spec = { key, operation: 'stop', computer: `sb_${key}`, name: key, batch: 'b' };
		const isOver = step !== 'queued' && step !== 'accepted';
		const times = { sent: 2, ended: isOver ? at : undefined };
		const isBad = step === 'failed' || step === 'unknown';
		const more = { skipped: 1, failure: isBad ? failure : undefined };
		return { account: 'a', at, pane: 7, ...operationChanged(spec, step, times, more) };
	};
	const keys = ['1', '2', '3', '4', '5'];
	const facts = [
		...keys.map(key => step(key, 'queued', 1)),
		...steps.map((name, at) => step(keys[at] ?? '', name)),
	];
	const rest = [step('4', 'done', 9), step('3', 'done', 9)];
	const accountOf = (state = emptyState) => state.accounts.get('a') ?? emptyAccount;
	const leader = facts.reduce(fold, emptyState);
	const known = accountOf(leader);
	const follower = jobFacts('a', known, () => true).reduce(fold, emptyState);
	expect(batchesOf(accountOf(follower))).toEqual(batchesOf(known));
	const ended = batchesOf(accountOf(rest.reduce(fold, leader))).get('b');
	expect(ended).toMatchObject({
		isOver: true,
		skipped: 1,
		countsByState: { done: 3, failed: 1, cancelled: 1 },
	});
	expect(batchesOf(accountOf(rest.reduce(fold, follower))).get('b')).toEqual(ended);
});

test('a list of a leader that was stopped is refused if the snapshot is newer', () => {
	const computerReads = new Map([['sb_1', { restoredFrom: hour }]]);
	const state = { ...emptyAccount, computerReads };
	const listAt = (at: number): Fact => ({ account: 'a', at, type: 'listRead', computers: [] });
	const now = 2 * hour;
	for (const lead of [1, 59_000, 90_000, 119_999, 120_000, hour])
		expect(isAcceptable(listAt(hour - lead), state, now)).toBe(false);
	expect(isAcceptable(listAt(hour + 1), state, now)).toBe(true);
	expect(isAcceptable(listAt(0), state, 0)).toBe(true);
});

test('an old answer that the leader remembers is refused if this process knows a newer one', () => {
	const now = 100 * hour;
	const computer = { id: 'sb_1', status: 'error' };
	const answers: readonly FactBody[] = [
		{ type: 'listRead', computers: [computer] },
		{ type: 'answered', read: 'credits', answer: { balance: 1 } },
	];
	const remembered: readonly FactBody[] = [
		...answers,
		{ type: 'detailRead', computer: { id: 'sb_1', status: 'active' } },
		{ type: 'statusRead', computer: { id: 'sb_1', status: 'active' } },
		{ type: 'computerMissed', id: 'sb_1' },
		{ type: 'readFailed', read: 'list', failure: createFailure('server', 'broken') },
	];
	const factAt = (at: number) => (body: FactBody) => ({ account: 'a', at, ...body }) as Fact;
	const accountAt = (at: number) =>
		answers.map(factAt(at)).reduce(fold, emptyState).accounts.get('a') ?? emptyAccount;
	const refused = (at: number, account: AccountState) =>
		remembered.map(factAt(at)).filter(fact => !isAcceptable(fact, account, now));
	expect(refused(now - hour, accountAt(now))).toHaveLength(remembered.length);
	expect(refused(now - hour, emptyAccount)).toEqual([]);
	// The clock was set back, so the answers that this process knows lie in the future.
	expect(refused(now, accountAt(now + hour))).toEqual([]);
});
