import { describe, expect, test } from 'vitest';
import type { StatusChange } from '../../source/fleet/change.ts';
import { spansOf } from '../../source/lines/line.ts';
import { textOf, widthOf } from '../../source/lines/span.ts';
import type { ComputerState } from '../../source/store/state.ts';
import { dayOf, dayShares, dayStripLines } from '../../source/views/day-strip.ts';
import { hour, now } from '../arbitraries/values.ts';

const minute = 60_000;

const computer = (phase: ComputerState['phase'], more: Partial<ComputerState> = {}) =>
	({
		id: 'sb_1',
		phase,
		since: { at: now, isLowerBound: true },
		reading: { id: 'sb_1' },
		...more,
	}) as ComputerState;

const asleep = computer('stopped', {
	stopReason: 'asleep',
	since: { at: now - 4 * hour, isLowerBound: false },
});

/** The end of a phase that lasted this long, some time ago. */
const ended = (
	from: string,
	to: string,
	ago: number,
	lasted: number,
	more: Partial<StatusChange> = {},
): StatusChange => ({
	type: 'statusChanged',
	id: 'sb_1',
	at: now - ago,
	notBefore: now - ago,
	from,
	to,
	lasted,
	...more,
});

const wholeDay = [
	ended('stopped', 'active', 20 * hour, 4 * hour),
	ended('active', 'stopped', 4 * hour, 16 * hour, { reason: 'asleep' }),
];

describe('the shares of a day', () => {
	test.each([
		['a whole day', dayOf(asleep, wholeDay, now), 'up 67 %, stopped 17 %, asleep 17 %'],
		[
			'phases that pass count as one',
			dayOf(
				computer('active'),
				[
					ended('starting', 'active', 3 * hour, hour),
					ended('active', 'stopping', 2 * hour, hour),
					ended('stopping', 'stopped', hour, hour),
					ended('stopped', 'active', 0, hour),
				],
				now,
			),
			'changing 50 %, up 25 %, stopped 25 % of the 4 h watched',
		],
		[
			'a start that the platform tells, before anybody watched',
			dayOf(computer('active', { reading: { id: 'sb_1', startedAt: now - 3 * hour } }), [], now),
			'up 100 % of the 3 h watched',
		],
		[
			'shares that would round to nothing and to all',
			dayOf(
				computer('stopped', { since: { at: now - 6 * minute, isLowerBound: false } }),
				[ended('active', 'stopped', 6 * minute, 24 * hour)],
				now,
			),
			'up >99 %, stopped <1 %',
		],
		['just after the first read', dayOf(computer('active'), [], now), ''],
	])('%s', (_, day, expected) => {
		const { parts, note } = dayShares(day);
		expect(parts.map(({ text }) => text).join(', ') + note).toBe(expected);
	});
});

test('the strip has a cell for each part of the day, and a mark where an operation ended', () => {
	const restarted = {
		type: 'operationMoved',
		at: now - 6 * hour,
		wish: { key: 'k', operation: 'restart', computer: 'sb_1' },
		to: 'settled',
		took: 0,
	} as const;
	const history = [wholeDay[0], restarted, wholeDay[1]].flatMap(change => change ?? []);
	const day = dayOf(asleep, history, now);
	const linesIn = (width: number) =>
		dayStripLines(day, width).map(each => textOf(spansOf(each)).trimEnd());
	// 24 cells, one for each hour.
	expect(linesIn(32)[0]).toBe(` 24 h  ▁▁▁▁${'█'.repeat(14)}▼█░░░░`);
	expect(linesIn(120)).toHaveLength(1);
	expect(linesIn(60)).toHaveLength(2);
	for (const width of [40, 75, 120, 200]) {
		const [strip] = dayStripLines(day, width);
		expect(strip && widthOf(spansOf(strip))).toBeLessThanOrEqual(width);
	}
});
