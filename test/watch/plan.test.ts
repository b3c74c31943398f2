import { describe, expect, test } from 'vitest';
import { plan } from '../../source/watch/plan.ts';
import type { PlannerInput, ReadSlotsByScope } from '../../source/watch/planner-input.ts';
import {
	answeredAgo,
	fleetOf,
	now,
	plannerInput,
	polledComputer,
	readHistory,
	readSlotsByScope,
} from './planner-inputs.ts';

const plannedReads = (
	change: Partial<PlannerInput>,
	slots: ReadSlotsByScope = readSlotsByScope(),
) =>
	plan(plannerInput(change), slots, now).reads.map(({ name, id }) => (id ? `${name} ${id}` : name));

const longAgo = { urgent: 0, attended: 0, rest: 0, detail: 0 };
const many = Array.from({ length: 40 }, (_, place) =>
	polledComputer(`sb_${place}`, { status: answeredAgo(place * 1000) }),
);

test('the plan has no read while no read is due, and names the time of the next read', () => {
	const { reads, nextPlanAt } = plan(plannerInput(), readSlotsByScope(), now);
	expect(reads).toEqual([]);
	expect(nextPlanAt).toBeGreaterThan(now);
	expect(nextPlanAt).toBeLessThan(now + 3000);
});

test('the list is read first, and the account a moment later', () => {
	const fresh = {
		histories: {
			...plannerInput().histories,
			list: readHistory(),
			credits: readHistory(),
			subscription: readHistory(),
			release: readHistory(),
		},
		listHasStatus: null,
		answersStaleBefore: now,
	};
	expect(plannedReads(fresh)).toEqual(['list']);
	const later = { ...fresh, answersStaleBefore: now - 1500 };
	expect(plannedReads(later).sort()).toEqual(['credits', 'list', 'release', 'subscription']);
	expect(plannedReads(later, readSlotsByScope({ other: 1 }))).toEqual(['list']);
});

const listedAgo = (ago: number): Pick<PlannerInput, 'histories'> => ({
	histories: { ...plannerInput().histories, list: answeredAgo(ago) },
});

describe('the list', () => {
	test('is read as often as the slots allow while something moves', () => {
		expect(plannedReads(listedAgo(2800))).toEqual(['list']);
		expect(plannedReads(listedAgo(2400))).toEqual([]);
	});

	test('is read about every five seconds while nothing moves', () => {
		expect(plannedReads({ ...listedAgo(5000), movingSince: null })).toEqual(['list']);
		expect(plannedReads({ ...listedAgo(4900), movingSince: null })).toEqual([]);
		expect(plannedReads({ ...listedAgo(4900), movingSince: now - 601_000 })).toEqual([]);
	});

	test('is read by one request at a time, and waits while no slot is free', () => {
		const { histories: usual } = plannerInput(listedAgo(2800));
		const inFlight = { ...usual, list: { ...usual.list, isInFlight: true } };
		expect(plannedReads({ histories: inFlight })).toEqual([]);
		const { reads, nextPlanAt } = plan(
			plannerInput(listedAgo(2800)),
			readSlotsByScope({ other: 0 }),
			now,
		);
		expect(reads).toEqual([]);
		expect(nextPlanAt).toBeLessThanOrEqual(now + 2000);
	});

	test('is read less often the more requests and time it costs', () => {
		expect(plannedReads({ ...listedAgo(2800), requestsPerList: 3 })).toEqual([]);
		expect(plannedReads({ ...listedAgo(9000), requestsPerList: 3 })).toEqual(['list']);
		expect(plannedReads({ ...listedAgo(2800), listDurationMs: 1000 })).toEqual([]);
		const huge = fleetOf(
			...Array.from({ length: 5000 }, (_, place) => polledComputer(`sb_${place}`)),
		);
		expect(plannedReads({ ...listedAgo(2800), computers: huge })).not.toContain('list');
	});

	test('is read again after a minute, even if the last list took half an hour', () => {
		const listDuration = 30 * 60_000;
		const slow = { listDurationMs: listDuration };
		expect(plannedReads({ ...listedAgo(59_000), ...slow })).not.toContain('list');
		expect(plannedReads({ ...listedAgo(61_000), ...slow })).toContain('list');
	});

	test('is read less often while nobody watches, or when it does not include the status', () => {
		const unattended = { attendedUntil: now };
		expect(plannedReads({ ...listedAgo(8900), ...unattended })).toEqual([]);
		expect(plannedReads({ ...listedAgo(9000), ...unattended })).toEqual(['list']);
		expect(plannedReads({ ...listedAgo(14_000), listHasStatus: false })).toEqual([]);
		expect(plannedReads({ ...listedAgo(21_000), listHasStatus: false })).toEqual(['list']);
	});

	test('is read sooner when only the list can give the id of a new computer', () => {
		const bare = { ...listedAgo(3100), listHasStatus: false };
		expect(plannedReads(bare)).toEqual([]);
		expect(plannedReads({ ...bare, isListUrgent: true })).toEqual(['list']);
	});

	test('is read as soon as half of the slots are free when it has very many pages', () => {
		const pages = { ...listedAgo(3_600_000), requestsPerList: 100 };
		expect(plannedReads(pages, readSlotsByScope({ other: 24 }))).toEqual(['list']);
		expect(plannedReads(pages, readSlotsByScope({ other: 5 }))).toEqual([]);
	});
});

