import { type Badge, paintedBadge } from './badge.ts';
import { createRuler, type Ruler } from './ruler.ts';
import { createTimes, type Times } from './time-text.ts';

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
	ribbon: { active: string; stopped: string; busy: string; error: string; unseen: string };
	/** Two squares, one above the other, in one cell; undefined where they cannot be shown. */
	halves: { both: string; upper: string; lower: string } | undefined;
	/** As cli-spinners calls it. */
	spinner: 'dots' | 'line';
};

export type Theme = {
	paint: (token: Token | undefined, text: string) => string;
	paintBadge: (badge: Badge) => string;
	/** The row under the cursor; what is painted in it stays painted. */
	paintCursorRow: (text: string) => string;
	/** Dark on light, whatever the terminal's own colours are: for codes that cameras read. */
	paintPaper: (text: string) => string;
	glyphs: Glyphs;
	ruler: Ruler;
	times: Times;
};

type Looks = {
	colours: 0 | 4 | 8 | 24;
	background: 'dark' | 'light';
	hasUnicode: boolean;
	/** Times to the minute, so that little changes. */
	isSparing?: boolean;
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

const blackOnWhite: readonly Codes[] = [
	['38;5;16', '39'],
	['48;5;231', '49'],
];
const blackOnWhiteInSixteen: readonly Codes[] = [
	['30', '39'],
	['107', '49'],
];
const inverse: readonly Codes[] = [['7', '27']];

const withoutColours: Readonly<Partial<Record<Token, Codes>>> = { strong: bold };

export function createTheme(looks: Looks): Theme {
	const { colours, background, hasUnicode, isSparing = false } = looks;
	const rich = background === 'light' ? onLight : onDark;
	const codes: Partial<Record<Token, Codes>> =
		colours === 0 ? withoutColours : colours === 4 ? inSixteen : rich;
	const tint = background === 'light' ? '254' : '237';
	const inPlain = background === 'light' ? [] : inverse;
	const inColours = colours === 4 ? blackOnWhiteInSixteen : blackOnWhite;
	const paper = colours === 0 ? inPlain : inColours;
	const row: Codes = colours >= 8 ? [`48;5;${tint}`, '49'] : bold;

	const ruler = createRuler();
	const shown = hasUnicode ? (text: string) => text : (text: string) => inAscii(text, ruler);
	const wrap = ([on, off]: Codes, text: string) => `\x1b[${on}m${text}\x1b[${off}m`;
	return {
		paint(token, text) {
			const used = token === undefined ? undefined : codes[token];
			return used === undefined || text === '' ? shown(text) : wrap(used, shown(text));
		},
		paintBadge: ({ text, colour }) => paintedBadge({ text: shown(text), colour }, colours),
		paintCursorRow: text => wrap(row, text),
		paintPaper: text => paper.reduce((painted, codes) => wrap(codes, painted), text),
		glyphs: hasUnicode ? unicode : ascii,
		ruler,
		times: createTimes(isSparing),
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
	ribbon: { active: '█', stopped: '░', busy: '▒', error: '✖', unseen: '·' },
	halves: { both: '█', upper: '▀', lower: '▄' },
	spinner: 'dots',
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
	ribbon: { active: '#', stopped: '-', busy: '~', error: 'x', unseen: '.' },
	halves: undefined,
	spinner: 'line',
};

const standIns: Readonly<Record<string, string>> = {
	'→': '>',
	'…': '~',
	'␣': '_',
	'×': 'x',
	'•': '*',
	'–': '-',
};

/** As many cells as before: what has no letter here becomes a question mark for each of its cells. */
function inAscii(text: string, { width, segments }: Ruler): string {
	if (/^[\x20-\x7e]*$/.test(text)) return text;
	return Array.from(segments(text), part =>
		/^[\x20-\x7e]$/.test(part) ? part : (standIns[part] ?? '?'.repeat(width(part))),
	).join('');
}
