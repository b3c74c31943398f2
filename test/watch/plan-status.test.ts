import { describe, expect, test } from 'vitest';
import { plan } from '../../source/watch/plan.ts';
import type {
	PlannerInput,
	PolledComputer,
	ReadSlotsByScope,
} from '../../source/watch/planner-input.ts';
import type { StatusNeed } from '../../source/watch/pollable-fleet.ts';
import {
	answeredAgo,
	fleetOf,
	now,
	plannerInput,
	polledComputer,
	readHistory,
	readSlotsByScope,
} from './planner-inputs.ts';

// The list of these platforms does not include the status, so that every status is read by itself.
const plannedReads = (
	change: Partial<PlannerInput>,
	slots: ReadSlotsByScope = readSlotsByScope(),
) =>
	plan(
		plannerInput({ listHasStatus: false, detailHasStatus: false, ...change }),
		slots,
		now,
	).reads.map(({ name, id }) => (id ? `${name} ${id}` : name));

const longAgo = { urgent: 0, attended: 0, rest: 0, detail: 0 };
const many = Array.from({ length: 40 }, (_, place) =>
	polledComputer(`sb_${place}`, { status: answeredAgo(place * 1000) }),
);

describe('status reads', () => {
	test('go to one urgent, one visible and one other computer, each time to the one that has waited longest', () => {
		const computers = fleetOf(
			...many,
			polledComputer('old', { status: answeredAgo(900_000) }),
			polledComputer('seen', { status: answeredAgo(40_000) }),
			polledComputer('moving', { status: answeredAgo(3500), urgentSince: now - 20_000 }),
		);
		const visible = new Set(['seen', 'sb_0']);
		expect(plannedReads({ computers, visibleIds: visible, lastSentAt: longAgo })).toEqual([
			'status moving',
			'status seen',
			'status old',
		]);
	});

	test('of one computer are not repeated while a status read is in flight, nor within three seconds', () => {
		const asked = polledComputer('moving', { urgentSince: now - 9000, status: answeredAgo(2900) });
		const waiting = readHistory({ askedAt: now - 9000, isInFlight: true });
		const hung = polledComputer('hung', { urgentSince: now - 9000, status: waiting });
		expect(plannedReads({ computers: fleetOf(asked, hung, ...many), lastSentAt: longAgo })).toEqual(
			['status sb_39'],
		);
	});

	test('leave some slots for computers that become urgent', () => {
		const moving = polledComputer('moving', { urgentSince: now - 9000 });
		expect(
			plannedReads(
				{ computers: fleetOf(...many), lastSentAt: longAgo },
				readSlotsByScope({ status: 2 }),
			),
		).toEqual([]);
		expect(
			plannedReads(
				{ computers: fleetOf(moving, ...many), lastSentAt: longAgo },
				readSlotsByScope({ status: 2 }),
			),
		).toEqual(['status moving']);
	});

	test('are spread evenly over time', () => {
		const spent = { ...longAgo, rest: now - 900 };
		expect(plannedReads({ computers: fleetOf(...many), lastSentAt: spent })).toEqual([]);
	});

	test('come at most once a minute for computers that are not urgent while nobody watches', () => {
		const moving = polledComputer('moving', { urgentSince: now - 9000, status: answeredAgo(4000) });
		const computers = fleetOf(...many, moving);
		expect(plannedReads({ computers, attendedUntil: now, lastSentAt: longAgo })).toEqual([
			'status moving',
		]);
	});

	test('take turns when many computers are urgent', () => {
		const urgent = many.map(each => ({
			...each,
			urgentSince: now - 1000,
			status: answeredAgo(4000),
		}));
		const first = { ...polledComputer('first'), urgentSince: now - 1000 };
		const computers = fleetOf(...urgent, first);
		expect(plannedReads({ computers, lastSentAt: longAgo })).toEqual(['status first']);
		expect(plannedReads({ computers, lastSentAt: { ...longAgo, urgent: now - 1000 } })).toEqual([]);
	});

	test('do not go more often to a computer that has been urgent for an hour than to the others', () => {
		const stuck = polledComputer('stuck', {
			urgentSince: now - 3_700_000,
			status: answeredAgo(4000),
		});
		const old = polledComputer('old', { status: answeredAgo(900_000) });
		expect(plannedReads({ computers: fleetOf(stuck, old, ...many), lastSentAt: longAgo })).toEqual([
			'status old',
		]);
	});

	test('are sent at once for all visible computers when the list has no status, and leave a quarter of the slots', () => {
		const unread = many.map(({ id }) =>
			polledComputer(id, { status: readHistory(), detail: readHistory() }),
		);
		const visibleIds = new Set(unread.map(({ id }) => id));
		const change: Partial<PlannerInput> = {
			computers: fleetOf(...unread),
			visibleIds,
			listHasStatus: false,
			answersStaleBefore: now,
		};
		const reads = plannedReads(change, readSlotsByScope({ status: 50 })).filter(read =>
			read.startsWith('status'),
		);
		expect(reads).toHaveLength(34);
	});

	test('go first to the computer with the oldest answer, so a computer keeps its turn until its reads have failed for a minute', () => {
		const failing = (forMs: number) =>
			polledComputer('failing', {
				status: {
					...answeredAgo(900_000),
					askedAt: now - 4000,
					backoff: {
						failureCount: 2,
						firstFailedAt: now - 4000 - forMs,
						failedAt: now - 4000,
						delayMs: 1000,
					},
				},
			});
		const others = many.map(({ id }) => polledComputer(id, { status: answeredAgo(50_000) }));
		expect(
			plannedReads({ computers: fleetOf(...others, failing(59_999)), lastSentAt: longAgo }),
		).toEqual(['status failing']);
		expect(
			plannedReads({ computers: fleetOf(...others, failing(60_000)), lastSentAt: longAgo }),
		).toEqual(['status sb_0']);
	});

	test('are tried one at a time while all of them fail', () => {
		const status = readHistory({
			backoff: {
				failureCount: 5,
				firstFailedAt: now - 35_000,
				failedAt: now - 20_000,
				delayMs: 16_000,
			},
		});
		const usual = { ...plannerInput().histories, status };
		const computers = fleetOf(...many);
		expect(plannedReads({ computers, histories: usual, lastSentAt: longAgo })).toHaveLength(1);
		const hung = polledComputer('hung', { status: readHistory({ isInFlight: true }) });
		expect(
			plannedReads({ computers: fleetOf(hung, ...many), histories: usual, lastSentAt: longAgo }),
		).toEqual([]);
	});
});

