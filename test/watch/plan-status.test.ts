import { describe, expect, test } from 'vitest';
import { plan } from '../../source/watch/plan.ts';
import type { PlannerInput, ReadBudgets } from '../../source/watch/planner-input.ts';
import { done, fleetOf, now, outlook, purses, tried, watched } from './planner-inputs.ts';

const planned = (change: Partial<PlannerInput>, budgets: ReadBudgets = purses()) =>
	plan(outlook(change), budgets, now).reads.map(({ name, id }) => (id ? `${name} ${id}` : name));

const long = { urgent: 0, attended: 0, rest: 0, detail: 0 };
const many = Array.from({ length: 40 }, (_, place) =>
	watched(`sb_${place}`, { status: done(place * 1000) }),
);

describe('status reads', () => {
	test('go to the urgent first, then to the screen and to the rest by age, one each', () => {
		const computers = fleetOf(
			...many,
			watched('old', { status: done(900_000) }),
			watched('seen', { status: done(40_000) }),
			watched('moving', { status: done(3500), urgentSince: now - 20_000 }),
		);
		const visible = new Set(['seen', 'sb_0']);
		expect(planned({ computers, visible, lastSpentAt: long })).toEqual([
			'status moving',
			'status seen',
			'status old',
		]);
	});

	test('are not asked twice, nor sooner than every three seconds', () => {
		const asked = watched('moving', { urgentSince: now - 9000, status: done(2900) });
		const waiting = tried({ askedAt: now - 9000, isInFlight: true });
		const hung = watched('hung', { urgentSince: now - 9000, status: waiting });
		expect(planned({ computers: fleetOf(asked, hung, ...many), lastSpentAt: long })).toEqual([
			'status sb_39',
		]);
	});

	test('are kept back for what becomes urgent', () => {
		const moving = watched('moving', { urgentSince: now - 9000 });
		expect(
			planned({ computers: fleetOf(...many), lastSpentAt: long }, purses({ status: 2 })),
		).toEqual([]);
		expect(
			planned({ computers: fleetOf(moving, ...many), lastSpentAt: long }, purses({ status: 2 })),
		).toEqual(['status moving']);
	});

	test('flow evenly', () => {
		const spent = { ...long, rest: now - 900 };
		expect(planned({ computers: fleetOf(...many), lastSpentAt: spent })).toEqual([]);
	});

	test('of what nothing happens to come once a minute at most while nobody looks', () => {
		const moving = watched('moving', { urgentSince: now - 9000, status: done(4000) });
		const computers = fleetOf(...many, moving);
		expect(planned({ computers, focused: false, lastSpentAt: long })).toEqual(['status moving']);
	});

	test('that wait for a slot are taken in turn when many are urgent', () => {
		const urgent = many.map(each => ({ ...each, urgentSince: now - 1000, status: done(4000) }));
		const first = { ...watched('first'), urgentSince: now - 1000 };
		const computers = fleetOf(...urgent, first);
		expect(planned({ computers, lastSpentAt: long })).toEqual(['status first']);
		expect(planned({ computers, lastSpentAt: { ...long, urgent: now - 1000 } })).toEqual([]);
	});

	test('leave what is stuck for an hour to its turn', () => {
		const stuck = watched('stuck', { urgentSince: now - 3_700_000, status: done(4000) });
		const old = watched('old', { status: done(900_000) });
		expect(planned({ computers: fleetOf(stuck, old, ...many), lastSpentAt: long })).toEqual([
			'status old',
		]);
	});

	test('fill a screen at once that only they can fill, but for a quarter of the budget', () => {
		const strangers = many.map(({ id }) => watched(id, { status: tried(), detail: tried() }));
		const visible = new Set(strangers.map(({ id }) => id));
		const change = {
			computers: fleetOf(...strangers),
			visible,
			listHasStatus: false,
			staleBefore: now,
		};
		const reads = planned(change, purses({ status: 50 })).filter(read => read.startsWith('status'));
		expect(reads).toHaveLength(35);
	});

	test('keep the place of one that failed, but not of one that always fails', () => {
		const failing = (count: number) =>
			watched('failing', {
				status: {
					...done(900_000),
					askedAt: now - 4000,
					backoff: { count, at: now - 4000, delay: 1000 },
				},
			});
		const others = many.map(({ id }) => watched(id, { status: done(50_000) }));
		expect(planned({ computers: fleetOf(...others, failing(5)), lastSpentAt: long })).toEqual([
			'status failing',
		]);
		expect(planned({ computers: fleetOf(...others, failing(6)), lastSpentAt: long })).toEqual([
			'status sb_0',
		]);
	});

	test('are tried one at a time when none works any more', () => {
		const status = tried({ backoff: { count: 5, at: now - 20_000, delay: 16_000 } });
		const usual = { ...outlook().histories, status };
		const computers = fleetOf(...many);
		expect(planned({ computers, histories: usual, lastSpentAt: long })).toHaveLength(1);
		const hung = watched('hung', { status: tried({ isInFlight: true }) });
		expect(
			planned({ computers: fleetOf(hung, ...many), histories: usual, lastSpentAt: long }),
		).toEqual([]);
	});
});

describe('a small fleet', () => {
	const few = fleetOf(...many.slice(0, 10).map(({ id }) => watched(id, { status: done(11_000) })));

	test('is looked at by lists and rounds of status reads in turn', () => {
		expect(planned({ computers: few, lastSweep: { at: now - 2300, lists: 1 } })).toEqual(['list']);
		const round = planned({ computers: few, lastSweep: { at: now - 2300, lists: 4 } });
		expect(round).toHaveLength(10);
		expect(round.every(read => read.startsWith('status'))).toBe(true);
	});

	test('is not lost sight of while a list hangs', () => {
		const usual = outlook().histories;
		const hung = { ...usual, list: tried({ askedAt: now - 4000, isInFlight: true }) };
		const change = {
			computers: few,
			histories: hung,
			lastSweep: { at: now - 4000, lists: 1 },
			lastSpentAt: long,
		};
		expect(planned(change)).toEqual(['status sb_0']);
	});

	test('is looked at by the list when there is no budget for a round', () => {
		const look = { at: now - 2300, lists: 4 };
		expect(planned({ computers: few, lastSweep: look }, purses({ status: 9 }))).toEqual(['list']);
	});
});
