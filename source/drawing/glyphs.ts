import stringWidth from 'string-width';

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
	/** The sign after a line whose parts are folded. An unfolded line shows its parts below it. */
	folded: string;
	unfolded: string;
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
	/** The cells of the 24-hour strip by state; `unseen` where nothing was read. */
	dayStrip: Readonly<
		Record<'active' | 'asleep' | 'stopped' | 'busy' | 'error' | 'operation' | 'unseen', string>
	>;
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
	folded: '▸',
	unfolded: '▾',
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
	dayStrip: {
		active: '█',
		asleep: '░',
		stopped: '▁',
		busy: '▒',
		error: '✖',
		operation: '▼',
		unseen: '·',
	},
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
	folded: '+',
	unfolded: '-',
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
	dayStrip: {
		active: '#',
		asleep: '-',
		stopped: '_',
		busy: '~',
		error: 'x',
		operation: 'v',
		unseen: ':',
	},
	halfBlocks: undefined,
	mapCell: undefined,
	spinner: 'line',
};

const asciiSubstitutes: Readonly<Record<string, string>> = {
	'→': '->',
	'←': '<-',
	'≈': '~',
	'…': '~',
	'␣': '_',
	'×': 'x',
	'•': '*',
	'–': '-',
};

/** Converts the text to ASCII of the width that the ruler of an ASCII theme measures. Characters without a substitute become question marks. */
export function toAscii(text: string, { width, segments }: Ruler): string {
	if (/^[\x20-\x7e]*$/.test(text)) return text;
	return Array.from(segments(text), part =>
		/^[\x20-\x7e]$/.test(part) ? part : (asciiSubstitutes[part] ?? '?'.repeat(width(part))),
	).join('');
}

/** Measures text in cells. */
export type Ruler = {
	width: (text: string) => number;
	/** Cuts the text to the longest beginning that fits into `cells` cells. */
	beginning: (text: string, cells: number) => string;
	/** Splits the text into characters as a person sees them. */
	segments: (text: string) => readonly string[];
};

const asciiPattern = /^[\x20-\x7e]*$/;

/** Creates a ruler. The ruler of an ASCII theme measures the text after `toAscii` has converted it. */
export function createRuler({ isAscii = false } = {}): Ruler {
	let segmenter: Intl.Segmenter | undefined;

	const widthOf = isAscii
		? (text: string) => stringWidth(text.replaceAll('→', '->'))
		: (text: string) => stringWidth(text);

	/** The widths of texts of one character: the signs that recur in each row of a table. */
	const signWidths = new Map<string, number>();

	function widthOfSign(sign: string): number {
		let width = signWidths.get(sign);
		if (width === undefined) {
			width = widthOf(sign);
			signWidths.set(sign, width);
		}
		return width;
	}

	function segmented(text: string) {
		// The segmenter is created when it is first used, because creating it takes more time than a whole
		// frame.
		segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
		return segmenter.segment(text);
	}

	return {
		width(text) {
			if (asciiPattern.test(text)) return text.length;
			return text.length === 1 ? widthOfSign(text) : widthOf(text);
		},
		beginning(text, cells) {
			if (cells <= 0) return '';
			if (asciiPattern.test(text)) return text.slice(0, cells);
			let width = 0;
			for (const { segment, index } of segmented(text)) {
				width += widthOf(segment);
				if (width > cells) return text.slice(0, index);
			}
			return text;
		},
		segments: text => Array.from(segmented(text), ({ segment }) => segment),
	};
}
