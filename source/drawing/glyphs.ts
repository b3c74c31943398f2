import type { Ruler } from './ruler.ts';

export type Glyphs = {
	active: string;
	busy: string;
	stopped: string;
	error: string;
	unknown: string;
	update: string;
	cursor: string;
	live: string;
	/** Stands before what a recording shows. */
	replay: string;
	/** Before the status of what is old, where no column tells how old. */
	old: string;
	/** A rule that has to be seen. */
	loudRule: string;
	rule: string;
	separator: string;
	ellipsis: string;
	none: string;
	atLeast: string;
	minus: string;
	ascending: string;
	descending: string;
	mark: string;
	caret: string;
	frame: {
		topLeft: string;
		topRight: string;
		bottomLeft: string;
		bottomRight: string;
		across: string;
		side: string;
	};
	/** The full cells of a bar, the one that is in part, from little to much, and the empty ones. */
	bar: { full: string; parts: readonly string[]; empty: string };
	/** From the lowest to the highest value in one cell. */
	spark: readonly string[];
	/** A stretch of time in one cell: what ran in it, and when nobody watched. */
	dayStrip: { active: string; stopped: string; busy: string; error: string; unseen: string };
	/** Two squares, one above the other, in one cell; undefined where they cannot be shown. */
	halves: { both: string; upper: string; lower: string } | undefined;
	/** As cli-spinners calls it. */
	spinner: 'dots' | 'line';
};

// Only characters that every terminal shows in one cell.
export const unicodeGlyphs: Glyphs = {
	active: '●',
	busy: '◐',
	stopped: '○',
	error: '✖',
	unknown: '?',
	update: '↑',
	cursor: '❯',
	live: '●',
	replay: '◷',
	old: '~',
	loudRule: '━',
	rule: '─',
	separator: '·',
	ellipsis: '…',
	none: '–',
	atLeast: '≥',
	minus: '−',
	ascending: '▲',
	descending: '▼',
	mark: '▪',
	caret: '▏',
	frame: {
		topLeft: '╭',
		topRight: '╮',
		bottomLeft: '╰',
		bottomRight: '╯',
		across: '─',
		side: '│',
	},
	bar: { full: '━', parts: ['╸'], empty: '─' },
	spark: ['▁', '▂', '▃', '▄', '▅', '▆', '▇'],
	dayStrip: { active: '█', stopped: '░', busy: '▒', error: '✖', unseen: '·' },
	halves: { both: '█', upper: '▀', lower: '▄' },
	spinner: 'dots',
};

export const asciiGlyphs: Glyphs = {
	active: '*',
	busy: '~',
	stopped: 'o',
	error: 'x',
	unknown: '?',
	update: '^',
	cursor: '>',
	live: '*',
	replay: '@',
	old: '~',
	loudRule: '=',
	rule: '-',
	separator: '-',
	ellipsis: '~',
	none: '-',
	atLeast: '>=',
	minus: '-',
	ascending: '^',
	descending: 'v',
	mark: '+',
	caret: '_',
	frame: {
		topLeft: '+',
		topRight: '+',
		bottomLeft: '+',
		bottomRight: '+',
		across: '-',
		side: '|',
	},
	bar: { full: '=', parts: [], empty: '.' },
	spark: ['_', '.', '-', '=', '*', '#'],
	dayStrip: { active: '#', stopped: '-', busy: '~', error: 'x', unseen: '.' },
	halves: undefined,
	spinner: 'line',
};

const asciiSubstitutes: Readonly<Record<string, string>> = {
	'→': '>',
	'…': '~',
	'␣': '_',
	'×': 'x',
	'•': '*',
	'–': '-',
};

/** As many cells as before: what has no letter here becomes a question mark for each of its cells. */
export function inAscii(text: string, { width, segments }: Ruler): string {
	if (/^[\x20-\x7e]*$/.test(text)) return text;
	return Array.from(segments(text), part =>
		/^[\x20-\x7e]$/.test(part) ? part : (asciiSubstitutes[part] ?? '?'.repeat(width(part))),
	).join('');
}
