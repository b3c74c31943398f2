import { type DrawnLine, drawnLine } from '../../drawing/drawn-line.ts';
import { fitToWidth, justifySpans, type Span, widthOf } from '../../drawing/span.ts';
import { memoize } from '../../foundation/memoize.ts';
import { shownKey } from '../../keys/shown-keys.ts';
import type { Theme } from '../../lines/theme.ts';
import type { Click } from '../../screen/click.ts';
import { type Hint, hintGroups } from './hint-table.ts';

//  Enter open  / filter  Space mark  o order │ x stop  r restart │ : anything  Tab views  ? help  q quit       3 marked

/**
 * Draws the hints that fit beside what stands to the right. Lines with the same hints are drawn once: a cursor that moves
 * over the table needs the same few again and again.
 */
export function hintsLine(
	hints: readonly Hint[],
	right: readonly Span[],
	width: number,
	theme: Theme,
): DrawnLine {
	if (right.length > 0) return composedLine(hints, right, width, theme);
	const lines = keptLines(width, theme);
	let key = '';
	for (const hint of hints) key += `${hint.key} ${hint.text} ${hint.group} ${hint.dropOrder}\n`;
	let line = lines.get(key);
	if (!line) {
		line = composedLine(hints, right, width, theme);
		if (lines.size >= maxKeptLines) lines.clear();
		lines.set(key, line);
	}
	return line;
}

/** There are this many lines only after a walk through all views and dialogs. */
const maxKeptLines = 50;

const keptLines = memoize((_width: number, _theme: Theme) => new Map<string, DrawnLine>());

function composedLine(
	hints: readonly Hint[],
	right: readonly Span[],
	width: number,
	theme: Theme,
): DrawnLine {
	// Long messages are cut, so that at least ten cells are left for a key hint.
	const room = Math.max(10, width - 1 - widthOf(right, theme));
	const left: Span[] = [[' '], ...hintSpans(hintsThatFit(hints, room, theme), theme)];
	const fittedRight = fitToWidth(
		right,
		Math.min(widthOf(right, theme), width - widthOf(left, theme)),
		theme,
	);
	return drawnLine(justifySpans(left, fittedRight, width, theme), theme);
}

/** Drops hints in the order that the table gives, until the others fit. The others keep their order. */
function hintsThatFit(hints: readonly Hint[], room: number, theme: Theme): readonly Hint[] {
	const widths = new Map(
		hints.map(hint => [hint, theme.ruler.width(`${shownKey(hint.key)} ${hint.text}`)]),
	);
	// Two blanks separate hints, and a vertical line separates groups of hints.
	const widthOfHints = (kept: readonly Hint[]) => {
		const groupCount = new Set(kept.map(({ group }) => group)).size;
		const sum = kept.reduce((total, hint) => total + (widths.get(hint) ?? 0), 0);
		return sum + (kept.length - groupCount) * 2 + (groupCount - 1) * 3;
	};
	let kept = hints;
	while (kept.length > 1 && widthOfHints(kept) > room) {
		const last = Math.max(...kept.map(({ dropOrder }) => dropOrder));
		const leaving = kept.findLast(({ dropOrder }) => dropOrder === last);
		kept = kept.filter(hint => hint !== leaving);
	}
	return kept;
}

/** Writes the hints, with a vertical line between two groups. */
function hintSpans(hints: readonly Hint[], { glyphs }: Theme): readonly Span[] {
	const groups = hintGroups
		.map(group => hints.filter(hint => hint.group === group))
		.filter(({ length }) => length > 0);
	return groups.flatMap((group, at) => [
		...(at > 0 ? [[` ${glyphs.frame.vertical} `, 'faint'] as const] : []),
		...group.flatMap(({ key, text }, place): readonly Span[] => {
			const click: Click = { type: 'key', key };
			return [
				[place > 0 ? '  ' : ''],
				[shownKey(key), 'accent', click],
				[` ${text}`, 'faint', click],
			];
		}),
	]);
}
