import { beforeEach, describe, expect, test } from 'vitest';
import type { FactBody } from '../../source/fleet/fact.ts';
import type { FailureKind } from '../../source/fleet/failure.ts';
import { failureOf } from '../../source/platform/platform-error.ts';
import type { Read } from '../../source/watch/planner-input.ts';
import { createRequestHistory, type RequestHistory } from '../../source/watch/request-history.ts';

const now = Date.UTC(2026, 10, 21, 8);
const list: Read = { name: 'list' };
const credits: Read = { name: 'credits' };
const statusOf = (id: string): Read => ({ name: 'status', id, purpose: 'rest' });

let history: RequestHistory;
let time: number;

const fail = (read: Read, kind: FailureKind) => {
	history.sent(read, ++time);
	history.failed(read, failureOf(kind, 'no'), ++time);
};

const answer = (read: Read, fact: FactBody, requests = 1) => {
	history.sent(read, ++time);
	history.answered(read, { fact, requests }, ++time);
};

const balance: FactBody = { type: 'creditsRead', credits: { balance: 1 } };

beforeEach(() => {
	time = now;
	history = createRequestHistory(() => 0);
	const computers = ['a', 'b', 'c'].map(id => ({ id, urgentSince: null }));
	history.setFleet({ computers, listFields: new Set(['id', 'status']), isListUrgent: false });
});

describe('a failure', () => {
	test('is forgotten with the next answer', () => {
		fail(credits, 'server');
		expect(history.input.histories.credits.backoff?.count).toBe(1);
		answer(credits, balance);
		expect(history.input.histories.credits.backoff).toBeNull();
	});

	test('on one computer counts for that computer and for its kind of read', () => {
		fail(statusOf('a'), 'server');
		fail(statusOf('b'), 'server');
		expect(history.input.computers.get('a')?.status.backoff?.count).toBe(1);
		expect(history.input.histories.status.backoff?.count).toBe(2);
		answer(statusOf('c'), { type: 'statusRead', computer: { id: 'c', status: 'active' } });
		expect(history.input.computers.get('a')?.status.backoff?.count).toBe(1);
		expect(history.input.histories.status.backoff).toBeNull();
	});

	test('counts once when several reads in flight fail together', () => {
		for (const id of ['a', 'b', 'c']) history.sent(statusOf(id), now);
		for (const id of ['a', 'b', 'c']) {
			history.failed(statusOf(id), failureOf('offline', 'gone'), now + 10);
		}
		expect(history.input.histories.status.backoff?.count).toBe(1);
		expect(history.input.outage).toBeNull();
	});

	test('caused by the rate limit does not count against the computer', () => {
		fail(statusOf('a'), 'limited');
		expect(history.input.computers.get('a')?.status.backoff).toBeNull();
		expect(history.input.histories.status.backoff?.count).toBe(1);
	});
});

describe('an outage', () => {
	test('begins with three network failures in a row, whichever reads fail', () => {
		fail(list, 'offline');
		fail(statusOf('a'), 'offline');
		expect(history.input.outage).toBeNull();
		fail(credits, 'offline');
		expect(history.input.outage?.count).toBe(3);
	});

	test('does not begin when an answer comes between the failures', () => {
		fail(list, 'offline');
		fail(statusOf('a'), 'offline');
		answer(credits, balance);
		fail(list, 'offline');
		expect(history.input.outage).toBeNull();
	});

	test('begins with two refused sign-ins in a row', () => {
		fail(list, 'auth');
		expect(history.input.outage).toBeNull();
		fail(statusOf('a'), 'auth');
		expect(history.input.outage?.delay).toBe(10_000);
	});

	test('ends with the first answer, and makes every read due', () => {
		fail(statusOf('a'), 'offline');
		fail(list, 'offline');
		fail(credits, 'offline');
		answer(credits, balance);
		expect(history.input.outage).toBeNull();
		expect(history.input.histories.list.backoff).toBeNull();
		expect(history.input.computers.get('a')?.status.backoff).toBeNull();
		const { histories, staleBefore } = history.input;
		expect(histories.list.askedAt).toBeLessThan(staleBefore);
		expect(histories.credits.askedAt).not.toBeLessThan(staleBefore);
	});

	test('ends without resetting the backoff when the answered read never failed', () => {
		for (const id of ['a', 'b', 'c']) fail(statusOf(id), 'offline');
		expect(history.input.outage).not.toBeNull();
		answer(list, { type: 'listRead', computers: [] });
		expect(history.input.outage).toBeNull();
		expect(history.input.histories.status.backoff?.count).toBe(3);
		expect(history.input.histories.credits.askedAt).not.toBeLessThan(history.input.staleBefore);
	});

	test('allows a try at once when a person requests one', () => {
		for (const read of [list, credits, statusOf('a')]) fail(read, 'offline');
		history.request([list]);
		expect(history.input.outage?.delay).toBe(0);
		expect(history.input.histories.list.backoff).toBeNull();
	});
});

