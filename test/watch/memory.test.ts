import { beforeEach, describe, expect, test } from 'vitest';
import type { FailureKind } from '../../source/fleet/failure.ts';
import { failureOf } from '../../source/platform/platform-error.ts';
import { createMemory, type Memory } from '../../source/watch/memory.ts';
import type { Read } from '../../source/watch/outlook.ts';
import type { Happening } from '../../source/watch/reads.ts';

const now = Date.UTC(2026, 10, 21, 8);
const list: Read = { name: 'list' };
const credits: Read = { name: 'credits' };
const statusOf = (id: string): Read => ({ name: 'status', id, stream: 'rest' });

let memory: Memory;
let time: number;

const fail = (read: Read, kind: FailureKind) => {
	memory.asked(read, ++time);
	memory.failed(read, failureOf(kind, 'no'), ++time);
};

const tell = (read: Read, happening: Happening, requests = 1) => {
	memory.asked(read, ++time);
	memory.answered(read, { happening, requests }, ++time);
};

const balance: Happening = { type: 'creditsRead', credits: { balance: 1 } };

beforeEach(() => {
	time = now;
	memory = createMemory(() => 0);
	const computers = ['a', 'b', 'c'].map(id => ({ id, urgentSince: null }));
	memory.meet({ computers, listTells: new Set(['id', 'status']), isListUrgent: false });
});

describe('a failure', () => {
	test('is forgotten with the next answer', () => {
		fail(credits, 'server');
		expect(memory.outlook.tried.credits.setback?.count).toBe(1);
		tell(credits, balance);
		expect(memory.outlook.tried.credits.setback).toBeNull();
	});

	test('of one computer counts for it and for its kind of read', () => {
		fail(statusOf('a'), 'server');
		fail(statusOf('b'), 'server');
		expect(memory.outlook.computers.get('a')?.status.setback?.count).toBe(1);
		expect(memory.outlook.tried.status.setback?.count).toBe(2);
		tell(statusOf('c'), { type: 'statusRead', computer: { id: 'c', status: 'active' } });
		expect(memory.outlook.computers.get('a')?.status.setback?.count).toBe(1);
		expect(memory.outlook.tried.status.setback).toBeNull();
	});

	test('of many that were under way together is one', () => {
		for (const id of ['a', 'b', 'c']) memory.asked(statusOf(id), now);
		for (const id of ['a', 'b', 'c']) {
			memory.failed(statusOf(id), failureOf('offline', 'gone'), now + 10);
		}
		expect(memory.outlook.tried.status.setback?.count).toBe(1);
		expect(memory.outlook.outage).toBeNull();
	});

	test('for asking too much is not held against a computer', () => {
		fail(statusOf('a'), 'limited');
		expect(memory.outlook.computers.get('a')?.status.setback).toBeNull();
		expect(memory.outlook.tried.status.setback?.count).toBe(1);
	});
});

describe('an outage', () => {
	test('is what three failures of the network in a row are, of whatever reads', () => {
		fail(list, 'offline');
		fail(statusOf('a'), 'offline');
		expect(memory.outlook.outage).toBeNull();
		fail(credits, 'offline');
		expect(memory.outlook.outage?.count).toBe(3);
	});

	test('is not what an answer comes between', () => {
		fail(list, 'offline');
		fail(statusOf('a'), 'offline');
		tell(credits, balance);
		fail(list, 'offline');
		expect(memory.outlook.outage).toBeNull();
	});

	test('is what two refused sign-ins in a row are', () => {
		fail(list, 'auth');
		expect(memory.outlook.outage).toBeNull();
		fail(statusOf('a'), 'auth');
		expect(memory.outlook.outage?.delay).toBe(10_000);
	});

	test('ends with the first answer, and everything is due', () => {
		fail(statusOf('a'), 'offline');
		fail(list, 'offline');
		fail(credits, 'offline');
		tell(credits, balance);
		expect(memory.outlook.outage).toBeNull();
		expect(memory.outlook.tried.list.setback).toBeNull();
		expect(memory.outlook.computers.get('a')?.status.setback).toBeNull();
		const { tried, freshFrom } = memory.outlook;
		expect(tried.list.askedAt).toBeLessThan(freshFrom);
		expect(tried.credits.askedAt).not.toBeLessThan(freshFrom);
	});

	test('is none when what never failed is answered at once: what fails goes on being tried seldom', () => {
		for (const id of ['a', 'b', 'c']) fail(statusOf(id), 'offline');
		expect(memory.outlook.outage).not.toBeNull();
		tell(list, { type: 'listRead', computers: [] });
		expect(memory.outlook.outage).toBeNull();
		expect(memory.outlook.tried.status.setback?.count).toBe(3);
		expect(memory.outlook.tried.credits.askedAt).not.toBeLessThan(memory.outlook.freshFrom);
	});

	test('is tried at once when a person asks', () => {
		for (const read of [list, credits, statusOf('a')]) fail(read, 'offline');
		memory.want([list]);
		expect(memory.outlook.outage?.delay).toBe(0);
		expect(memory.outlook.tried.list.setback).toBeNull();
	});
});

