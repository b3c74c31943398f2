import { beforeEach, describe, expect, test } from 'vitest';
import type { FactBody } from '../../source/fleet/fact.ts';
import type { FailureKind } from '../../source/foundation/failure.ts';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import type { Read } from '../../source/watch/planner-input.ts';
import { createRequestHistory, type RequestHistory } from '../../source/watch/request-history.ts';

const now = Date.UTC(2026, 10, 21, 8);
const list: Read = { name: 'list' };
const credits: Read = { name: 'credits' };
const statusOf = (id: string): Read => ({ name: 'status', id, purpose: 'rest' });

let history: RequestHistory;
let time: number;

const fail = (read: Read, kind: FailureKind) => {
	history.noteSent(read, ++time);
	history.noteFailed(read, createFailure(kind, 'no'), ++time);
};

const answer = (read: Read, fact: FactBody, requests = 1) => {
	history.noteSent(read, ++time);
	history.noteAnswered(read, { fact, requestCount: requests }, ++time);
};

const balance: FactBody = { type: 'creditsRead', credits: { balance: 1 } };

beforeEach(() => {
	time = now;
	history = createRequestHistory(() => 0);
	const computers = ['a', 'b', 'c'].map(id => ({
		id,
		urgentSince: null,
		statusNeed: null,
		lacksDetail: false,
	}));
	history.setFleet({
		computers,
		listFields: new Set(['id', 'status']),
		isListUrgent: false,
		movingSince: null,
	});
});

test('a read that fails after the clock was set back waits as after any failure', () => {
	fail(list, 'auth');
	fail(list, 'auth');
	const earlier = now - 500;
	history.noteSent(list, earlier);
	const retryAt = history.noteFailed(list, createFailure('auth', 'no'), earlier);
	expect(retryAt).toBeGreaterThanOrEqual(earlier + 5_000);
});

test('computers that were never read share one history, and the first read of one of them changes no other', () => {
	const { computers } = history.plannerInput;
	const [a, b] = [computers.get('a'), computers.get('b')];
	expect(a?.status).toBe(b?.status);
	history.noteSent(statusOf('a'), now);
	expect(a?.status).toMatchObject({ askedAt: now, isInFlight: true });
	expect(b?.status).toMatchObject({ askedAt: Number.NEGATIVE_INFINITY, isInFlight: false });
	history.noteFailed(statusOf('a'), createFailure('offline', 'no'), now);
	history.expireAnswers(now);
	expect(a?.status).toMatchObject({ askedAt: now, isInFlight: false, backoff: null });
});

describe('a failure', () => {
	test('is forgotten with the next answer', () => {
		fail(credits, 'server');
		expect(history.plannerInput.histories.credits.backoff?.failureCount).toBe(1);
		answer(credits, balance);
		expect(history.plannerInput.histories.credits.backoff).toBeNull();
	});

	test('on one computer counts for that computer and for its kind of read', () => {
		fail(statusOf('a'), 'server');
		fail(statusOf('b'), 'server');
		expect(history.plannerInput.computers.get('a')?.status.backoff?.failureCount).toBe(1);
		expect(history.plannerInput.histories.status.backoff?.failureCount).toBe(2);
		answer(statusOf('c'), { type: 'statusRead', computer: { id: 'c', status: 'active' } });
		expect(history.plannerInput.computers.get('a')?.status.backoff?.failureCount).toBe(1);
		expect(history.plannerInput.histories.status.backoff).toBeNull();
	});

	test('counts once when several reads in flight fail together', () => {
		for (const id of ['a', 'b', 'c']) history.noteSent(statusOf(id), now);
		for (const id of ['a', 'b', 'c']) {
			history.noteFailed(statusOf(id), createFailure('offline', 'gone'), now + 10);
		}
		expect(history.plannerInput.histories.status.backoff?.failureCount).toBe(1);
		expect(history.plannerInput.outageBackoff).toBeNull();
	});

	test('caused by the rate limit does not count against the computer', () => {
		fail(statusOf('a'), 'limited');
		expect(history.plannerInput.computers.get('a')?.status.backoff).toBeNull();
		expect(history.plannerInput.histories.status.backoff?.failureCount).toBe(1);
	});
});

