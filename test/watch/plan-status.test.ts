import { describe, expect, test } from 'vitest';
import { plan } from '../../source/watch/plan.ts';
import type { PlannerInput, ReadBudgets } from '../../source/watch/planner-input.ts';
import {
	answeredAgo,
	fleetOf,
	now,
	plannerInput,
	polledComputer,
	readBudgets,
	readHistory,
} from './planner-inputs.ts';

const plannedReads = (change: Partial<PlannerInput>, budgets: ReadBudgets = readBudgets()) =>
	plan(plannerInput(change), budgets, now).reads.map(({ name, id }) =>
		id ? `${name} ${id}` : name,
	);

const longAgo = { urgent: 0, attended: 0, rest: 0, detail: 0 };
const many = Array.from({ length: 40 }, (_, place) =>
	polledComputer(`sb_${place}`, { status: answeredAgo(place * 1000) }),
);

describe('status reads', () => {
	test('go to the urgent first, then to the screen and to the rest by age, one each', () => {
		const computers = fleetOf(
			...many,
			polledComputer('old', { status: answeredAgo(900_000) }),
			polledComputer('seen', { status: answeredAgo(40_000) }),
			polledComputer('moving', { status: answeredAgo(3500), urgentSince: now - 20_000 }),
		);
		const visible = new Set(['seen', 'sb_0']);
		expect(plannedReads({ computers, visible, lastSpentAt: longAgo })).toEqual([
			'status moving',
			'status seen',
			'status old',
		]);
	});

	test('are not asked twice, nor sooner than every three seconds', () => {
		const asked = polledComputer('moving', { urgentSince: now - 9000, status: answeredAgo(2900) });
		const waiting = readHistory({ askedAt: now - 9000, isInFlight: true });
		const hung = polledComputer('hung', { urgentSince: now - 9000, status: waiting });
		expect(
			plannedReads({ computers: fleetOf(asked, hung, ...many), lastSpentAt: longAgo }),
		).toEqual(['status sb_39']);
	});

	test('are kept back for what becomes urgent', () => {
		const moving = polledComputer('moving', { urgentSince: now - 9000 });
		expect(
			plannedReads(
				{ computers: fleetOf(...many), lastSpentAt: longAgo },
				readBudgets({ status: 2 }),
			),
		).toEqual([]);
		expect(
			plannedReads(
				{ computers: fleetOf(moving, ...many), lastSpentAt: longAgo },
				readBudgets({ status: 2 }),
			),
		).toEqual(['status moving']);
	});

	test('flow evenly', () => {
		const spent = { ...longAgo, rest: now - 900 };
		expect(plannedReads({ computers: fleetOf(...many), lastSpentAt: spent })).toEqual([]);
	});

	test('of what nothing happens to come once a minute at most while nobody looks', () => {
		const moving = polledComputer('moving', { urgentSince: now - 9000, status: answeredAgo(4000) });
		const computers = fleetOf(...many, moving);
		expect(plannedReads({ computers, focused: false, lastSpentAt: longAgo })).toEqual([
			'status moving',
		]);
	});

	test('that wait for a slot are taken in turn when many are urgent', () => {
		const urgent = many.map(each => ({
			...each,
			urgentSince: now - 1000,
			status: answeredAgo(4000),
		}));
		const first = { ...polledComputer('first'), urgentSince: now - 1000 };
		const computers = fleetOf(...urgent, first);
		expect(plannedReads({ computers, lastSpentAt: longAgo })).toEqual(['status first']);
		expect(plannedReads({ computers, lastSpentAt: { ...longAgo, urgent: now - 1000 } })).toEqual(
			[],
		);
	});

	test('leave what is stuck for an hour to its turn', () => {
		const stuck = polledComputer('stuck', {
			urgentSince: now - 3_700_000,
			status: answeredAgo(4000),
		});
		const old = polledComputer('old', { status: answeredAgo(900_000) });
		expect(plannedReads({ computers: fleetOf(stuck, old, ...many), lastSpentAt: longAgo })).toEqual(
			['status old'],
		);
	});

	test('fill a screen at once that only they can fill, but for a quarter of the budget', () => {
		const strangers = many.map(({ id }) =>
			polledComputer(id, { status: readHistory(), detail: readHistory() }),
		);
		const visible = new Set(strangers.map(({ id }) => id));
		const change = {
			computers: fleetOf(...strangers),
			visible,
			listHasStatus: false,
			staleBefore: now,
		};
		const reads = plannedReads(change, readBudgets({ status: 50 })).filter(read =>
			read.startsWith('status'),
		);
		expect(reads).toHaveLength(35);
	});

	test('keep the place of one that failed, but not of one that always fails', () => {
		const failing = (count: number) =>
			polledComputer('failing', {
				status: {
					...answeredAgo(900_000),
					askedAt: now - 4000,
					backoff: { count, at: now - 4000, delay: 1000 },
				},
			});
		const others = many.map(({ id }) => polledComputer(id, { status: answeredAgo(50_000) }));
		expect(
			plannedReads({ computers: fleetOf(...others, failing(5)), lastSpentAt: longAgo }),
		).toEqual(['status failing']);
		expect(
			plannedReads({ computers: fleetOf(...others, failing(6)), lastSpentAt: longAgo }),
		).toEqual(['status sb_0']);
	});

	test('are tried one at a time when none works any more', () => {
		const status = readHistory({ backoff: { count: 5, at: now - 20_000, delay: 16_000 } });
		const usual = { ...plannerInput().histories, status };
		const computers = fleetOf(...many);
		expect(plannedReads({ computers, histories: usual, lastSpentAt: longAgo })).toHaveLength(1);
		const hung = polledComputer('hung', { status: readHistory({ isInFlight: true }) });
		expect(
			plannedReads({ computers: fleetOf(hung, ...many), histories: usual, lastSpentAt: longAgo }),
		).toEqual([]);
	});
});

describe('a small fleet', () => {
	const few = fleetOf(
		...many.slice(0, 10).map(({ id }) => polledComputer(id, { status: answeredAgo(11_000) })),
	);

	test('is looked at by lists and rounds of status reads in turn', () => {
		expect(plannedReads({ computers: few, lastSweep: { at: now - 2300, lists: 1 } })).toEqual([
			'list',
		]);
		const round = plannedReads({ computers: few, lastSweep: { at: now - 2300, lists: 4 } });
		expect(round).toHaveLength(10);
		expect(round.every(read => read.startsWith('status'))).toBe(true);
	});

	test('is not lost sight of while a list hangs', () => {
		const usual = plannerInput().histories;
		const hung = { ...usual, list: readHistory({ askedAt: now - 4000, isInFlight: true }) };
		const change = {
			computers: few,
			histories: hung,
			lastSweep: { at: now - 4000, lists: 1 },
			lastSpentAt: longAgo,
		};
		expect(plannedReads(change)).toEqual(['status sb_0']);
	});

	test('is looked at by the list when there is no budget for a round', () => {
		const look = { at: now - 2300, lists: 4 };
		expect(plannedReads({ computers: few, lastSweep: look }, readBudgets({ status: 9 }))).toEqual([
			'list',
		]);
	});
});
