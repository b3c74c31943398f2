import { toAscii } from './ascii.ts';
import { createTimeFormatter, type TimeFormatter } from './time-text.ts';

/** Each meaning has a colour, and no colour has another use. */
type Meaning =
	| 'accent'
	| 'faint'
	| 'strong'
	| 'good'
	/** Yellow, for what changes or needs attention. */
	| 'busy'
	/** Red, for what has failed. */
	| 'bad'
	| 'mark'
	| 'chosen'
	/** Dark on light whatever the terminal's colours are, so that cameras can read QR codes. */
	| 'paper'
	| MeaningOnMap;

/** A usual or an idle computer, one with old data or with an unknown status, and the cell under the cursor. */
type MeaningOnMap = 'usual' | 'idle' | 'old' | 'doubt' | 'here' | 'cellUnderCursor';

/** `account` colours the name of an account, and `badge` what is behind it. */
export type Tone = Meaning | `account ${string}` | `badge ${string}` | `${string} on ${string}`;

/** For a character whose background has a colour as well, such as two cells of the map in one character. */
export const onTone = (tone: Tone, background: Tone): Tone => `${tone} on ${background}`;

export type Theme = {
	hasColours: boolean;
	paint: (tone: Tone | undefined, text: string) => string;
	paintMatch: (painted: string) => string;
	paintCursorRow: (text: string) => string;
	/** The name of the spinner in the package cli-spinners. */
	spinner: 'dots' | 'line';
	times: TimeFormatter;
};

type ThemeOptions = {
	colourBits: 0 | 4 | 8 | 24;
	background: 'dark' | 'light';
	hasUnicode: boolean;
	/** Times are shown to the minute, so that the screen changes less often. */
	hasCoarseTimes?: boolean;
};

type StyleCodes = { on: string; start: string; end: string };

const styleCodes = (on: string, off: string): StyleCodes => ({
	on,
	start: `\x1b[${on}m`,
	end: `\x1b[${off}m`,
});

const boldCodes = styleCodes('1', '22');
const underlineCodes = styleCodes('4', '24');
const inverseCodes = styleCodes('7', '27');
const colourCodes = (code: string) => styleCodes(code, '39');
const inverseColourCodes = (code: string) => styleCodes(`${code};7`, '27;39');

/** Of the 16 colours, which are readable because their owner can set them, and of 256 on each background. */
type Shades = readonly [sixteen: string, onDark: string, onLight: string, sixteenOnLight?: string];

// On white, each colour has a contrast of at least 3:1. The terminal's own white is hardly visible there.
const shades: Readonly<Record<string, Shades>> = {
	accent: ['36', '38;5;80', '38;5;25'],
	faint: ['90', '38;5;245', '38;5;243'],
	good: ['32', '32', '38;5;28'],
	busy: ['33', '33', '38;5;130'],
	bad: ['31', '31', '38;5;124'],
	mark: ['35', '35', '35'],
	usual: ['32', '38;5;71', '38;5;28'],
	idle: ['90', '38;5;240', '38;5;245'],
	old: ['35', '38;5;139', '38;5;133'],
	doubt: ['34', '38;5;111', '38;5;26'],
	here: ['97', '38;5;231', '38;5;16', '94'],
};

const blackOnWhite: readonly StyleCodes[] = [
	styleCodes('38;5;16', '39'),
	styleCodes('48;5;231', '49'),
];
const blackOnWhiteInSixteen: readonly StyleCodes[] = [
	styleCodes('30', '39'),
	styleCodes('107', '49'),
];

