import { expect, test } from 'vitest';
import type { Change, StatusChange } from '../../source/fleet/change.ts';
import { gap, spansOf } from '../../source/lines/line.ts';
import { textOf, widthOf } from '../../source/lines/span.ts';
import type { ComputerState } from '../../source/store/state.ts';
import { dayStripLines } from '../../source/views/day-strip.ts';
import { adviceForError } from '../../source/views/phrases/error-advice.ts';
import { hour, now } from '../arbitraries/values.ts';

const computer = (
	phase: ComputerState['phase'],
	hoursAgo: number,
	more: Partial<ComputerState> = {},
) =>
	({
		id: 'sb_1',
		phase,
		since: { at: now - hoursAgo * hour, isLowerBound: false },
		reading: { id: 'sb_1', status: phase },
		...more,
	}) as ComputerState;

/** The end of a phase that lasted this many hours, some hours ago. It was noticed within two seconds. */
function ended(
	hoursAgo: number,
	from: string | null,
	to: string | null,
	hours?: number,
	more: Partial<StatusChange> = {},
): StatusChange {
	const at = now - hoursAgo * hour;
	const lasted = hours === undefined ? undefined : hours * hour;
	return { type: 'statusChanged', id: 'sb_1', at, notBefore: at - 2000, from, to, lasted, ...more };
}

const textsIn = (width: number, state: ComputerState, history: readonly Change[]) =>
	dayStripLines(state, history, now, width).map(each => textOf(spansOf(each)).trim());

/** The narrowest line whose strip has a cell for each hour. */
const narrow = 64;

const asleep = computer('stopped', 4, { stopReason: 'asleep' });
const wholeDay = [
	ended(20, 'stopped', 'active', 4),
	ended(4, 'active', 'stopped', 16, { reason: 'asleep' }),
];

test.each<[string, ComputerState, readonly Change[], string, string]>([
	[
		'a whole day',
		asleep,
		wholeDay,
		'▁▁▁▁████████████████░░░░',
		'█ up 67 %  ▁ stopped 17 %  ░ asleep 17 %',
	],
	[
		'phases that pass as one',
		computer('active', 0),
		[
			ended(3, 'starting', 'active', 1),
			ended(2, 'active', 'stopping', 1),
			ended(1, 'stopping', 'stopped', 1),
			ended(0, 'stopped', 'active', 1),
		],
		'····················▒█▒▁',
		'▒ changing 50 %  █ up 25 %  ▁ stopped 25 % of the 4 h watched',
	],
	[
		'a start that the platform tells, before anybody watched',
		computer('active', 0, {
			reading: { id: 'sb_1', status: 'active', startedAt: now - 3 * hour },
		}),
		[],
		'·····················███',
		'█ up 100 % of the 3 h watched',
	],
	[
		'shares that would round to nothing and to all',
		computer('stopped', 0.1),
		[ended(0.1, 'active', 'stopped', 24)],
		'████████████████████████',
		'█ up >99 %  ▁ stopped <1 %',
	],
	[
		'no phase whose beginning was not seen',
		computer('active', 4),
		[ended(10, 'active', 'stopped'), ended(4, 'stopped', 'active')],
		'····················████',
		'█ up 100 % of the 4 h watched',
	],
	[
		'the time between two distant reads as not watched',
		computer('stopped', 4),
		[ended(4, 'active', 'stopped', 6, { notBefore: now - 7 * hour })],
		'··············███···▁▁▁▁',
		'▁ stopped 57 %  █ up 43 % of the 7 h watched',
	],
	[
		'the longest phase of an hour, or an error',
		computer('active', 1.95),
		[
			ended(4.1, 'active', 'stopped', 20),
			ended(2, 'stopped', 'error', 2.1),
			ended(1.95, 'error', 'active', 0.05),
		],
		'████████████████████▁▁✖█',
		'█ up 91 %  ▁ stopped 9 %  ✖ error <1 %',
	],
	[
		'no time twice, even if changes carry times from wrong clocks',
		computer('active', -5),
		[
			ended(5, 'active', 'stopped', 90),
			ended(-1, 'stopped', 'active', 8),
			ended(3, null, 'provisioning', undefined, { notBefore: now + hour }),
		],
		'███████████████████▁▁▁▁▁',
		'█ up 79 %  ▁ stopped 21 %',
	],
])('the day shows %s', (_, state, history, strip, shares) => {
	expect(textsIn(narrow, state, history).join('   ')).toBe(`24 h  ${strip}   ${shares}`);
});

test('the strip marks where an operation ended, fits, and is absent after the first read', () => {
	const wish = { key: 'k', operation: 'restart', computer: 'sb_1' };
	const at = now - 6 * hour;
	const restart: Change = { type: 'operationMoved', at, wish, to: 'settled', took: 0 };
	const history = [...wholeDay, restart];
	expect(textsIn(narrow, asleep, history)[0]).toBe(`24 h  ▁▁▁▁${'█'.repeat(14)}▼█░░░░`);
	for (const width of [40, 75, 120, 200]) {
		const [strip = gap] = dayStripLines(asleep, history, now, width);
		expect(widthOf(spansOf(strip))).toBeLessThanOrEqual(width);
	}
	expect(textsIn(120, computer('active', 0), [])).toEqual([]);
});

const quota = { error: 'image pull failed: disk quota exceeded' };

test.each([
	[
		'of a full location',
		{ error: 'create failed: no capacity' },
		/now. Restart it in a few minutes/,
	],
	[
		'of a full location, after it has run',
		{ error: 'no capacity', startedAt: now },
		/now. Its files are kept. Restart/,
	],
	['of a storage with room', { ...quota, storage: 18 }, /own storage is 18 % used/],
	['of a full storage', { ...quota, storage: 97 }, /storage of the plan is used up/],
	['that nobody knows', { error: 'E1234' }, /contact support/],
	['that the platform does not tell', { error: null }, /contact support/],
	['that nobody has read', {}, /^$/],
])('the advice for an error %s fits', (_, report, advice) => {
	expect(adviceForError(report)).toMatch(advice);
});
