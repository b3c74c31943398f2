import { expect, test } from 'vitest';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import {
	isSuccess,
	outcomeFrom,
	outcomeLine,
	outcomeRecord,
} from '../../source/script/outcomes.ts';
import { outcomeSummary } from '../../source/views/phrases/outcome.ts';
import { accountAfter, operationFacts } from '../arbitraries/sample-facts.ts';

const specs = ['atlas', 'borealis', 'cygnus'].map(name => {
	return { key: name, operation: 'stop', computer: `sb_${name}`, name, batch: 'b1' };
});

const account = accountAfter(
	...specs.flatMap((spec, at) => {
		const failure = createFailure('server', 'internal error', {
			isOutcomeUnknown: spec.name === 'atlas',
			advice: '',
		});
		const sent = { queued: 1, sent: 2 };
		const end = spec.name === 'cygnus' ? { done: 3 + at } : { failed: 3 + at };
		return operationFacts(spec, { ...sent, ...end }, spec.name === 'cygnus' ? {} : { failure });
	}),
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
