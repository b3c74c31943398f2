import { expect, test } from 'vitest';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import {
	isSuccess,
	outcomeFrom,
	outcomeLine,
	outcomeRecord,
} from '../../source/script/follow-operations.ts';
import { outcomeSummary } from '../../source/views/phrases/outcome.ts';
import { accountAfter, fact } from '../arbitraries/sample-facts.ts';

const specs = ['atlas', 'borealis', 'cygnus'].map(name => {
	return { key: name, operation: 'stop', computer: `sb_${name}`, name, batch: 'b1' };
});

function failedWith(key: string, isOutcomeUnknown: boolean) {
	const failure = createFailure('server', 'internal error', { isOutcomeUnknown, advice: '' });
	return fact(3, { type: 'operationFailed', key, failure });
}

const account = accountAfter(
	...specs.map(wish => fact(1, { type: 'operationAsked', wish })),
	...specs.map(({ key }) => fact(2, { type: 'operationSent', key })),
	failedWith('atlas', true),
	failedWith('borealis', false),
	fact(3, { type: 'operationSettled', key: 'cygnus' }),
);

const outcomes = specs.map(spec => outcomeFrom(spec, account, () => ''));

test('a command prints an operation that ended without a known outcome as unknown, and not as failed', () => {
	expect(outcomes.map(outcome => outcomeRecord(outcome))).toMatchObject([
		{ name: 'atlas', result: 'unknown', message: 'internal error' },
		{ name: 'borealis', result: 'failed', message: 'internal error' },
		{ name: 'cygnus', result: 'done', message: '' },
	]);
	expect(outcomes.map(outcomeLine)).toEqual([
		'atlas: stop outcome unknown: internal error',
		'borealis: stop failed: internal error',
		'cygnus: stopped',
	]);
	expect(outcomes.map(isSuccess)).toEqual([false, false, true]);
});

test('the text at the end of a command names unknown outcomes apart from failures', () => {
	expect(outcomeSummary(outcomes)).toBe(
		'Done: cygnus. Sent, outcome unknown: atlas. Failed: borealis',
	);
});

test('the log has an operation that ended without a known outcome as unknown', () => {
	const moves = account.changes.flatMap(change =>
		change.type === 'operationMoved' && change.to !== 'sent' ? [change.to] : [],
	);
	expect(moves).toEqual(['unknown', 'failed', 'settled']);
});
