import { toAscii } from './ascii.ts';
import type { Tone } from './span.ts';

export type Theme = ReturnType<typeof createTheme>;

type ThemeOptions = {
	colourBits: 0 | 4 | 8 | 24;
	background: 'dark' | 'light';
	hasUnicode: boolean;
	/** The colours that a person chose. One that is hard to see on this background is not used. */
	ownColours?: OwnColours | undefined;
};

type Codes = readonly [on: string, off: string];

const bold: Codes = ['1', '22'];
const underline: Codes = ['4', '24'];
const inverse: Codes = ['7', '27'];

const wrap = ([on, off]: Codes, text: string) => `\x1b[${on}m${text}\x1b[${off}m`;

/** Of the 16 colours, which are readable because their owner can set them, and of 256 on each background. */
type Shades = readonly [sixteen: string, onDark: string, onLight: string, sixteenOnLight?: string];

// On white, each colour has a contrast of at least 3:1. The terminal's own white is hardly visible there.
const shades = {
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
} satisfies Readonly<Record<string, Shades>>;

export type OwnColours = Readonly<Partial<Record<keyof typeof shades, string>>>;

export function createTheme(options: ThemeOptions) {
	const { colourBits, background, hasUnicode, ownColours = {} } = options;
	const isLight = background === 'light';
	const usual: Readonly<Record<string, Shades>> = shades;
	const chosen: Readonly<Record<string, string>> = ownColours;
	const shown = hasUnicode ? (text: string) => text : toAscii;
	const row: Codes = colourBits >= 8 ? [`48;5;${isLight ? 254 : 237}`, '49'] : bold;

	function colourOf(tone: string): string | undefined {
		const ofAccount = /^(?:account|badge) (.*)/.exec(tone)?.[1];
		if (ofAccount !== undefined) return chosenColour(ofAccount, colourBits);
		const { [tone]: own = '' } = chosen;
		const code =
			contrastOn(background, own) < minContrast ? undefined : chosenColour(own, colourBits);
		if (code !== undefined) return code;
		const [sixteen, onDark, onLight, sixteenOnLight = sixteen] = usual[tone] ?? [];
		if (colourBits === 4) return isLight ? sixteenOnLight : sixteen;
		return isLight ? onLight : onDark;
	}
	function codesOf(tone: string): Codes | undefined {
		if (tone === 'strong') return bold;
		if (colourBits === 0) {
			if (tone === 'chosen') return bold;
			const isInverse = tone === 'cellUnderCursor' || (tone === 'paper' && !isLight);
			return isInverse ? inverse : undefined;
		}
		if (tone === 'paper') return [colourBits === 4 ? '30;107' : '38;5;16;48;5;231', '39;49'];
		const inversed = tone === 'chosen' ? 'accent' : tone === 'cellUnderCursor' ? 'here' : undefined;
		const [over = '', under = ''] = (inversed ?? tone).split(' on ');
		const [colour, behind] = [colourOf(over), colourOf(under)];
		if (!colour) return undefined;
		if (behind) return [`${colour};${backgroundCode(behind)}`, '39;49'];
		return inversed || tone.startsWith('badge ') ? [`${colour};7`, '27;39'] : [colour, '39'];
	}
	function paint(tone: Tone | undefined, text: string): string {
		// Brackets stand for a colour only around a text with a margin, such as a tab.
		if (tone === 'chosen' && colourBits === 0) text = text.replace(/^ (.*) $/, '[$1]');
		const codes = tone === undefined || text === '' ? undefined : codesOf(tone);
		return codes ? wrap(codes, shown(text)) : shown(text);
	}

	return {
		hasColours: colourBits > 0,
		paint,
		paintMatch: (painted: string) => wrap(underline, painted),
		paintCursorRow: (text: string) => wrap(row, text),
		/** The name of the spinner in the package cli-spinners. */
		spinner: hasUnicode ? ('dots' as const) : ('line' as const),
	};
}

const backgroundCode = (code: string) =>
	code.startsWith('38;') ? `4${code.slice(1)}` : String(Number(code) + 10);

/** Keeps production from being mistaken for another account. */
export type Badge = { text: string; colour: string | undefined };

const colourNames: Readonly<Record<string, string>> = {
	red: '31',
	green: '32',
	yellow: '33',
	blue: '34',
	magenta: '35',
	cyan: '36',
	white: '37',
	grey: '90',
};

export const accountTone = (colour: string | undefined): Tone | undefined =>
	colour === undefined ? undefined : `account ${colour}`;

export const badgeTone = (colour: string | undefined): Tone | undefined =>
	colour === undefined ? undefined : `badge ${colour}`;

/** The code of a name or of #rrggbb, as near as the terminal comes to it. */
function chosenColour(colour: string, colourBits: number): string | undefined {
	if (Object.hasOwn(colourNames, colour)) return colourNames[colour];
	const channels = channelsOf(colour);
	if (!channels || colourBits === 4) return undefined;
	if (colourBits === 24) return `38;2;${channels.join(';')}`;
	const [red = 0, green = 0, blue = 0] = channels.map(channel => Math.round((channel / 255) * 5));
	return `38;5;${16 + 36 * red + 6 * green + blue}`;
}

const channelsOf = (colour: string) =>
	/^#(..)(..)(..)$/
		.exec(colour)
		?.slice(1)
		.map(part => Number.parseInt(part, 16));

export const minContrast = 3;

/** As WCAG defines it, on black or on white. What a name such as `red` means, the owner of the terminal decides. */
export function contrastOn(background: 'dark' | 'light', colour: string): number {
	const channels = channelsOf(colour);
	if (!channels) return Infinity;
	const [red = 0, green = 0, blue = 0] = channels.map(channel => {
		const share = channel / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
	return background === 'dark' ? (luminance + 0.05) / 0.05 : 1.05 / (luminance + 0.05);
}

// Other characters could end the escape sequence, and other schemes are not web addresses.
const linkAddressPattern = /^https?:\/\/[\x21-\x7e]+$/;

export const linkTo = (text: string, url: string): string =>
	linkAddressPattern.test(url) ? `\x1b]8;;${url}\x1b\\${text}\x1b]8;;\x1b\\` : text;
