import { describe, expect, test } from 'vitest';
import type { Fact } from '../../source/fleet/fact.ts';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import { accountAfter, fact } from '../arbitraries/sample-facts.ts';

function batchAsked(total: number, batch = 'b1'): Fact {
	return fact(0, { type: 'batchAsked', batch, operation: 'stop', total, skipped: [] });
}

function asked(key: string, batch = 'b1'): Fact {
	const wish = { key, operation: 'stop', computer: `sb_${key}`, name: key, batch };
	return fact(0, { type: 'operationAsked', wish });
}

const step = (type: 'operationSent' | 'operationAccepted' | 'operationSettled', key: string) =>
	fact(1, { type, key });
const failure = createFailure('conflict', 'already in progress');

const progressAfter = (...facts: readonly Fact[]) => accountAfter(...facts).batches.get('b1');

describe('the progress of a batch', () => {
	test('counts each operation in the state that its facts say', () => {
		const facts = ['a', 'b', 'c', 'd', 'e'].map(key => asked(key));
		const progress = progressAfter(
			batchAsked(6),
			...facts,
			step('operationSent', 'a'),
			step('operationAccepted', 'a'),
			step('operationSettled', 'a'),
			step('operationSent', 'b'),
			fact(1, { type: 'operationUnknown', key: 'b', failure }),
			step('operationSent', 'c'),
			fact(1, { type: 'operationFailed', key: 'c', failure }),
			fact(1, { type: 'operationCancelled', key: 'd' }),
			step('operationSent', 'e'),
		);
		expect(progress).toMatchObject({
			countsByState: {
				waiting: 1,
				underWay: 1,
				checking: 1,
				done: 1,
				failed: 1,
				unknown: 0,
				cancelled: 1,
			},
			failures: [{ id: 'sb_c', name: 'c', message: 'already in progress' }],
			isOver: false,
		});
	});

	test('counts an operation that ended without a known outcome as unknown, and not as failed', () => {
		const lost = { ...failure, message: 'no answer', isOutcomeUnknown: true };
		const progress = progressAfter(
			batchAsked(2),
			...['a', 'b'].flatMap(key => [asked(key), step('operationSent', key)]),
			fact(1, { type: 'operationUnknown', key: 'a', failure: lost }),
			fact(2, { type: 'operationFailed', key: 'a', failure: lost }),
			step('operationSettled', 'b'),
		);
		expect(progress).toMatchObject({
			countsByState: { checking: 0, done: 1, failed: 0, unknown: 1 },
			failures: [],
			unknownOutcomes: [{ id: 'sb_a', name: 'a', message: 'no answer' }],
			isOver: true,
		});
	});

	test('ignores a response that comes after a later request has replaced the operation', () => {
		const replaced = { ...failure, isOutcomeUnknown: true };
		const facts = [
			...[batchAsked(2), asked('a'), asked('b'), step('operationSent', 'a')],
			fact(1, { type: 'operationFailed', key: 'a', failure: replaced }),
		];
		const before = accountAfter(...facts);
		for (const type of ['operationAccepted', 'operationSettled', 'operationSent'] as const) {
			const after = accountAfter(...facts, step(type, 'a'));
			expect(after.batches.get('b1')).toEqual(before.batches.get('b1'));
			expect(after.operations.get('a')).toEqual(before.operations.get('a'));
			expect(after.changes).toEqual(before.changes);
		}
	});

	test('counts an operation that the rate limit refused as waiting again', () => {
		const sent = [batchAsked(2), asked('a'), step('operationSent', 'a')];
		expect(progressAfter(...sent, asked('a'))?.countsByState).toMatchObject({
			waiting: 2,
			underWay: 0,
		});
	});

	test('is over when every operation has ended, including those that were cancelled while they waited', () => {
		const progress = progressAfter(
			batchAsked(3),
			asked('a'),
			step('operationSent', 'a'),
			step('operationSettled', 'a'),
			fact(1, { type: 'batchCancelled', batch: 'b1', count: 2 }),
		);
		expect(progress).toMatchObject({ isOver: true, countsByState: { done: 1, cancelled: 2 } });
	});

	test('logs how many of its operations were cancelled, although the store never had each of them', () => {
		const cancelled = { type: 'batchCancelled', batch: 'b1', count: 600 } as const;
		const { changes } = accountAfter(batchAsked(600), { ...fact(1, cancelled) });
		expect(changes).toMatchObject([
			{ type: 'operationMoved', to: 'cancelled', count: 600, wish: { batch: 'b1' } },
		]);
	});

	test('is not over while the outcome of an operation is checked', () => {
		const lost = fact(1, { type: 'operationUnknown', key: 'a', failure });
		const progress = progressAfter(batchAsked(1), asked('a'), step('operationSent', 'a'), lost);
		expect(progress).toMatchObject({ isOver: false, countsByState: { checking: 1, unknown: 0 } });
	});

	test('stays until a person has seen it', () => {
		const cancelled = fact(1, { type: 'batchCancelled', batch: 'b1', count: 1 });
		expect(progressAfter(batchAsked(1), cancelled)?.isOver).toBe(true);
		const seen = fact(2, { type: 'batchSeen', batch: 'b1' });
		expect(progressAfter(batchAsked(1), cancelled, seen)).toBeUndefined();
	});
});

test('only the latest finished batches and every batch that is under way stay in the state', () => {
	const facts = Array.from({ length: 30 }, (_, n) => [
		batchAsked(2, `${n}`),
		...(n === 0 ? [] : [fact(1, { type: 'batchCancelled', batch: `${n}`, count: 2 })]),
	]).flat();
	const { batches } = accountAfter(...facts);
	expect(batches.size).toBe(10);
	expect(batches.get('0')).toMatchObject({ isOver: false, countsByState: { waiting: 2 } });
});

test('facts of an operation whose batch is not known change no batch', () => {
	expect(accountAfter(asked('a'), step('operationSent', 'a')).batches.size).toBe(0);
});
