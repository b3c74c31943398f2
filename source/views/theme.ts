import { createRuler, type Ruler } from './ruler.ts';

/** What a text is there for. Colours mean something, or they are not used. */
export type Token = 'accent' | 'faint' | 'strong' | 'good' | 'busy' | 'bad' | 'mark';

export type Glyphs = {
	active: string;
	busy: string;
	stopped: string;
	error: string;
	unknown: string;
	update: string;
	cursor: string;
	live: string;
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
};

export type Theme = {
	paint: (token: Token | undefined, text: string) => string;
	/** The row under the cursor; what is painted in it stays painted. */
	paintCursorRow: (text: string) => string;
	glyphs: Glyphs;
	ruler: Ruler;
};

type Looks = {
	colours: 0 | 4 | 8 | 24;
	background: 'dark' | 'light';
	hasUnicode: boolean;
};

type Codes = readonly [on: string, off: string];

const bold: Codes = ['1', '22'];
const colour = (code: string): Codes => [code, '39'];

// Green, yellow and red are the terminal's own, which its owner chose to be readable.
const inSixteen: Readonly<Record<Token, Codes>> = {
	accent: colour('36'),
	faint: colour('90'),
	strong: bold,
	good: colour('32'),
	busy: colour('33'),
	bad: colour('31'),
	mark: colour('35'),
};

const onDark = { ...inSixteen, accent: colour('38;5;80'), faint: colour('38;5;245') };
const onLight = {
	...inSixteen,
	accent: colour('38;5;25'),
	faint: colour('38;5;243'),
	good: colour('38;5;28'),
	busy: colour('38;5;130'),
	bad: colour('38;5;124'),
};

const withoutColours: Readonly<Partial<Record<Token, Codes>>> = { strong: bold };

export function createTheme({ colours, background, hasUnicode }: Looks): Theme {
	const rich = background === 'light' ? onLight : onDark;
	const codes: Partial<Record<Token, Codes>> =
		colours === 0 ? withoutColours : colours === 4 ? inSixteen : rich;
	const tint = background === 'light' ? '254' : '237';
	const row: Codes = colours >= 8 ? [`48;5;${tint}`, '49'] : bold;

	const wrap = ([on, off]: Codes, text: string) => `\x1b[${on}m${text}\x1b[${off}m`;
	return {
		paint(token, text) {
			const used = token === undefined ? undefined : codes[token];
			return used === undefined || text === '' ? text : wrap(used, text);
		},
		paintCursorRow: text => wrap(row, text),
		glyphs: hasUnicode ? unicode : ascii,
		ruler: createRuler(),
	};
}

// Only characters that every terminal shows in one cell.
const unicode: Glyphs = {
	active: '●',
	busy: '◐',
	stopped: '○',
	error: '✖',
	unknown: '?',
	update: '↑',
	cursor: '❯',
	live: '●',
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
};

const ascii: Glyphs = {
	active: '*',
	busy: '~',
	stopped: 'o',
	error: 'x',
	unknown: '?',
	update: '^',
	cursor: '>',
	live: '*',
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
};
