import { expect, test } from 'vitest';
import type { Fact } from '../../source/fleet/fact.ts';
import { isUrgentChange } from '../../source/monitor/urgent-change.ts';
import { fold } from '../../source/store/fold.ts';
import { emptyState, type State } from '../../source/store/state.ts';
import type { MonitorData } from '../../source/views/monitor-data.ts';
import { createPaletteFinder } from '../../source/wording/palette/find-items.ts';
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
};
const functions = {
	findPaletteItems: createPaletteFinder(),
	waitReasonsAt: () => () => undefined,
	estimateTimeLeft: () => 0,
	exitSummary: () => ({ sent: [], running: [], unknown: [], dropped: [] }),
};

const profiles = [profileOf(account)];

const noBindings: MonitorData['bindings'] = [];

const dataOf = ({ accounts }: State): MonitorData => ({
	accounts,
	profiles,
	operations,
	passwordPrompt: undefined,
	canSignIn: false,
	bindings: noBindings,
	badge: undefined,
	replay: undefined,
	...functions,
});

const paceChanged = (spent: number, frozenUntil?: number): Fact => ({
	account,
	at: now,
	type: 'paceChanged',
	standings: {
		create: { limit: 5, spent: 0 },
		status: { limit: 60, spent },
		other: { limit: 30, spent, ...(frozenUntil !== undefined && { frozenUntil }) },
	},
});

const before = fold(emptyState, paceChanged(1));
const isUrgent = (fact: Fact) => isUrgentChange(dataOf(before), dataOf(fold(before, fact)));

test('a new number of spent requests is not urgent', () => {
	expect(isUrgent(paceChanged(2))).toBe(false);
});

test('a frozen rate limit is urgent', () => {
	expect(isUrgent(paceChanged(2, now + 9000))).toBe(true);
});

test('any other fact is urgent', () => {
	expect(isUrgent({ account, at: now, type: 'signedIn', email: 'owner@example.com' })).toBe(true);
	expect(isUrgent({ ...paceChanged(1), account: 'another' })).toBe(true);
});

test('a change of the operations is urgent', () => {
	const locked = { ...dataOf(before), operations: { ...operations, isLocked: true } };
	expect(isUrgentChange(dataOf(before), locked)).toBe(true);
});
