import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FactBody } from '../../../source/fleet/fact.ts';
import { createFailure } from '../../../source/platform/decoding/platform-error.ts';
import { createEventCounter } from '../../../source/script/textfile/event-counter.ts';
import { expositionText } from '../../../source/script/textfile/exposition.ts';
import { createMetrics } from '../../../source/script/textfile/metrics.ts';
import { fold } from '../../../source/store/fold.ts';
import { emptyAccount, emptyState } from '../../../source/store/state.ts';
import { factBodyExcept, sequentialFacts } from '../../arbitraries/facts.ts';
import { runs } from '../../properties/runs.ts';
import { parseStrictly } from './strict-exposition.ts';

const begin = Date.UTC(2026, 10, 21, 8);

type TimedBody = readonly [seconds: number, body: FactBody];

/** Folds facts into the state of an account, and returns how the file shows it `seconds` after the beginning. */
function measured(facts: readonly TimedBody[], seconds = 0, name = 'work') {
	const counter = createEventCounter();
	let state = emptyState;
	for (const [at, body] of facts) {
		const before = state;
		state = fold(state, { account: 'key', at: begin + at * 1_000, ...body });
		counter.countChange(before.accounts.get('key'), state.accounts.get('key'));
	}
	const account = {
		name,
		state: state.accounts.get('key') ?? emptyAccount,
		totals: counter.totals(),
	};
	return { account, text: expositionText(createMetrics()([account], begin + seconds * 1_000)) };
}

/** Returns the samples of a family, each as its labels without the account, and its value. */
function samplesIn(text: string, family: string): Readonly<Record<string, number>> {
	const samples = parseStrictly(text).get(family)?.samples ?? [];
	return Object.fromEntries(
		samples.map(({ labels: { account: _, ...others }, value }) => [
			Object.values(others).join(','),
			value,
		]),
	);
}

const computer = (id: string, status: string, version?: string) => ({
	...{ id, status },
	...(version !== undefined && { version }),
});

