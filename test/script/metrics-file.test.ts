import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { FactBody } from '../../source/fleet/fact.ts';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import { keepMetricsFile, problemOfWriting } from '../../source/script/metrics-file.ts';
import { createStore } from '../../source/store/store.ts';
import { createHeldClock } from '../held-clock.ts';
import { parseStrictly } from './strict-exposition.ts';

function keep(names: readonly string[] = ['work']) {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-metrics-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const path = join(folder, 'fleet.prom');
	const clock = createHeldClock();
	const store = createStore();
	const problems: string[] = [];
	const accounts = names.map(name => ({ account: `key of ${name}`, name }));
	const close = keepMetricsFile(path, clock, store, accounts, reason => problems.push(reason));
	return {
		folder,
		path,
		clock,
		problems,
		close,
		/** Folds a fact, and waits until the file follows it. */
		happen(body: FactBody, name = names[0]) {
			store.receive([{ account: `key of ${name}`, at: clock.now(), ...body }]);
			clock.move(2_000);
		},
		/** Returns the samples of a metric by the value of its label, for the first account. */
		samples(metric: string): Readonly<Record<string, number>> {
			const { samples = [] } =
				parseStrictly(readFileSync(path, 'utf8')).get(`crowsnest_${metric}`) ?? {};
			const own = samples.filter(({ labels }) => labels['account'] === names[0]);
			return Object.fromEntries(
				own.map(({ labels: { account: _, ...others }, value }) => [
					Object.values(others).join(),
					value,
				]),
			);
		},
	};
}

test('the file counts computers by phase and version, with a zero for each empty phase', () => {
	const { happen, samples, clock } = keep();
	expect(samples('computers')).toEqual({});
	const [old, latest] = [{ version: '1.4.1' }, { version: '1.4.2' }];
	const computers = [
		{ id: 'a', status: 'running', ...old },
		{ id: 'b', status: 'active', ...latest },
		{ id: 'c', status: 'error', ...old },
		{ id: 'd', status: 'archived', version: '1.0.0' },
		{ id: 'e', status: 'stopped' },
		{ id: 'f', status: 'stopped', version: null },
	];
	happen({ type: 'listRead', computers });
	expect(samples('computers')).toMatchObject({ active: 2, error: 1, archived: 1, creating: 0 });
	const others = { unknown: 1, '(not read)': 1 };
	expect(samples('computers_by_version')).toEqual({ '1.4.1': 2, '1.4.2': 1, ...others });
	expect(samples('account_up')).toEqual({ '': 1 });
	happen({ type: 'readFailed', read: 'list', failure: createFailure('offline', 'refused') });
	expect(samples('account_up')).toEqual({ '': 1 });
	clock.move(60_000);
	expect(samples('account_up')).toEqual({ '': 0 });
});

test('the file has at most fifty versions, so that a platform cannot flood Prometheus', () => {
	const { happen, samples } = keep();
	const computerOf = (_: unknown, at: number) => {
		return { id: `c${at}`, status: 'active', version: `1.${at}` };
	};
	happen({ type: 'listRead', computers: Array.from({ length: 200 }, computerOf) });
	expect(Object.keys(samples('computers_by_version'))).toHaveLength(51);
	expect(samples('computers_by_version')['(other)']).toBe(150);
});

test('the file counts each refusal of a rate limit once', () => {
	const { happen, samples, clock } = keep();
	const begin = clock.now();
	const other = { limit: 30, spent: 12 };
	for (const frozenUntil of [undefined, begin + 30_000, begin + 30_003, undefined, begin + 90_000])
		happen({
			type: 'limitsChanged',
			standings: {
				create: { limit: 5, spent: 0 },
				status: { limit: 60, spent: 40 },
				other: frozenUntil === undefined ? other : { ...other, frozenUntil },
			},
		});
	expect(samples('budget_refusals_total')).toEqual({ create: 0, status: 0, other: 2 });
	expect(samples('budget_used_requests')).toEqual({ create: 0, status: 40, other: 12 });
});

test('the file has the credits, what is burned a second and how long they last', () => {
	const { happen, samples, clock } = keep();
	for (const balance of [10, 9, 8]) {
		happen({ type: 'answered', read: 'credits', answer: { balance } });
		clock.move(1_798_000);
	}
	expect(samples('credits')).toEqual({ '': 8 });
	expect(samples('credits_burned_per_second')['']).toBeCloseTo(2 / 3_600);
	expect(samples('credits_runway_seconds')['']).toBeCloseTo(4 * 3_600);
});

test('the file counts an operation once, although it comes from its process and from the journal', () => {
	const { happen, clock, samples } = keep();
	const spec = { type: 'operationChanged', key: 'k1', operation: 'stop', computer: 'a' } as const;
	const asked = clock.now();
	const times = { asked, sent: asked, ended: asked + 20_000 };
	happen({ ...spec, step: 'sent', times: { asked, sent: asked } });
	happen({ ...spec, step: 'unknown', times: { asked, sent: asked } });
	for (const _ of ['its process', 'the journal']) happen({ ...spec, step: 'done', times });
	expect(samples('operations_total')).toEqual({ done: 1, failed: 0, unknown: 1, cancelled: 0 });
});

test('names with quotes, backslashes and line breaks are escaped, also of a second account', () => {
	const hostile = 'a"b\\c\nd}{,="';
	const { happen, samples } = keep([hostile, 'lab']);
	const computers = [{ id: 'a', status: 'active', version: hostile }];
	const fact: FactBody = { type: 'listRead', computers };
	happen(fact);
	happen(fact, 'lab');
	expect(samples('computers_by_version')).toEqual({ [hostile]: 1 });
});

test('every user may read the file, which is replaced whole, and a problem is reported once', () => {
	const umask = process.umask(0o077);
	const { folder, path, problems, happen, clock, close } = keep();
	process.umask(umask);
	expect(statSync(path).mode & 0o777).toBe(0o644);
	rmSync(path);
	chmodSync(folder, 0o500);
	const isRoot = process.getuid?.() === 0;
	for (const _ of [1, 2, 3]) happen({ type: 'listRead', computers: [] });
	expect(problems).toHaveLength(isRoot ? 0 : 1);
	chmodSync(folder, 0o700);
	clock.move(60_000);
	expect(readdirSync(folder)).toEqual(['fleet.prom']);
	close();
	rmSync(path);
	clock.move(600_000);
	expect(readdirSync(folder)).toEqual([]);
	expect(problemOfWriting(path, '')).toBeUndefined();
	expect(problemOfWriting(join(folder, 'none', 'x'), '')).toMatch(/no such file/);
});
