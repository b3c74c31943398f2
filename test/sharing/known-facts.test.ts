import { expect, test } from 'vitest';
import type { Fact } from '../../source/fleet/fact.ts';
import type { Operation } from '../../source/fleet/operations/operation.ts';
import { failureOf } from '../../source/platform/decoding/platform-error.ts';
import { createAnswerMemory, isAcceptable } from '../../source/sharing/known-facts.ts';
import { emptyAccount } from '../../source/store/state.ts';

const common = { account: 'a', at: 1 };

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
	expect(isAcceptable(settled('own'), state)).toBe(false);
	expect(isAcceptable(settled('other'), state)).toBe(true);
	expect(isAcceptable({ ...common, type: 'listRead', computers: [] }, state)).toBe(true);
});

test('a new follower learns the latest answer of each read, without what newer answers made wrong', () => {
	const memory = createAnswerMemory();
	const failure = failureOf('server', 'broken');
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