describe('the metrics of an account', () => {
	test('count computers by phase and by version, with a zero for each empty phase', () => {
		const computers = [
			computer('a', 'running', '1.4.1'),
			computer('b', 'active', '1.4.2'),
			computer('c', 'error', '1.4.1'),
			computer('d', 'archived', '1.0.0'),
			computer('e', 'stopped'),
			{ ...computer('f', 'stopped'), version: null },
		];
		const { text } = measured([[1, { type: 'listRead', computers }]]);
		expect(samplesIn(text, 'crowsnest_computers')).toMatchObject({
			...{ active: 2, error: 1, archived: 1, stopped: 2, creating: 0, unknown: 0 },
		});
		expect(samplesIn(text, 'crowsnest_computers_by_version')).toEqual({
			...{ '1.4.1': 2, '1.4.2': 1, unknown: 1, '(not read)': 1 },
		});
		expect(samplesIn(text, 'crowsnest_list_read_timestamp_seconds')).toEqual({
			'': begin / 1_000 + 1,
		});
	});

	test('have at most fifty versions, so that a platform cannot flood Prometheus', () => {
		const computers = Array.from({ length: 200 }, (_, at) =>
			computer(`c${at}`, 'active', `1.${at}`),
		);
		const { text } = measured([[1, { type: 'listRead', computers }]]);
		const versions = samplesIn(text, 'crowsnest_computers_by_version');
		expect(Object.keys(versions)).toHaveLength(51);
		expect(versions['(other)']).toBe(150);
	});

	test('have no numbers of computers before the first list', () => {
		expect([...parseStrictly(measured([]).text).keys()]).toEqual([
			'crowsnest_budget_refusals_total',
			'crowsnest_operations_total',
		]);
	});

	test('show that the account is down after ten seconds without an answer', () => {
		const failure = createFailure('offline', 'connection refused');
		const facts: readonly TimedBody[] = [
			[1, { type: 'listRead', computers: [computer('a', 'active')] }],
			[5, { type: 'readFailed', read: 'list', failure }],
		];
		const isUp = (seconds: number) =>
			samplesIn(measured(facts, seconds).text, 'crowsnest_account_up');
		expect(isUp(6)).toEqual({ '': 1 });
		expect(isUp(12)).toEqual({ '': 0 });
		const never = measured([[1, { type: 'readFailed', read: 'list', failure }]], 2);
		expect(samplesIn(never.text, 'crowsnest_account_up')).toEqual({ '': 0 });
	});

	test('count each refusal of a rate limit once, in its scope', () => {
		const usage = { limit: 30, spent: 12 };
		const paced = (frozenUntil?: number): FactBody => ({
			type: 'paceChanged',
			standings: {
				create: { limit: 5, spent: 0 },
				status: { limit: 60, spent: 40 },
				other: { ...usage, ...(frozenUntil !== undefined && { frozenUntil }) },
			},
		});
		const { text } = measured([
			[0, paced()],
			[1, paced(begin + 30_000)],
			[2, paced(begin + 30_003)],
			[31, paced()],
			[40, paced(begin + 70_000)],
			[41, paced(begin + 130_000)],
		]);
		expect(samplesIn(text, 'crowsnest_budget_refusals_total')).toEqual({
			...{ create: 0, status: 0, other: 3 },
		});
		expect(samplesIn(text, 'crowsnest_budget_used_requests')).toEqual({
			...{ create: 0, status: 40, other: 12 },
		});
		expect(samplesIn(text, 'crowsnest_budget_limit_requests')['other']).toBe(30);
	});

	test('show credits, the burn per second and the time left in seconds', () => {
		const read = (seconds: number, balance: number): TimedBody => [
			seconds,
			{ type: 'creditsRead', credits: { balance } },
		];
		const { text } = measured([read(0, 10), read(1_800, 9), read(3_600, 8)]);
		expect(samplesIn(text, 'crowsnest_credits')).toEqual({ '': 8 });
		expect(samplesIn(text, 'crowsnest_credits_burned_per_second')['']).toBeCloseTo(2 / 3_600);
		expect(samplesIn(text, 'crowsnest_credits_runway_seconds')['']).toBeCloseTo(4 * 3_600);
	});

	test('count operations by outcome, and count an operation only once if it arrives twice', () => {
		const wish = { key: 'k1', operation: 'stop', computer: 'a' } as const;
		const counter = createEventCounter();
		const move = { type: 'operationMoved', at: begin, wish, took: 5 } as const;
		for (const to of ['sent', 'unknown', 'settled', 'settled'] as const)
			counter.countOperation({ ...move, to });
		expect(counter.totals().outcomes).toEqual({ done: 1, failed: 0, unknown: 1, cancelled: 0 });
	});

	test('escape quotes, backslashes and line breaks in names', () => {
		const hostile = 'a"b\\c\nd}{,="';
		const computers = [computer('a', 'active', hostile)];
		const { text } = measured([[1, { type: 'listRead', computers }]], 0, hostile);
		const [sample] = parseStrictly(text).get('crowsnest_computers_by_version')?.samples ?? [];
		expect(sample?.labels).toEqual({ account: hostile, version: hostile });
	});

	test('follow the rules of promtool for any facts of two accounts', () => {
		fc.assert(
			fc.property(sequentialFacts(factBodyExcept('accountClosed')), facts => {
				const bodies = facts.map((fact, at): TimedBody => [at, fact]);
				const one = measured(bodies).account;
				const two = { ...one, name: 'lab' };
				const families = createMetrics()([one, two], begin + 60_000);
				const parsed = parseStrictly(expositionText(families));
				for (const { samples } of parsed.values())
					expect(new Set(samples.map(({ labels }) => labels['account'])).size).toBe(2);
			}),
			runs(60),
		);
	});
});

describe('the strict parser', () => {
	const head = '# HELP crowsnest_x X.\n# TYPE crowsnest_x gauge\n';

	test.each([
		['no final newline', `${head}crowsnest_x 1`],
		['a time', `${head}crowsnest_x 1 1700000000\n`],
		['a repeated series', `${head}crowsnest_x 1\ncrowsnest_x 2\n`],
		['a raw quote in a label', `${head}crowsnest_x{a="b"c"} 1\n`],
		['no TYPE', '# HELP crowsnest_x X.\ncrowsnest_x 1\n'],
		['a family in two places', `${head}crowsnest_x 1\n${head}crowsnest_x{a="b"} 1\n`],
		['a counter without _total', head.replace('gauge', 'counter').concat('crowsnest_x 1\n')],
	])('refuses %s', (_, text) => {
		expect(() => parseStrictly(text)).toThrow();
	});
});
