import type { Change } from '../../fleet/change.ts';
import { logEntries } from '../../fleet/log-entries.ts';
import { memoize } from '../../foundation/memoize.ts';
import { spansOf } from '../../lines/line.ts';
import { painted } from '../../lines/paint.ts';
import { fitTo } from '../../lines/span.ts';
import { linesWithDays } from '../../views/log.ts';
import type { Scene } from '../../views/scene.ts';

//    08:14:07   you stopped 16 computers (altair, altair-3 …) in 31 s
//    08:12:40 ● norma: creating → active in 48 s

const minLines = 3;
const minWidth = 48;

// No terminal has room for more lines.
const maxChanges = 200;

const latestEntries = memoize((changes: readonly Change[]) =>
	logEntries(changes.slice(-maxChanges)),
);

/** Whether there is room for the log below the rows, so that no other line has to show its newest line. */
export const hasSpareRows = (lines: number, width: number) =>
	lines >= minLines && width >= minWidth;

/** Fills the lines below a short table with the last lines of the log, after a blank line. */
export function spareRows(scene: Scene, count: number, width: number): readonly string[] {
	if (!hasSpareRows(count, width)) return [];
	const lines = linesWithDays(latestEntries(scene.account.changes), { ...scene, width: width - 2 });
	const shown = lines.slice(0, count - 1);
	// A rule at the end would have nothing below it.
	if (shown.at(-1)?.id === undefined) shown.pop();
	return Array.from({ length: count }, (_, at) => {
		const line = shown[at - 1];
		return painted(fitTo(line ? [[' '], ...spansOf(line)] : [], width), scene.theme);
	});
}
