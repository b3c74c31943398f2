import { logEntries, withNapsFolded } from '../../fleet/log-entries.ts';
import { spansOf } from '../../lines/line.ts';
import { fitTo, type Span } from '../../lines/span.ts';
import { isNothingKnown } from '../../store/freshness.ts';
import { linesWithDays } from '../log.ts';
import type { Scene } from '../scene.ts';

//    08:14:07   you stopped 16 computers (altair, altair-3 …) in 31 s
//    08:12:40 ● norma: creating → active in 48 s

const minLines = 3;
const minWidth = 48;

// No terminal has room for more lines.
const maxChanges = 200;

export const hasSpareLines = (count: number, width: number) =>
	count >= minLines && width >= minWidth;

export function spareLines(
	scene: Scene,
	count: number,
	width: number,
): readonly (readonly Span[])[] {
	const { account } = scene;
	if (!hasSpareLines(count, width) || isNothingKnown(account)) return [];
	const entries = withNapsFolded(logEntries(account.changes.slice(-maxChanges)));
	const shown = linesWithDays(entries, { ...scene, width: width - 2 }).slice(0, count - 1);
	// A rule at the end would have nothing below it.
	if (shown.at(-1)?.id === undefined) shown.pop();
	return Array.from({ length: count }, (_, at) => {
		const line = shown[at - 1];
		return fitTo(line ? [[' '], ...spansOf(line)] : [], width);
	});
}
