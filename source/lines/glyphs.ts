import { beginningOf, cellsOf, charactersOf } from './measure.ts';

export type Glyphs = {
	active: string;
	busy: string;
	stopped: string;
	error: string;
	unknown: string;
	/** The sign before a finished step. */
	done: string;
	updateAvailable: string;
	cursor: string;
	/** The sign before the time in a replay. */
	replay: string;
	/** The line above the table consists of this glyph while the platform cannot be reached. */
	alarmRule: string;
	rule: string;
	separator: string;
	ellipsis: string;
	noValue: string;
	/** Stands for a value that nobody has read yet. */
	notRead: string;
	atLeast: string;
	minus: string;
	ascending: string;
	descending: string;
	mark: string;
	/** The sign before a row that stays in the table although the filter would hide it. */
	kept: string;
	/** A forecast consists of this glyph. */
	dash: string;
	caret: string;
	frame: {
		topLeft: string;
		topRight: string;
		bottomLeft: string;
		bottomRight: string;
		horizontal: string;
		vertical: string;
	};
	/** The cells of a bar: full, partly filled (from little to much), and empty. */
	bar: { full: string; partlyFull: readonly string[]; empty: string };
	/** The sign before a share of CPU, memory or storage that is almost used up. */
	critical: string;
	/** The heights of a sparkline, from the lowest to the highest. */
	sparklineHeights: readonly string[];
	/** Half blocks for QR codes; undefined in ASCII. */
	halfBlocks: { full: string; upper: string; lower: string } | undefined;
	/** A cell of the map that takes a whole character; undefined if cells are letters. */
	mapCell: string | undefined;
	/** The spinner's name in the package cli-spinners. */
	spinner: 'dots' | 'line';
};

// Every terminal with Unicode shows each of these characters in one cell.
export const unicodeGlyphs: Glyphs = {
	active: '●',
	busy: '◐',
	stopped: '○',
	error: '✖',
	unknown: '?',
	done: '✔',
	updateAvailable: '↑',
	cursor: '❯',
	replay: '◷',
	alarmRule: '━',
	rule: '─',
	separator: '·',
	ellipsis: '…',
	noValue: '–',
	notRead: '…',
	atLeast: '≥',
	minus: '−',
	ascending: '▲',
	descending: '▼',
	mark: '▪',
	kept: '┊',
	dash: '╌',
	caret: '▏',
	frame: {
		topLeft: '╭',
		topRight: '╮',
		bottomLeft: '╰',
		bottomRight: '╯',
		horizontal: '─',
		vertical: '│',
	},
	bar: { full: '━', partlyFull: ['╸'], empty: '─' },
	critical: '!',
	sparklineHeights: ['▁', '▂', '▃', '▄', '▅', '▆', '▇'],
	halfBlocks: { full: '█', upper: '▀', lower: '▄' },
	mapCell: '■',
	spinner: 'dots',
};

export const asciiGlyphs: Glyphs = {
	active: '*',
	busy: '~',
	stopped: 'o',
	error: 'x',
	unknown: '?',
	done: '+',
	updateAvailable: '^',
	cursor: '>',
	replay: '@',
	alarmRule: '=',
	rule: '-',
	separator: '-',
	ellipsis: '~',
	noValue: '-',
	notRead: '...',
	atLeast: '>=',
	minus: '-',
	ascending: '^',
	descending: 'v',
	mark: '+',
	kept: '|',
	dash: '.',
	caret: '_',
	frame: {
		topLeft: '+',
		topRight: '+',
		bottomLeft: '+',
		bottomRight: '+',
		horizontal: '-',
		vertical: '|',
	},
	bar: { full: '=', partlyFull: [], empty: '.' },
	critical: '!',
	sparklineHeights: ['_', '.', '-', '=', '*', '#'],
	halfBlocks: undefined,
	mapCell: undefined,
	spinner: 'line',
};

/** Measures text in cells. */
export type Ruler = {
	width: (text: string) => number;
	/** Cuts the text to the longest beginning that fits into `cells` cells. */
	beginning: (text: string, cells: number) => string;
	/** Splits the text into characters as a person sees them. */
	segments: (text: string) => readonly string[];
};

/** The ruler of every theme. */
export const createRuler = (): Ruler => ({
	width: cellsOf,
	beginning: beginningOf,
	segments: charactersOf,
});
