import { expect, test } from 'vitest';
import type { Fact, FactBody } from '../../source/fleet/fact.ts';
import type { Operation } from '../../source/fleet/operations/operation.ts';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import { jobFacts } from '../../source/sharing/job-facts.ts';
import { createAnswerMemory, isAcceptable } from '../../source/sharing/known-facts.ts';
import { fold } from '../../source/store/fold.ts';
import { type AccountState, emptyAccount, emptyState } from '../../source/store/state.ts';

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
	const settled = (key: string): Fact => ({ ...common, type: 'operationSettled', key });
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
	memory.note({ ...common, type: 'creditsRead', credits: { balance: 1 } });
	memory.note({ ...common, type: 'signedIn', email: 'a@example.com' });
	memory.note({ ...common, type: 'operationCancelled', key: 'k' });
	memory.note({ ...common, at: 2, type: 'listRead', computers: [{ id: 'sb_1' }] });
	expect(memory.facts().map(({ type, at }) => `${type} ${at}`)).toEqual([
		'detailRead 1',
		'creditsRead 1',
		'signedIn 1',
		'listRead 2',
	]);
});

test('a new follower learns the progress of the batches of all processes, and continues counting from there', () => {
	const asked = (key: string): Fact => ({
		...common,
		type: 'operationAsked',
		wish: { key, operation: 'stop', computer: `sb_${key}`, name: key, batch: 'b' },
	});
	const failure = createFailure('server', 'broken');
	const skipped = [{ id: 'sb_9', name: 'nine', reason: 'is stopped already' }];
	const batch: Fact = {
		...common,
		type: 'batchAsked',
		batch: 'b',
		operation: 'stop',
		total: 5,
		skipped,
	};
	const facts: Fact[] = [
		{ ...batch, pane: 7 },
		...['1', '2', '3', '4', '5'].map(asked),
		...['1', '2', '3', '4'].map((key): Fact => ({ ...common, type: 'operationSent', key })),
		{ ...common, type: 'operationAccepted', key: '1' },
		{ ...common, type: 'operationSettled', key: '1' },
		{ ...common, type: 'operationFailed', key: '2', failure },
		{ ...common, type: 'operationUnknown', key: '3', failure },
		{ ...common, type: 'operationCancelled', key: '5' },
	];
	const rest: Fact[] = [
		{ ...common, at: 9, type: 'operationAccepted', key: '4' },
		{ ...common, at: 9, type: 'operationSettled', key: '4' },
		{ ...common, at: 9, type: 'operationSettled', key: '3' },
	];
	const accountOf = (state = emptyState) => state.accounts.get('a') ?? emptyAccount;
	const leader = facts.reduce(fold, emptyState);
	const known = accountOf(leader);
	const sent = jobFacts('a', known, () => true);
	const follower = sent.reduce(fold, emptyState);
	expect(accountOf(follower).batches).toEqual(known.batches);
	const ended = accountOf(rest.reduce(fold, leader)).batches.get('b');
	expect(ended).toMatchObject({
		isOver: true,
		countsByState: { done: 3, failed: 1, cancelled: 1 },
	});
	expect(accountOf(rest.reduce(fold, follower)).batches.get('b')).toEqual(ended);
	expect(isAcceptable({ ...common, type: 'batchSeen', batch: 'b' }, known, 1)).toBe(true);
	const own = accountOf(fold(emptyState, batch));
	expect(isAcceptable({ ...common, type: 'batchSeen', batch: 'b' }, own, 1)).toBe(false);
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
		{ type: 'creditsRead', credits: { balance: 1 } },
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