describe('details', () => {
	const computers = fleetOf(...many, polledComputer('open', { detail: answeredAgo(11_000) }));

	test('are read for the open computer if they have fields that other reads lack', () => {
		const change = { computers, detailId: 'open' };
		expect(plannedReads({ ...change, detailAddsFields: true })).toContain('detail open');
		expect(plannedReads({ ...change, detailAddsFields: false })).not.toContain('detail open');
	});

	test('are read once to learn which fields they have, starting with a visible computer', () => {
		const unread = polledComputer('unread', { detail: readHistory() });
		const change = {
			computers: fleetOf(...many, unread),
			visibleIds: new Set(['unread']),
			detailAddsFields: null,
			lastSentAt: longAgo,
		};
		expect(plannedReads(change)).toContain('detail unread');
	});

	test('replace status reads when they include the status and the list does not', () => {
		const change = {
			computers,
			listHasStatus: false,
			lastSentAt: { ...longAgo, rest: now, attended: now },
		};
		expect(plannedReads({ ...change, detailHasStatus: true })).toEqual(['detail sb_39']);
		expect(plannedReads({ ...change, detailHasStatus: false })).toEqual([]);
	});
});

describe('a read that a person requests', () => {
	test('is planned at once unless it is in flight', () => {
		expect(plannedReads({ requestedReads: [{ name: 'list' }, { name: 'models' }] })).toEqual([
			'list',
			'models',
		]);
		const { histories: usual } = plannerInput();
		const busy = { ...usual, list: { ...usual.list, isInFlight: true } };
		expect(plannedReads({ requestedReads: [{ name: 'list' }], histories: busy })).toEqual([]);
	});

	test('waits for a slot', () => {
		expect(
			plannedReads({ requestedReads: [{ name: 'list' }] }, readSlotsByScope({ other: 0 })),
		).toEqual([]);
	});

	test('is dropped when its computer is gone', () => {
		expect(plannedReads({ requestedReads: [{ name: 'status', id: 'gone' }] })).toEqual([]);
	});
});

describe('during an outage', () => {
	const outage = {
		failureCount: 5,
		firstFailedAt: now - 35_000,
		failedAt: now - 20_000,
		delayMs: 16_000,
	};

	test('the plan has one small request at a time', () => {
		const urgent = many.map(each => ({ ...each, urgentSince: now - 4000 }));
		expect(
			plannedReads({ outageBackoff: outage, computers: fleetOf(...urgent), lastSentAt: longAgo }),
		).toHaveLength(1);
		const { histories: usual } = plannerInput();
		const busy = { ...usual, credits: { ...usual.credits, isInFlight: true } };
		expect(plannedReads({ outageBackoff: outage, histories: busy })).toEqual([]);
	});

	test('the plan is empty before the backoff is over', () => {
		const early = { ...outage, delayMs: 30_000 };
		const { reads, nextPlanAt } = plan(
			plannerInput({ outageBackoff: early }),
			readSlotsByScope(),
			now,
		);
		expect(reads).toEqual([]);
		expect(nextPlanAt).toBe(now + 10_000);
	});

	test('the plan has a status read when operations have taken the slots of the list', () => {
		const computers = fleetOf(
			polledComputer('new', { status: answeredAgo(1000) }),
			polledComputer('old'),
		);
		const spent = readSlotsByScope({ other: 0 });
		expect(plan(plannerInput({ outageBackoff: outage, computers }), spent, now).reads).toEqual([
			{ name: 'status', id: 'old', purpose: 'rest' },
		]);
		const busy = fleetOf(
			polledComputer('asked', { status: readHistory({ isInFlight: true }) }),
			...many,
		);
		expect(
			plan(plannerInput({ outageBackoff: outage, computers: busy }), spent, now).reads,
		).toEqual([]);
	});

	test('the plan also has smaller reads, in case only the list is too large to arrive', () => {
		const { histories: usual } = plannerInput();
		const listFailed = { ...usual, list: answeredAgo(16_000), credits: answeredAgo(60_000) };
		expect(plannedReads({ outageBackoff: outage, histories: listFailed })).toEqual(['credits']);
	});
});

test('the plan still has reads after the clock was set back', () => {
	const ahead = now + 3_600_000;
	const usual = plannerInput().histories;
	const later = readHistory({ askedAt: ahead, answeredAt: ahead });
	const computers = fleetOf(polledComputer('one', { status: later }), ...many);
	const reads = plannedReads({
		computers,
		listHasStatus: false,
		histories: { ...usual, list: later, credits: later },
		lastSentAt: { urgent: ahead, attended: ahead, rest: ahead, detail: ahead },
	});
	expect(reads).toContain('list');
	expect(reads).toContain('credits');
	expect(reads.some(read => read.startsWith('status'))).toBe(true);
});
