import { drawFrame, type FramedBox } from '../../drawing/framed-box.ts';
import { firstVisibleIndex, overflowSpans } from '../../drawing/layout.ts';
import { fitToWidth, justifySpans, type Span } from '../../drawing/span.ts';
import type { Binding } from '../../keys/binding.ts';
import type { Theme } from '../../lines/theme.ts';
import type { ColumnChoice, Screen } from '../../screen/screen.ts';
import { columnsNamed } from '../../views/fleet/column-widths.ts';
import { columns } from '../../views/fleet/columns.ts';
import { dialogHints, keyLine } from './key-line.ts';

// ╭ Columns ─────────────────────────────────────────────────────────╮
// │   [x] STATUS    what state it is in                       always │
// │ ❯ [x] MEM       memory use in percent                    no room │
// │   [ ] ID        id on the platform                               │
// │ Space shows or hides · Esc closes · J moves right · K moves left │
// ╰──────────────────────────────────────────────────────────────────╯

const maxDialogWidth = 72;

// The lines that stay visible around the choices: the header, the titles of the table, the frame with its hints, and
// the two lines below. The titles show the effect of each choice.
const linesBesideChoices = 8;
const minChoices = 2;

/** Lists the choices of the column dialog: the shown columns in their order, and then the hidden columns. */
export function columnChoices(names: Screen['columns']): readonly ColumnChoice[] {
	const shown = columnsNamed(names);
	const hidden = columns.filter(column => !shown.includes(column));
	const choice =
		(isShown: boolean) =>
		({ name, visibility }: (typeof columns)[number]): ColumnChoice => ({
			name,
			isShown,
			isFixed: visibility === 'always',
		});
	return [...shown.map(choice(true)), ...hidden.map(choice(false))];
}

export function columnsDialog(
	{ choices, index }: NonNullable<Screen['columnMenu']>,
	/** The names of the columns for which the table has room. */
	placedNames: readonly string[],
	bindings: readonly Binding[],
	{ columns: cells, rows }: { columns: number; rows: number },
	theme: Theme,
): FramedBox {
	const width = Math.min(maxDialogWidth, cells - 2);
	const inner = width - 4;
	const line = ({ name, isShown, isFixed }: ColumnChoice, at: number): readonly Span[] => {
		const column = columns.find(each => each.name === name);
		const note = isFixed ? 'always' : isShown && !placedNames.includes(name) ? 'no room' : '';
		const left: readonly Span[] = [
			[at === index ? `${theme.glyphs.cursor} ` : '  ', 'accent'],
			[isShown ? '[x] ' : '[ ] ', isShown ? undefined : 'faint'],
			[(column?.title ?? name).padEnd(10), isShown ? 'strong' : 'faint'],
			[column?.description ?? '', 'faint'],
		];
		return note === '' ? left : justifySpans(left, [[` ${note}`, 'faint']], inner, theme);
	};
	const room = Math.min(choices.length, Math.max(minChoices, rows - linesBesideChoices));
	// If not every choice fits, a line says how many are hidden, unless hardly any line is left for the choices.
	const hasSign = choices.length > room && room > minChoices;
	const count = hasSign ? room - 1 : room;
	const first = firstVisibleIndex(index, count, choices.length);
	const hidden = { hiddenAbove: first, hiddenBelow: choices.length - first - count };
	const hints = dialogHints(bindings, {
		answeredBy: 'columns',
		accept: 'shows or hides',
		refuse: 'closes',
		others: otherHints,
	});
	const hint = keyLine(hints, inner, theme);
	const lines = [
		...choices.map(line).slice(first, first + count),
		...(hasSign ? [overflowSpans({ firstLine: first, count, ...hidden }, theme)] : []),
		fitToWidth(hint, inner, theme),
	];
	return drawFrame('Columns', lines, width, 'accent', theme);
}

const otherHints = [
	['columnFurtherRight', 'moves right'],
	['columnFurtherLeft', 'moves left'],
	['usualColumns', 'restores the defaults'],
] as const;
