import type { Change } from '../../fleet/change.ts';
import { memoize } from '../../foundation/memoize.ts';
import { fitTo, type Span } from '../../lines/span.ts';
import { isNothingKnown } from '../../store/read-health.ts';
import { createLogLines, dayKeyOf, isLogRule } from '../../wording/views/log-lines.ts';
import { logLineSpans } from '../../wording/views/log-view.ts';
import { nothingUnderWay } from '../../wording/views/under-way.ts';
import type { Scene } from '../scene.ts';

//    08:14:07   you stopped 16 computers (altair, altair-3 …) in 31 s
//    08:12:40 ● norma: creating → active in 48 s

const minLines = 3;
const minWidth = 48;
const maxChanges = 200;

/** Whether there is room for the log below the rows, so that no other line has to show its newest line. */
export const hasSpareLines = (count: number, width: number) =>
	count >= minLines && width >= minWidth;

/** Fills the lines below a short table with the last lines of the log, after a blank line. */
export function spareLines(
	{ account, accounts, viewSelectors, now, theme }: Scene,
	count: number,
	width: number,
): readonly (readonly Span[])[] {
	if (!hasSpareLines(count, width) || isNothingKnown(account)) return [];
	const own = viewSelectors.ownEmailsOf(accounts);
	const shown = lastLogLines(account.changes, dayKeyOf(now)).slice(0, count - 1);
	// A heading at the end would have nothing below it.
	const last = shown.at(-1);
	const lines = (last && isLogRule(last) ? shown.slice(0, -1) : shown).map(line => {
		const spans = logLineSpans(line, { own, width: width - 2, now, theme });
		// Only the log has a cursor with which a person can unfold a batch.
		const isBatch = !isLogRule(line) && line.type === 'batch';
		return [['  '] as const, ...(isBatch ? spans.slice(0, -1) : spans)];
	});
	return Array.from({ length: count }, (_, at) => fitTo(lines[at - 1] ?? [], width));
}

const noIds: ReadonlySet<string> = new Set();

const lastLogLines = memoize((changes: readonly Change[], today: string) => {
	const newestFirst = changes.slice(-maxChanges).toReversed();
	return createLogLines()(newestFirst, noIds, today, nothingUnderWay).lines;
});