describe('what was asked for by a person', () => {
	test('is wanted once, until it is answered', () => {
		memory.want([credits, list]);
		memory.want([list]);
		expect(memory.outlook.wanted).toHaveLength(2);
		fail(credits, 'server');
		expect(memory.outlook.wanted).toHaveLength(2);
		tell(credits, balance);
		expect(memory.outlook.wanted).toEqual([list]);
	});

	test('is dropped with its computer', () => {
		memory.want([statusOf('a'), statusOf('b')]);
		memory.meet({
			computers: [{ id: 'b', urgentSince: null }],
			listTells: null,
			isListUrgent: false,
		});
		expect(memory.outlook.wanted).toEqual([statusOf('b')]);
	});
});

describe('it learns', () => {
	test('what a list costs', () => {
		memory.asked(list, now);
		memory.answered(
			list,
			{ happening: { type: 'listRead', computers: [] }, requests: 7 },
			now + 90,
		);
		expect(memory.outlook).toMatchObject({ listRequests: 7, listTook: 90 });
	});

	test('whether the list tells the status', () => {
		expect(memory.outlook.listTells).toBe(true);
		memory.meet({ computers: [], listTells: new Set(['id']), isListUrgent: false });
		expect(memory.outlook.listTells).toBe(false);
		memory.meet({ computers: [], listTells: null, isListUrgent: false });
		expect(memory.outlook.listTells).toBeNull();
	});

	test('what details tell beside the list and the status', () => {
		const detail: Read = { name: 'detail', id: 'a' };
		tell(statusOf('a'), { type: 'statusRead', computer: { id: 'a', stage: null } });
		tell(detail, { type: 'detailRead', computer: { id: 'a', status: 'active', stage: null } });
		expect(memory.outlook).toMatchObject({ detailTells: true, detailAdds: false });
		tell(detail, { type: 'detailRead', computer: { id: 'a', cpu: 3 } });
		expect(memory.outlook).toMatchObject({ detailTells: false, detailAdds: true });
	});
});

test('lists are counted from round to round', () => {
	memory.asked(list, now);
	memory.asked(list, now + 1);
	expect(memory.outlook.look).toEqual({ at: now + 1, lists: 2 });
	memory.asked({ ...statusOf('a'), stream: 'round' }, now + 2);
	expect(memory.outlook.look).toEqual({ at: now + 2, lists: 0 });
});

test('what it knows of a computer stays through a new list', () => {
	memory.asked(statusOf('b'), now);
	const computers = ['c', 'b', 'd'].map(id => ({ id, urgentSince: id === 'b' ? now : null }));
	memory.meet({ computers, listTells: null, isListUrgent: false });
	expect([...memory.outlook.computers.keys()]).toEqual(['c', 'b', 'd']);
	expect(memory.outlook.computers.get('b')).toMatchObject({
		urgentSince: now,
		status: { askedAt: now, isInFlight: true },
	});
});
