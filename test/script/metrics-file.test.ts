import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FactBody } from '../../source/fleet/fact.ts';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import { keepMetricsFile, problemOfWriting } from '../../source/script/metrics-file.ts';
import { createStore } from '../../source/store/store.ts';
import { createHeldClock } from '../held-clock.ts';
import { temporaryFolder } from '../journal/state-directory.ts';

const labelRule = '[a-z_]+="((?:[^"\\\\\\n]|\\\\[\\\\"n])+)"';
const familyRule = /^# HELP (crowsnest_[a-z_]+) .+\n# TYPE \1 (gauge|counter)\n((?:[^#\n].*\n)+)$/;
const sampleRule = new RegExp(
	`^(\\w+)\\{${labelRule}(?:,${labelRule})?\\} ([+-]Inf|-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)$`,
);

/** The values by metric, account and label, of a text that node_exporter accepts: it has no time, and no series twice. */
function valuesIn(text: string): ReadonlyMap<string, number> {
	const values = new Map<string, number>();
	for (const block of text.split(/^(?=# HELP )/m).filter(Boolean)) {
		const [, name = '', type, lines = ''] = familyRule.exec(block) ?? [];
		expect(type, block).toBe(name.endsWith('_total') ? 'counter' : 'gauge');
		for (const line of lines.trimEnd().split('\n')) {
			const [, metric, account, each = '', number = ''] = sampleRule.exec(line) ?? [];
			expect(metric, line).toBe(name);
			const key = [metric, account, each].join(' ').replace(/\\(.)/g, '$1');
			expect(values.has(key), key).toBe(false);
			values.set(key, Number(number.replace('Inf', 'Infinity')));
		}
	}
	return values;
}

function keep(name = 'work') {
	const folder = temporaryFolder();
	const path = join(folder, 'fleet.prom');
	const clock = createHeldClock();
	const store = createStore();
	const problems: string[] = [];
	const accounts = [name, 'lab'].map(each => ({ account: `key of ${each}`, name: each }));
	const close = keepMetricsFile(path, clock, store, accounts, reason => problems.push(reason));
	return {
		folder,
		path,
		clock,
		problems,
		close,
		/** Folds a fact, and waits until the file follows it. */
		happen(body: FactBody, account = name) {
			store.receive([{ account: `key of ${account}`, at: clock.now(), ...body }]);
			clock.move(2_000);
		},
		/** The samples of a metric by the value of its label. */
		samples(metric: string, account = name): Readonly<Record<string, number>> {
			const start = `crowsnest_${metric} ${account} `;
			const own = [...valuesIn(readFileSync(path, 'utf8'))].filter(([key]) =>
				key.startsWith(start),
			);
			return Object.fromEntries(own.map(([key, value]) => [key.slice(start.length), value]));
		},
	};
}

test('the file counts computers by phase and version, with a zero for each empty phase', () => {
	const { happen, samples, clock } = keep();
	expect(samples('computers')).toEqual({});
	const computers = [
		{ id: 'a', status: 'running', version: '1.4.1' },
		{ id: 'b', status: 'active', version: '1.4.2' },
		{ id: 'c', status: 'error', version: '1.4.1' },
		{ id: 'd', status: 'archived', version: '1.0.0' },
		{ id: 'e', status: 'stopped' },
		{ id: 'f', status: 'stopped', version: null },
	];
	happen({ type: 'listRead', computers });
	expect(samples('computers')).toMatchObject({ active: 2, error: 1, archived: 1, creating: 0 });
	const others = { unknown: 1, '(not read)': 1 };
	expect(samples('computers_by_version')).toEqual({ '1.4.1': 2, '1.4.2': 1, ...others });
	happen({ type: 'readFailed', read: 'list', failure: createFailure('offline', 'refused') });
	expect(samples('account_up')).toEqual({ '': 1 });
	clock.move(60_000);
	expect(samples('account_up')).toEqual({ '': 0 });
});

test('the file has at most fifty versions, so that a platform cannot flood Prometheus', () => {
	const { happen, samples } = keep();
	const computerOf = (_: unknown, at: number) => ({ id: `c${at}`, version: `1.${at}` });
	happen({ type: 'listRead', computers: Array.from({ length: 200 }, computerOf) });
	expect(Object.keys(samples('computers_by_version'))).toHaveLength(51);
	expect(samples('computers_by_version')['(other)']).toBe(150);
});

test('the file counts each refusal of a rate limit once', () => {
	const { happen, samples, clock } = keep();
	const begin = clock.now();
	for (const frozenUntil of [undefined, begin + 30_000, begin + 30_003, undefined, begin + 90_000])
		happen({
			type: 'limitsChanged',
			standings: {
				create: { limit: 5, spent: 0 },
				status: { limit: 60, spent: 40 },
				other: { limit: 30, spent: 12, ...(frozenUntil && { frozenUntil }) },
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
	const sent = { asked: clock.now(), sent: clock.now() };
	for (const step of ['sent', 'unknown'] as const) happen({ ...spec, step, times: sent });
	const times = { ...sent, ended: sent.sent + 20_000 };
	for (const _ of ['its process', 'the journal']) happen({ ...spec, step: 'done', times });
	expect(samples('operations_total')).toEqual({ done: 1, failed: 0, unknown: 1, cancelled: 0 });
});

test('names with quotes, backslashes and line breaks are escaped, also of a second account', () => {
	const hostile = 'a"b\\c\nd}{,="';
	const { happen, samples } = keep(hostile);
	const computers = [{ id: 'a', status: 'active', version: hostile }];
	for (const account of [hostile, 'lab']) happen({ type: 'listRead', computers }, account);
	const shown = hostile.replace('\n', 'n');
	expect(samples('computers_by_version', shown)).toEqual({ [shown]: 1 });
	expect(samples('computers_by_version', 'lab')).toEqual({ [shown]: 1 });
});

test('every user may read the file, which is replaced whole, and a problem is reported once', () => {
	const umask = process.umask(0o077);
	const { folder, path, problems, happen, clock, close } = keep();
	process.umask(umask);
	expect(statSync(path).mode & 0o777).toBe(0o644);
	rmSync(folder, { recursive: true });
	for (const _ of [1, 2, 3]) happen({ type: 'listRead', computers: [] });
	expect(problems).toEqual(['no such file or directory']);
	mkdirSync(folder);
	clock.move(60_000);
	expect(readdirSync(folder)).toEqual(['fleet.prom']);
	close();
	rmSync(path);
	clock.move(600_000);
	expect(readdirSync(folder)).toEqual([]);
	expect(problemOfWriting(path, '')).toBeUndefined();
	expect(problemOfWriting(folder, '')).toBe('illegal operation on a directory');
});