describe('where the list has the status, status reads', () => {
	const withList = { listHasStatus: true, lastSentAt: longAgo };

	test('go only to computers that are urgent', () => {
		const moving = polledComputer('moving', { urgentSince: now - 9000 });
		const change = { ...withList, computers: fleetOf(moving, ...many) };
		const visibleIds = new Set(['sb_0']);
		expect(plannedReads({ ...change, visibleIds })).toEqual(['status moving']);
		expect(plannedReads({ ...change, visibleIds, movingSince: null })).toEqual(['status moving']);
		expect(plannedReads({ ...withList, computers: fleetOf(...many), visibleIds })).toEqual([]);
	});

	const never = readHistory();
	const unread = (id: string, statusNeed: StatusNeed, change: Partial<PolledComputer> = {}) =>
		polledComputer(id, { statusNeed, status: never, ...change });
	/** The order in which the statuses are read one by one, each once. */
	const orderOf = (change: Partial<PlannerInput>, ...computers: readonly PolledComputer[]) => {
		const left = new Map(fleetOf(...computers));
		return computers.map(() => {
			const [read = ''] = plannedReads({ ...withList, ...change, computers: left });
			left.delete(read.replace('status ', ''));
			return read.replace('status ', '');
		});
	};

	test('go to what only a status tells: reasons, versions of active computers, other versions, newer versions', () => {
		const [newer, other] = [unread('newer', 'newerVersion'), unread('other', 'otherVersion')];
		const [version, reason] = [unread('version', 'version'), unread('reason', 'reason')];
		expect(orderOf({}, newer, other, version, reason)).toEqual([
			...['reason', 'version', 'other', 'newer'],
		]);
		const visibleIds = new Set(['newer', 'version']);
		expect(orderOf({ visibleIds }, newer, other, version, reason)).toEqual([
			...['version', 'newer', 'reason', 'other'],
		]);
	});

	test('for what only they tell are spread evenly, except for the computers on screen', () => {
		const all = Array.from({ length: 40 }, (_, place) => unread(`sb_${place}`, 'version'));
		const computers = fleetOf(...all);
		expect(plannedReads({ ...withList, computers })).toEqual(['status sb_0']);
		const spent = { ...longAgo, rest: now - 900 };
		expect(plannedReads({ ...withList, computers, lastSentAt: spent })).toEqual([]);
		const visibleIds = new Set(all.slice(20).map(({ id }) => id));
		const reads = plannedReads({ ...withList, computers, visibleIds, lastSentAt: spent });
		expect(reads).toEqual([...visibleIds].slice(0, 14).map(id => `status ${id}`));
	});

	test('for what only they tell never take the place of urgent ones', () => {
		const moving = polledComputer('moving', { urgentSince: now - 9000 });
		const computers = fleetOf(unread('reason', 'reason'), moving);
		const change = { ...withList, computers, visibleIds: new Set(['reason']) };
		expect(plannedReads(change, readSlotsByScope({ status: 1 }))).toEqual(['status moving']);
	});

	test('that fail wait for their next try, and after three failures for all others', () => {
		const failed = (failureCount: number, delayMs: number) => ({
			status: readHistory({
				askedAt: now - 5_000,
				backoff: { failureCount, firstFailedAt: now - 9_000, failedAt: now - 5_000, delayMs },
			}),
		});
		const waiting = unread('waiting', 'reason', failed(1, 6_000));
		const again = unread('again', 'reason', failed(2, 2_000));
		const broken = unread('broken', 'reason', failed(3, 4_000));
		const others = [unread('one', 'version'), unread('two', 'newerVersion')];
		expect(orderOf({}, waiting, broken, again, ...others)).toEqual([
			...['again', 'one', 'two', 'broken', ''],
		]);
	});

	test('replace the list while it fails, or hangs for more than three seconds', () => {
		const { histories: usual } = plannerInput();
		const change = { ...withList, computers: fleetOf(...many) };
		const hung = { ...usual, list: readHistory({ askedAt: now - 4000, isInFlight: true }) };
		expect(plannedReads({ ...change, histories: hung })).toEqual(['status sb_39']);
		const backoff = { failureCount: 1, firstFailedAt: now, failedAt: now, delayMs: 1000 };
		const failing = { ...usual, list: readHistory({ askedAt: now - 4000, backoff }) };
		expect(plannedReads({ ...change, histories: failing })).toEqual(['status sb_39']);
	});
});