describe('an outage', () => {
	test('begins with three network failures in a row, whichever reads fail', () => {
		fail(list, 'offline');
		fail(statusOf('a'), 'offline');
		expect(history.plannerInput.outageBackoff).toBeNull();
		fail(credits, 'offline');
		expect(history.plannerInput.outageBackoff?.failureCount).toBe(3);
	});

	test('does not begin when an answer comes between the failures', () => {
		fail(list, 'offline');
		fail(statusOf('a'), 'offline');
		answer(credits, balance);
		fail(list, 'offline');
		expect(history.plannerInput.outageBackoff).toBeNull();
	});

	test('begins with two refused sign-ins in a row', () => {
		fail(list, 'auth');
		expect(history.plannerInput.outageBackoff).toBeNull();
		fail(statusOf('a'), 'auth');
		expect(history.plannerInput.outageBackoff?.delayMs).toBe(10_000);
	});

	test('ends with the first answer, and makes every read due', () => {
		fail(statusOf('a'), 'offline');
		fail(list, 'offline');
		fail(credits, 'offline');
		answer(credits, balance);
		expect(history.plannerInput.outageBackoff).toBeNull();
		expect(history.plannerInput.histories.list.backoff).toBeNull();
		expect(history.plannerInput.computers.get('a')?.status.backoff).toBeNull();
		const { histories, answersStaleBefore } = history.plannerInput;
		expect(histories.list.askedAt).toBeLessThan(answersStaleBefore);
		expect(histories.credits.askedAt).not.toBeLessThan(answersStaleBefore);
	});

	test('ends without resetting the backoff of failing reads when the answered read never failed', () => {
		for (const id of ['a', 'b', 'c']) fail(statusOf(id), 'offline');
		expect(history.plannerInput.outageBackoff).not.toBeNull();
		answer(list, { type: 'listRead', computers: [] });
		expect(history.plannerInput.outageBackoff).toBeNull();
		expect(history.plannerInput.histories.status.backoff?.failureCount).toBe(3);
		expect(history.plannerInput.histories.credits.askedAt).not.toBeLessThan(
			history.plannerInput.answersStaleBefore,
		);
	});

	test('allows a read at once when a person requests it', () => {
		for (const read of [list, credits, statusOf('a')]) fail(read, 'offline');
		history.noteRequested([list]);
		expect(history.plannerInput.outageBackoff?.delayMs).toBe(0);
		expect(history.plannerInput.histories.list.backoff).toBeNull();
	});
});

describe('a read that a person requests', () => {
	test('is kept until it is answered, and only once', () => {
		history.noteRequested([credits, list]);
		history.noteRequested([list]);
		expect(history.plannerInput.requestedReads).toHaveLength(2);
		fail(credits, 'server');
		expect(history.plannerInput.requestedReads).toHaveLength(2);
		answer(credits, balance);
		expect(history.plannerInput.requestedReads).toEqual([list]);
	});

	test('is dropped when its computer is gone', () => {
		history.noteRequested([statusOf('a'), statusOf('b')]);
		history.setFleet({
			computers: [{ id: 'b', urgentSince: null, statusNeed: null, lacksDetail: false }],
			listFields: null,
			isListUrgent: false,
			movingSince: null,
		});
		expect(history.plannerInput.requestedReads).toEqual([statusOf('b')]);
	});
});

describe('the history', () => {
	test('learns how many requests a list costs, and how long it takes', () => {
		history.noteSent(list, now);
		history.noteAnswered(
			list,
			{ fact: { type: 'listRead', computers: [] }, requestCount: 7 },
			now + 90,
		);
		expect(history.plannerInput).toMatchObject({ requestsPerList: 7, listDurationMs: 90 });
	});

	test('does not count the wait for the rate limit as part of the duration of a list', () => {
		history.noteSent(list, now);
		const answered = { fact: { type: 'listRead', computers: [] }, requestCount: 1 } as const;
		history.noteAnswered(list, answered, now + 15_090, now + 15_000);
		expect(history.plannerInput.listDurationMs).toBe(90);
	});

	test('learns whether the list includes the status', () => {
		expect(history.plannerInput.listHasStatus).toBe(true);
		history.setFleet({
			computers: [],
			listFields: new Set(['id']),
			isListUrgent: false,
			movingSince: null,
		});
		expect(history.plannerInput.listHasStatus).toBe(false);
		history.setFleet({ computers: [], listFields: null, isListUrgent: false, movingSince: null });
		expect(history.plannerInput.listHasStatus).toBeNull();
	});

	test('learns which fields details add to the list and the status', () => {
		const detail: Read = { name: 'detail', id: 'a' };
		answer(statusOf('a'), { type: 'statusRead', computer: { id: 'a', stage: null } });
		answer(detail, { type: 'detailRead', computer: { id: 'a', status: 'active', stage: null } });
		expect(history.plannerInput).toMatchObject({ detailHasStatus: true, detailAddsFields: false });
		answer(detail, { type: 'detailRead', computer: { id: 'a', cpu: 3 } });
		expect(history.plannerInput).toMatchObject({ detailHasStatus: false, detailAddsFields: true });
	});
});

test('the history of a computer stays when a new list arrives', () => {
	history.noteSent(statusOf('b'), now);
	const computers = ['c', 'b', 'd'].map(id => ({
		id,
		urgentSince: id === 'b' ? now : null,
		statusNeed: null,
		lacksDetail: false,
	}));
	history.setFleet({ computers, listFields: null, isListUrgent: false, movingSince: null });
	expect([...history.plannerInput.computers.keys()]).toEqual(['c', 'b', 'd']);
	expect(history.plannerInput.computers.get('b')).toMatchObject({
		urgentSince: now,
		status: { askedAt: now, isInFlight: true },
	});
});
