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
	/** Before the time of a replay. */
	replay: string;
	/** Before an outdated status, where no column shows the age. */
	old: string;
	/** The rule that shows an outage. */
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
	/** The full cells of a bar, the partly filled one from little to much, and the empty ones. */
	bar: { full: string; parts: readonly string[]; empty: string };
	/** From the lowest to the highest value in one cell. */
	spark: readonly string[];
	/** The state in a stretch of time; `unseen` where nothing was read. */
	dayStrip: { active: string; stopped: string; busy: string; error: string; unseen: string };
	/** Half blocks for QR codes; undefined where they cannot be shown. */
	halves: { both: string; upper: string; lower: string } | undefined;
	/** A name in cli-spinners. */
	spinner: 'dots' | 'line';
};

// Every terminal shows each of these characters in one cell.
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

/** The text in ASCII and in as many cells. Characters without a substitute become question marks. */
export function inAscii(text: string, { width, segments }: Ruler): string {
	if (/^[\x20-\x7e]*$/.test(text)) return text;
	return Array.from(segments(text), part =>
		/^[\x20-\x7e]$/.test(part) ? part : (asciiSubstitutes[part] ?? '?'.repeat(width(part))),
	).join('');
}
