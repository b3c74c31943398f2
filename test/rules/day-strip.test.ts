import { describe, expect, test } from 'vitest';
import type { StatusChange } from '../../source/fleet/change.ts';
import { spansOf } from '../../source/lines/line.ts';
import { textOf, widthOf } from '../../source/lines/span.ts';
import type { ComputerState } from '../../source/store/state.ts';
import {
	dayOf,
	dayShares,
	dayStripLines,
	dayStripOf,
	phaseSharesOf,
	phaseSpansOf,
} from '../../source/views/day-strip.ts';
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

/** Creates a change that happened `ago` hours ago. It was noticed within two seconds, unless `more` says otherwise. */
function change(
	ago: number,
	from: string | null,
	to: string | null,
	more: Partial<StatusChange> = {},
): StatusChange {
	const at = now - ago * hour;
	return { type: 'statusChanged', id: 'sb_1', at, notBefore: at - 2000, from, to, ...more };
}

/** Draws a letter for each hour, and a dot for one that nobody watched. */
const drawn = (hours: number, changes: readonly StatusChange[], current?: Current) =>
	dayStripOf(phaseSpansOf(changes, now, hours, current), now, hours, hours)
		.map(phase => (phase === 'unseen' ? '·' : phase[0]?.toUpperCase()))
		.join('');

type Current = Parameters<typeof phaseSpansOf>[3];

const since = (ago: number, phase: 'active' | 'stopped' = 'active'): Current => ({
	phase,
	since: now - ago * hour,
});

const whole = [
	change(10, 'active', 'stopped', { lasted: 6 * hour }),
	change(4, 'stopped', 'active', { lasted: 6 * hour }),
];
const unknownBegin = [change(10, 'active', 'stopped'), change(4, 'stopped', 'active')];
const noticedLate = [
	change(4, 'active', 'stopped', { lasted: 6 * hour, notBefore: now - 7 * hour }),
];
const started = [change(20, 'stopped', 'active', { lasted: hour })];
const failed = [
	change(4.1, 'active', 'stopped', { lasted: 20 * hour }),
	change(2, 'stopped', 'error', { lasted: 2.1 * hour }),
	change(1.95, 'error', 'active', { lasted: 0.05 * hour }),
];

test.each<[string, string, number, readonly StatusChange[], Current?]>([
	['phases whose begin and end were seen', '········AAAAAASSSSSSAAAA', 24, whole],
	['no phase whose begin was not seen', '····················AAAA', 24, unknownBegin],
	['the time between two distant reads as unseen', '··AAA···SSSS', 12, noticedLate],
	['the last phase while it was watched', `·S${'A'.repeat(20)}`, 22, started, since(20)],
	['the last phase after a gap', `·S${'·'.repeat(17)}AAA`, 22, started, since(3)],
	['another phase after a gap', `·S${'·'.repeat(17)}SSS`, 22, started, since(3, 'stopped')],
	['the current phase without changes', '····AA', 6, [], since(2)],
	['nothing without anything', '······', 6, []],
	['nothing of a removed computer', '······', 6, [change(3, 'active', null)]],
	['the longest phase of an hour, or an error', 'AASSEA', 6, failed],
])('the day strip shows %s', (_, strip, hours, changes, current) => {
	expect(drawn(hours, changes, current)).toBe(strip);
});

test('the day strip has no gap, even if changes carry times from wrong clocks', () => {
	const changes = [
		change(5, 'active', 'stopped', { lasted: 90 * hour }),
		change(-1, 'stopped', 'active', { lasted: 8 * hour }),
		change(3, null, 'provisioning', { notBefore: now + hour }),
	];
	const stretches = phaseSpansOf(changes, now, 24, { phase: 'active', since: now + 5 * hour });
	let end = now - 24 * hour;
	for (const { from, to } of stretches) {
		expect(from).toBe(end);
		expect(to).toBeGreaterThan(from);
		end = to;
	}
	expect(end).toBe(now);
});

test('the day strip reports how much of the watched time each phase took', () => {
	const changes = [change(4, 'active', 'stopped', { lasted: 6 * hour })];
	const { watchedMs: watched, shares } = phaseSharesOf(phaseSpansOf(changes, now, 24));
	expect(watched).toBe(10 * hour);
	expect(shares.get('active')).toBeCloseTo(0.6);
	expect(shares.get('stopped')).toBeCloseTo(0.4);
	expect(phaseSharesOf(phaseSpansOf([], now, 24))).toEqual({ watchedMs: 0, shares: new Map() });
});
