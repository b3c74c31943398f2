import { describe, expect, test } from 'vitest';
import type { Reading } from '../../source/fleet/computers/computer.ts';
import type { Fact } from '../../source/fleet/fact.ts';
import { frameIntervalBeforeRowsMs, frameIntervalMs } from '../../source/monitor/joined-store.ts';
import { frameIntervalIn, isUrgentChange } from '../../source/monitor/urgent-change.ts';
import { fold } from '../../source/store/fold.ts';
import { emptyAccount, emptyState, type State } from '../../source/store/state.ts';
import type { MonitorData } from '../../source/views/monitor-data.ts';
import { fact as factOf, failure, listRead, statusRead } from '../arbitraries/sample-facts.ts';
import { now } from '../arbitraries/values.ts';
import { profileOf } from '../opened-account.ts';

const account = 'test';
const operations: MonitorData['operations'] = {
	question: undefined,
	isLocked: false,
	isReadOnly: false,
	commandRuns: [],
	portChecks: [],
	holdReason: undefined,
	isEscapePending: () => false,
};
const functions = {
	waitReasonsAt: () => () => undefined,
	estimateTimeLeft: () => 0,
	exitSummary: () => ({ sent: [], running: [], unknown: [], dropped: [] }),
};

const profiles = [profileOf(account)];

const noBindings: MonitorData['actions'] = [];

const dataOf = ({ accounts }: State): MonitorData => ({
	accounts,
	profiles,
	operations,
	passwordPrompt: undefined,
	canSignIn: false,
	actions: noBindings,
	badge: undefined,
	replay: undefined,
	...functions,
});

const limitsChanged = (spent: number, frozenUntil?: number): Fact => ({
	account,
	at: now,
	type: 'limitsChanged',
	standings: {
		create: { limit: 5, spent: 0 },
		status: { limit: 60, spent },
		other: { limit: 30, spent, ...(frozenUntil !== undefined && { frozenUntil }) },
	},
});

const before = fold(emptyState, limitsChanged(1));
const isUrgent = (fact: Fact) => isUrgentChange(dataOf(before), dataOf(fold(before, fact)));

test('a new number of spent requests is not urgent', () => {
	expect(isUrgent(limitsChanged(2))).toBe(false);
});

test('a frozen rate limit is urgent', () => {
	expect(isUrgent(limitsChanged(2, now + 9000))).toBe(true);
});

test('any other fact is urgent', () => {
	expect(isUrgent({ account, at: now, type: 'signedIn', email: 'owner@example.com' })).toBe(true);
	expect(isUrgent({ ...limitsChanged(1), account: 'another' })).toBe(true);
});

test('frames follow each other slowly until there are rows, a failure or a question for a password', () => {
	const interval = (fact: Fact) => frameIntervalIn(dataOf(fold(before, fact)));
	const signedIn = factOf(now, { type: 'signedIn', email: 'owner@example.com' });
	expect(interval(signedIn)).toBe(frameIntervalBeforeRowsMs);
	expect(interval(statusRead(now, { id: 'a' }))).toBe(frameIntervalMs);
	expect(interval(listRead(now, []))).toBe(frameIntervalMs);
	expect(interval(factOf(now, { type: 'readFailed', read: 'list', failure }))).toBe(
		frameIntervalMs,
	);
	const passwordPrompt = { email: 'owner@example.com', host: 'example.com' };
	expect(frameIntervalIn({ ...dataOf(before), passwordPrompt })).toBe(frameIntervalMs);
});

test('a change of the operations is urgent', () => {
	const locked = { ...dataOf(before), operations: { ...operations, isLocked: true } };
	expect(isUrgentChange(dataOf(before), locked)).toBe(true);
});

describe('an answer about computers', () => {
	const atlas: Reading = { id: 'sb_1', status: 'active', cpu: 12, memory: 40 };
	const gemini: Reading = { id: 'sb_2', status: 'active', cpu: 3, memory: 20 };
	const listed = fold(emptyState, listRead(now, [atlas, gemini]));
	const isUrgentAfter = (fact: Fact, state = listed, isLowBandwidth = false) =>
		isUrgentChange(dataOf(state), dataOf(fold(state, fact)), isLowBandwidth);
	const busier = [{ ...atlas, cpu: 80, memory: 41 }, gemini];

	test('is not urgent if only its time, CPU and memory are new', () => {
		expect(isUrgentAfter(listRead(now + 5_000, [atlas, gemini]))).toBe(false);
		expect(isUrgentAfter(listRead(now + 5_000, busier))).toBe(false);
		const withPorts = (cpu: number) => listRead(now, [{ ...atlas, cpu, ports: [{ port: 80 }] }]);
		expect(isUrgentAfter(withPorts(13), fold(emptyState, withPorts(12)))).toBe(false);
	});

	test('is urgent on a slow line, where the time is drawn only once a minute', () => {
		expect(isUrgentAfter(listRead(now + 5_000, busier), listed, true)).toBe(true);
	});

	test.each<[string, readonly Reading[]]>([
		['another status', [{ ...atlas, status: 'stopping' }, gemini]],
		['another version', [{ ...atlas, version: '1.4.2' }, gemini]],
		['no CPU any more', [{ ...atlas, cpu: null }, gemini]],
		['a new computer', [atlas, gemini, { id: 'sb_3', status: 'active' }]],
		['one computer less', [atlas]],
		['another order', [gemini, atlas]],
	])('is urgent if it brings %s', (_, computers) => {
		expect(isUrgentAfter(listRead(now + 5_000, computers))).toBe(true);
	});

	test('is urgent if it is the first of its kind, fails, or ends a failure', () => {
		expect(isUrgentAfter(listRead(now, [atlas]), emptyState)).toBe(true);
		expect(isUrgentAfter(statusRead(now + 5_000, { id: 'sb_1', status: 'active' }))).toBe(true);
		const failed = factOf(now + 5_000, { type: 'readFailed', read: 'list', failure });
		expect(isUrgentAfter(failed)).toBe(true);
		expect(isUrgentAfter(listRead(now + 6_000, [atlas, gemini]), fold(listed, failed))).toBe(true);
	});

	test('is urgent if it ends a long silence', () => {
		expect(isUrgentAfter(listRead(now + 30 * 60_000, [atlas, gemini]))).toBe(true);
	});
});

test('the same kind of answer about another computer is urgent', () => {
	const withAnswerAbout = (id: string) => {
		const reads = { status: { at: now, askedAt: now, hasStatus: true } };
		const state = { ...emptyAccount, computerReads: new Map([[id, reads]]) };
		return dataOf({ accounts: new Map([[account, state]]) });
	};
	expect(isUrgentChange(withAnswerAbout('a'), withAnswerAbout('a'))).toBe(false);
	expect(isUrgentChange(withAnswerAbout('a'), withAnswerAbout('b'))).toBe(true);
});
