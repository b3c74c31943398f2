import { expect, test } from 'vitest';
import { createTheme } from '../../../source/drawing/theme.ts';
import type { Change } from '../../../source/fleet/change.ts';
import { logBars } from '../../../source/wording/views/log-bars.ts';
import type { LogLine } from '../../../source/wording/views/log-lines.ts';
import { hour, now } from '../../arbitraries/values.ts';
import { theme } from '../../sample-theme.ts';

const lineAt = (hoursAgo: number, to = 'active'): LogLine => {
	const at = now - hoursAgo * hour;
	const change: Change = {
		...{ type: 'statusChanged', id: 'sb_1', name: 'atlas', from: 'stopped', to, at },
		notBefore: at,
	};
	return { type: 'change', change, isPart: false };
};

const times = (count: number, line: LogLine) => Array.from({ length: count }, () => line);
const lines = [
	...times(2, lineAt(0)),
	...times(21, lineAt(1)),
	...times(6, lineAt(2)),
	lineAt(2, 'error'),
];
const wasWatched = (from: number) => from > now - 22 * hour;

const bars = (width: number, rows = 3, look = theme, shown = lines) =>
	logBars({ lines: shown, wasWatched, now, width, rows, theme: look }).map(spans =>
		spans
			.map(([text]) => text)
			.join('')
			.trimEnd(),
	);

test('the bars of the log show how many of its lines each hour has, with the hours of the day below', () => {
	const flat = '▁▁▁ '.repeat(19);
	expect(bars(118)).toEqual([
		`${' '.repeat(89)}███`.replace('███', '▇▇▇'),
		`${' '.repeat(89)}███`,
		` ··· ··· ${flat}✖✖✖ ███ ▂▂▂`,
		' 09          12          15          18          21          00          03          06',
	]);
});

test('the bars follow the lines that the filter leaves', () => {
	expect(bars(118, 3, theme, [lineAt(2)])[2]).toMatch(/▁▁▁ ███ ▁▁▁ ▁▁▁$/);
});

test('an opened batch counts once, and its failures make the hour red', () => {
	const moves = ['settled', 'failed'].map(to => ({
		...{ type: 'operationMoved', wish: { key: to, operation: 'stop', computer: 'sb_1' } },
		...{ to, at: now, took: 9 },
	}));
	const batch = { type: 'batch', id: 'b', moves, isCut: false, isUnfolded: true } as never;
	const parts = moves.map(change => ({ type: 'change', change, isPart: true }) as never);
	expect(bars(118, 1, theme, [batch, ...parts])[0]).toMatch(/▁✖$/);
});

test('the bars fit into a narrow view, and have letters for a terminal without Unicode', () => {
	expect(Math.max(...bars(28).map(({ length }) => length))).toBeLessThanOrEqual(28);
	expect(bars(58, 1)).toEqual([expect.stringMatching(/^ 24 h ··▁{19}✖.{2}$/)]);
	const ascii = createTheme({ colourBits: 0, background: 'dark', hasUnicode: false });
	expect(bars(58, 3, ascii)[2]).toMatch(/^ [^_] [^_] (_ ){19}[^ ] # [^ ]$/);
});