export function createTheme(options: ThemeOptions): Theme {
	const { colourBits, background, hasUnicode, hasCoarseTimes = false } = options;
	const isLight = background === 'light';
	const tint = isLight ? '254' : '237';
	const inPlain = isLight ? [] : [inverseCodes];
	const inColours = colourBits === 4 ? blackOnWhiteInSixteen : blackOnWhite;
	const paper = colourBits === 0 ? inPlain : inColours;
	const row = colourBits >= 8 ? styleCodes(`48;5;${tint}`, '49') : boldCodes;

	const shown = hasUnicode ? (text: string) => text : toAscii;
	const wrap = (codes: StyleCodes, text: string) => codes.start + text + codes.end;
	function shadeOf(meaning: string): string {
		const [sixteen = '', onDark, onLight, sixteenOnLight = sixteen] = shades[meaning] ?? [];
		if (colourBits === 4) return isLight ? sixteenOnLight : sixteen;
		return (isLight ? onLight : onDark) ?? '';
	}
	function codesOf(tone: string): StyleCodes | undefined {
		if (tone === 'strong') return boldCodes;
		if (colourBits === 0) {
			if (tone === 'chosen') return boldCodes;
			return tone === 'cellUnderCursor' ? inverseCodes : undefined;
		}
		if (tone === 'chosen') return inverseColourCodes(shadeOf('accent'));
		if (tone === 'cellUnderCursor') return inverseColourCodes(shadeOf('here'));
		const [over = '', under] = tone.split(' on ');
		const found = over in shades ? colourCodes(shadeOf(over)) : accountCodes(over, colourBits);
		const below = under === undefined ? undefined : codesOf(under);
		if (!found || !below) return found;
		return styleCodes(`${found.on};${backgroundCode(below.on)}`, '39;49');
	}
	function paint(tone: Tone | undefined, text: string): string {
		if (tone === 'paper') return paper.reduce((painted, codes) => wrap(codes, painted), text);
		// Brackets stand for a colour only around a text with a margin, such as a tab.
		if (tone === 'chosen' && colourBits === 0) text = text.replace(/^ (.*) $/, '[$1]');
		const used = tone === undefined ? undefined : codesOf(tone);
		return used === undefined || text === '' ? shown(text) : wrap(used, shown(text));
	}

	return {
		hasColours: colourBits > 0,
		paint,
		paintMatch: painted => wrap(underlineCodes, painted),
		paintCursorRow: text => wrap(row, text),
		spinner: hasUnicode ? 'dots' : 'line',
		times: createTimeFormatter(hasCoarseTimes),
	};
}

function backgroundCode(code: string): string {
	return code.startsWith('38;') ? `4${code.slice(1)}` : String(Number(code) + 10);
}

/** Keeps production from being mistaken for another account. */
export type Badge = { text: string; colour: string | undefined };

const badgeColourCodes: Readonly<Record<string, string>> = {
	red: '31',
	green: '32',
	yellow: '33',
	blue: '34',
	magenta: '35',
	cyan: '36',
	white: '37',
	grey: '90',
};

export function accountTone(colour: string | undefined): Tone | undefined {
	return colour === undefined ? undefined : `account ${colour}`;
}

export function badgeTone(colour: string | undefined): Tone | undefined {
	return colour === undefined ? undefined : `badge ${colour}`;
}

function accountCodes(tone: string, colourBits: 4 | 8 | 24): StyleCodes | undefined {
	const [, kind, colour = ''] = /^(account|badge) (.*)/.exec(tone) ?? [];
	const code = kind === undefined ? undefined : badgeCode(colour, colourBits);
	if (code === undefined) return undefined;
	return kind === 'badge' ? inverseColourCodes(code) : colourCodes(code);
}

function badgeCode(colour: string, colourBits: 4 | 8 | 24): string | undefined {
	if (Object.hasOwn(badgeColourCodes, colour)) return badgeColourCodes[colour];
	const parts = /^#(..)(..)(..)$/
		.exec(colour)
		?.slice(1)
		.map(part => Number.parseInt(part, 16));
	if (!parts || colourBits === 4) return undefined;
	if (colourBits === 24) return `38;2;${parts.join(';')}`;
	const [red = 0, green = 0, blue = 0] = parts.map(part => Math.round((part / 255) * 5));
	return `38;5;${16 + 36 * red + 6 * green + blue}`;
}

// Other characters could end the escape sequence, and other schemes are not web addresses.
const linkAddressPattern = /^https?:\/\/[\x21-\x7e]+$/;

export const linkTo = (text: string, url: string): string =>
	linkAddressPattern.test(url) ? `\x1b]8;;${url}\x1b\\${text}\x1b]8;;\x1b\\` : text;