describe('a read that a person requests', () => {
	test('is kept once, until it is answered', () => {
		history.request([credits, list]);
		history.request([list]);
		expect(history.input.requested).toHaveLength(2);
		fail(credits, 'server');
		expect(history.input.requested).toHaveLength(2);
		answer(credits, balance);
		expect(history.input.requested).toEqual([list]);
	});

	test('is dropped when its computer is gone', () => {
		history.request([statusOf('a'), statusOf('b')]);
		history.setFleet({
			computers: [{ id: 'b', urgentSince: null }],
			listFields: null,
			isListUrgent: false,
		});
		expect(history.input.requested).toEqual([statusOf('b')]);
	});
});

describe('the history', () => {
	test('learns how many requests a list costs, and how long it takes', () => {
		history.sent(list, now);
		history.answered(list, { fact: { type: 'listRead', computers: [] }, requests: 7 }, now + 90);
		expect(history.input).toMatchObject({ listRequests: 7, listDuration: 90 });
	});

	test('learns whether the list includes the status', () => {
		expect(history.input.listHasStatus).toBe(true);
		history.setFleet({ computers: [], listFields: new Set(['id']), isListUrgent: false });
		expect(history.input.listHasStatus).toBe(false);
		history.setFleet({ computers: [], listFields: null, isListUrgent: false });
		expect(history.input.listHasStatus).toBeNull();
	});

	test('learns which fields details add to the list and the status', () => {
		const detail: Read = { name: 'detail', id: 'a' };
		answer(statusOf('a'), { type: 'statusRead', computer: { id: 'a', stage: null } });
		answer(detail, { type: 'detailRead', computer: { id: 'a', status: 'active', stage: null } });
		expect(history.input).toMatchObject({ detailHasStatus: true, detailAddsFields: false });
		answer(detail, { type: 'detailRead', computer: { id: 'a', cpu: 3 } });
		expect(history.input).toMatchObject({ detailHasStatus: false, detailAddsFields: true });
	});
});

test('counts the lists since the last round of status reads', () => {
	history.sent(list, now);
	history.sent(list, now + 1);
	expect(history.input.lastSweep).toEqual({ at: now + 1, lists: 2 });
	history.sent({ ...statusOf('a'), purpose: 'round' }, now + 2);
	expect(history.input.lastSweep).toEqual({ at: now + 2, lists: 0 });
});

test('keeps the history of a computer when a new list arrives', () => {
	history.sent(statusOf('b'), now);
	const computers = ['c', 'b', 'd'].map(id => ({ id, urgentSince: id === 'b' ? now : null }));
	history.setFleet({ computers, listFields: null, isListUrgent: false });
	expect([...history.input.computers.keys()]).toEqual(['c', 'b', 'd']);
	expect(history.input.computers.get('b')).toMatchObject({
		urgentSince: now,
		status: { askedAt: now, isInFlight: true },
	});
});
