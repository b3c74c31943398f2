import { asciiGlyphs, type Glyphs, inAscii, unicodeGlyphs } from './glyphs.ts';
import { createRuler, type Ruler } from './ruler.ts';
import { createTimes, type Times } from './time-text.ts';

/** The meaning of a text. Each meaning has a colour, and no colour has another use. */
export type Token = 'accent' | 'faint' | 'strong' | 'good' | 'busy' | 'bad' | 'mark';

export type Theme = {
	paint: (token: Token | undefined, text: string) => string;
	paintBadge: (badge: Badge) => string;
	/** Highlights the row under the cursor, without changing the colours of its texts. */
	paintCursorRow: (text: string) => string;
	/** Dark on light, whatever the terminal's colours are, so that cameras can read QR codes. */
	paintPaper: (text: string) => string;
	glyphs: Glyphs;
	ruler: Ruler;
	times: Times;
};

type ThemeOptions = {
	colours: 0 | 4 | 8 | 24;
	background: 'dark' | 'light';
	hasUnicode: boolean;
	/** Whether times are shown to the minute, so that the screen changes less often. */
	isCoarse?: boolean;
};

type Codes = readonly [on: string, off: string];

const bold: Codes = ['1', '22'];
const colour = (code: string): Codes => [code, '39'];

// The 16 colours of the terminal are readable on its background, because its owner can set them.
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

export function createTheme(looks: ThemeOptions): Theme {
	const { colours, background, hasUnicode, isCoarse: isSparing = false } = looks;
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
		glyphs: hasUnicode ? unicodeGlyphs : asciiGlyphs,
		ruler,
		times: createTimes(isSparing),
	};
}

/** The label and colour of an account, so that production is not mistaken for another account. */
export type Badge = { text: string; colour: string | undefined };

const badgeColours: Readonly<Record<string, string>> = {
	red: '31',
	green: '32',
	yellow: '33',
	blue: '34',
	magenta: '35',
	cyan: '36',
	white: '37',
	grey: '90',
};

/** Paints the badge on a background of its colour, or returns its plain text without colours. */
export function paintedBadge({ text, colour }: Badge, colours: 0 | 4 | 8 | 24): string {
	const code = colour === undefined ? undefined : badgeCode(colour, colours);
	return code === undefined || colours === 0 ? text : `\x1b[${code};7m${text}\x1b[27;39m`;
}

function badgeCode(colour: string, colours: 0 | 4 | 8 | 24): string | undefined {
	if (Object.hasOwn(badgeColours, colour)) return badgeColours[colour];
	const parts = /^#(..)(..)(..)$/
		.exec(colour)
		?.slice(1)
		.map(part => Number.parseInt(part, 16));
	if (!parts || colours === 4) return undefined;
	if (colours === 24) return `38;2;${parts.join(';')}`;
	const [red = 0, green = 0, blue = 0] = parts.map(part => Math.round((part / 255) * 5));
	return `38;5;${16 + 36 * red + 6 * green + blue}`;
}

// Other characters could end the escape sequence, and other schemes are not web addresses.
const linkAddress = /^https?:\/\/[\x21-\x7e]+$/;

/** Makes the text a link that terminals can open. A common id joins the lines of a link that wraps. */
export function linked(text: string, url: string): string {
	if (!linkAddress.test(url)) return text;
	return `\x1b]8;id=${linkId(url)};${url}\x1b\\${text}\x1b]8;;\x1b\\`;
}

function linkId(url: string): string {
	let hash = 0;
	for (let at = 0; at < url.length; at += 1) hash = (hash * 31 + url.charCodeAt(at)) >>> 0;
	return hash.toString(36);
}
