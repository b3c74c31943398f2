import { describe, expect, test } from 'vitest';
import { createTheme } from '../../../source/drawing/theme.ts';
import { hourNumberAt } from '../../../source/fleet/activity-hours.ts';
import { activityBars, activityStrip } from '../../../source/wording/table/activity-strip.ts';
import { now } from '../../arbitraries/values.ts';
import { theme } from '../../sample-theme.ts';

const hours = Array.from({ length: 22 }, (_, ago) => ({
	hour: hourNumberAt(now) - ago,
	changes: [2, 21, 7][ago] ?? 0,
	failures: ago === 2 ? 1 : 0,
}));

const bars = (width: number, look = theme) =>
	activityBars(hours, now, { width, rows: 3 }, look).map(spans =>
		spans
			.map(([text]) => text)
			.join('')
			.trimEnd(),
	);

describe('the bars of the last 24 hours', () => {
	test('show how many changes each hour had, with the hours of the day below', () => {
		const flat = '▁▁▁ '.repeat(19);
		expect(bars(118)).toEqual([
			`${' '.repeat(89)}▇▇▇`,
			`${' '.repeat(89)}███`,
			` ··· ··· ${flat}✖✖✖ ███ ▂▂▂`,
			' 09          12          15          18          21          00          03          06',
		]);
	});

	test('fit into a narrow view, and have letters for a terminal without Unicode', () => {
		expect(Math.max(...bars(28).map(({ length }) => length))).toBeLessThanOrEqual(28);
		const ascii = createTheme({ colourBits: 0, background: 'dark', hasUnicode: false });
		expect(bars(58, ascii)).toEqual([
			`${' '.repeat(45)}#`,
			`${' '.repeat(45)}#`,
			expect.stringMatching(/^ [^_] [^_] (_ ){19}[^ ] # [^ ]$/),
			' 09    12    15    18    21    00    03    06',
		]);
	});
});

test('the strip is scaled by the hours that are drawn as bars, and not by an hour that shows an error sign', () => {
	const withStorm = hours.map(each => (each.failures > 0 ? { ...each, changes: 900 } : each));
	const text = activityStrip(withStorm, now, theme).map(([part]) => part);
	expect(text.join('')).toMatch(/▁✖▇▂$/);
	const outside = [...hours, { hour: hourNumberAt(now) - 24, changes: 900, failures: 0 }];
	expect(activityStrip(outside, now, theme)).toEqual(activityStrip(hours, now, theme));
	expect(bars(118)).toContain(`${' '.repeat(89)}███`);
});
