import { fitToWidth, paintSpans } from '../../drawing/span.ts';
import type { Change, OwnEmails } from '../../fleet/change.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { Theme } from '../../lines/theme.ts';
import { createLogLines, dayKeyOf, isLogRule } from '../views/log-lines.ts';
import { logLineSpans } from '../views/log-view.ts';
import { nothingUnderWay } from '../views/under-way.ts';

//    08:14:07   you stopped 16 computers (altair, altair-3 …) in 31 s
//    08:12:40 ● norma: creating → active in 48 s

type SpareRowsOptions = {
	changes: readonly Change[];
	own: OwnEmails;
	/** The number of lines to fill, below the rows of the table. */
	lines: number;
	width: number;
	now: number;
	theme: Theme;
};

const minLines = 3;
const minWidth = 48;

// No terminal has room for more lines.
const maxChanges = 200;

/** Whether there is room for the log below the rows, so that no other line has to show its newest line. */
export const hasSpareRows = (lines: number, width: number) =>
	lines >= minLines && width >= minWidth;

/** Creates a function that fills the lines below a short table with the last lines of the log, after a blank line. */
export function createSpareRows(): (options: SpareRowsOptions) => readonly string[] {
	const newestFirst = memoize((changes: readonly Change[]) =>
		changes.slice(-maxChanges).toReversed(),
	);
	const logLinesOf = createLogLines();
	const drawn = memoize(
		(
			changes: readonly Change[],
			own: OwnEmails,
			count: number,
			width: number,
			now: number,
			theme: Theme,
		): readonly string[] => {
			const { lines } = logLinesOf(newestFirst(changes), noIds, dayKeyOf(now), nothingUnderWay);
			const shown = lines.slice(0, count - 1);
			// A heading at the end would have nothing below it.
			const last = shown.at(-1);
			const texts = (last && isLogRule(last) ? shown.slice(0, -1) : shown).map(line => {
				const spans = logLineSpans(line, { own, width: width - 2, now, theme });
				// A batch is always folded here. Only the log has a cursor with which a person can unfold it.
				const isBatch = !isLogRule(line) && line.type === 'batch';
				return [['  '] as const, ...(isBatch ? spans.slice(0, -1) : spans)];
			});
			return Array.from({ length: count }, (_, at) =>
				paintSpans(fitToWidth(texts[at - 1] ?? [], width, theme), theme),
			);
		},
	);
	return ({ changes, own, lines, width, now, theme }) =>
		hasSpareRows(lines, width) ? drawn(changes, own, lines, width, now, theme) : [];
}

const noIds: ReadonlySet<string> = new Set();
