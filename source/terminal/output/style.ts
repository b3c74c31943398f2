/** The look of a cell. Equal styles are mostly the same object, but must be compared by their fields. */
export type Style = {
	readonly foreground: number;
	readonly background: number;
	readonly underline: number;
	readonly flags: number;
	/** The parameters and address of a link, as `OSC 8` has them; empty without a link. */
	readonly link: string;
};

// A colour is none, one of the terminal's 16 colours, one of a palette of 256, or a colour of 24 bits. The
// terminal's 16 colours differ from the first 16 of the palette, because people may change them.
export const noColour = -1;
const paletteOffset = 0x100;
const rgbOffset = 0x1000000;

export const plainStyle: Style = {
	foreground: noColour,
	background: noColour,
	underline: noColour,
	flags: 0,
	link: '',
};

const bold = 1;
const dim = 2;
const underlined = 8;
const inverse = 32;
const struckThrough = 128;
const overlined = 256;

/** For each attribute: its flag, the code that starts it, and the code that ends it. */
const attributes = [
	[bold, 1, 22],
	[dim, 2, 22],
	[4, 3, 23],
	[underlined, 4, 24],
	[16, 5, 25],
	[inverse, 7, 27],
	[64, 8, 28],
	[struckThrough, 9, 29],
	[overlined, 53, 55],
] as const;

/** The attributes that show even on a space, such as underline and inverse. */
const flagsVisibleOnSpaces = underlined | inverse | struckThrough | overlined;

export function isSameStyle(a: Style, b: Style): boolean {
	return (
		a === b ||
		(a.foreground === b.foreground &&
			a.background === b.background &&
			a.flags === b.flags &&
			a.underline === b.underline &&
			a.link === b.link)
	);
}

/** Returns the style that makes a space look like `wanted` and takes the shortest change from `inUse`. */
export function cheapestStyleForSpace(desired: Style, current: Style): Style {
	if ((desired.flags & flagsVisibleOnSpaces) !== 0 || desired.link !== '') return desired;
	const kept = {
		...current,
		background: desired.background,
		flags: current.flags & ~flagsVisibleOnSpaces,
		link: '',
	};
	const bare = styleSeenOnSpace(desired);
	return styleChange(current, kept).length < styleChange(current, bare).length ? kept : bare;
}

/**
 * Whether a space looks the same in both styles. Links must be equal too: some terminals underline them.
 */
export function isSameStyleOnSpaces(a: Style, b: Style): boolean {
	return (
		isSameStyle(a, b) ||
		(a.background === b.background &&
			a.link === '' &&
			b.link === '' &&
			(a.flags & flagsVisibleOnSpaces) === 0 &&
			(b.flags & flagsVisibleOnSpaces) === 0)
	);
}

/** Returns the part of a style that shows on a space. */
export function styleSeenOnSpace(style: Style): Style {
	if ((style.flags & flagsVisibleOnSpaces) !== 0 || style.link !== '') return style;
	return style.background === noColour
		? plainStyle
		: { ...plainStyle, background: style.background };
}

/** Returns the style that results when the sequence `CSI codes m` is applied to `style`. */
export function styleAfter(style: Style, codes: string): Style {
	const numbers = codes === '' ? [0] : codes.split(';').map(Number);
	let next = style;
	for (let at = 0; at < numbers.length; at++) {
		const code = numbers[at] ?? 0;
		if (code === 38 || code === 48 || code === 58) {
			const [colour, length] = parseColourCode(numbers, at + 1);
			next = withColour(next, code, colour);
			at += length;
		} else {
			next = styleAfterCode(next, code);
		}
	}
	return next;
}

function styleAfterCode(style: Style, code: number): Style {
	// As in Ink, a reset of the style also ends a link.
	if (code === 0) return plainStyle;
	if (code === 39 || code === 49 || code === 59) return withColour(style, code - 1, noColour);
	if (code >= 30 && code <= 37) return withColour(style, 38, code - 30);
	if (code >= 40 && code <= 47) return withColour(style, 48, code - 40);
	if (code >= 90 && code <= 97) return withColour(style, 38, code - 82);
	if (code >= 100 && code <= 107) return withColour(style, 48, code - 92);
	let { flags } = style;
	for (const [flag, start, end] of attributes) {
		if (code === start) flags |= flag;
		else if (code === end) flags &= ~flag;
	}
	return flags === style.flags ? style : { ...style, flags };
}

function withColour(style: Style, code: number, colour: number): Style {
	if (code === 38) return { ...style, foreground: colour };
	return code === 48 ? { ...style, background: colour } : { ...style, underline: colour };
}

/** Parses the colour after the code 38, 48 or 58. Also returns how many numbers the colour takes. */
function parseColourCode(
	numbers: readonly number[],
	index: number,
): [colour: number, length: number] {
	const [kind, first = 0, second = 0, third = 0] = numbers.slice(index, index + 4);
	if (kind === 5) return [paletteOffset + (first & 255), 2];
	if (kind === 2)
		return [rgbOffset + ((first & 255) << 16) + ((second & 255) << 8) + (third & 255), 4];
	return [noColour, 0];
}

/** Returns the shortest sequence that changes the style from `from` to `to`. */
export function styleChange(from: Style, to: Style): string {
	const link = from.link === to.link ? '' : `\u001B]8;${to.link === '' ? ';' : to.link}\u001B\\`;
	const change = codesOfChange(from, to);
	if (change.length === 0) return link;
	const steps = change.join(';');
	const fromPlain = codesOfChange(plainStyle, to).join(';');
	const afterReset = fromPlain === '' ? '' : `;${fromPlain}`;
	return `${link}\u001B[${afterReset.length < steps.length ? afterReset : steps}m`;
}

/**
 * Returns the codes of a change, each of which ends or starts one attribute. A single reset would be shorter,
 * but libraries that restyle such a text look for the code that ends each attribute.
 */
export function codesOfChange(from: Style, to: Style): string[] {
	const codes: string[] = [];
	if (from.flags !== to.flags) pushAttributeCodes(codes, from.flags, to.flags);
	if (from.foreground !== to.foreground) codes.push(codeOfColour(to.foreground, 30));
	if (from.background !== to.background) codes.push(codeOfColour(to.background, 40));
	if (from.underline !== to.underline) codes.push(codeOfColour(to.underline, 50));
	return codes;
}

function pushAttributeCodes(codes: string[], fromFlags: number, toFlags: number) {
	const ended = fromFlags & ~toFlags;
	let set = toFlags & ~fromFlags;
	// The same code ends both bold and dim, so the attribute that stays is started again.
	if (ended & (bold | dim)) set |= toFlags & (bold | dim);
	let last = 0;
	for (const [flag, , end] of attributes) {
		if (ended & flag && end !== last) codes.push(String(end));
		if (ended & flag) last = end;
	}
	for (const [flag, start] of attributes) if (set & flag) codes.push(String(start));
}

/**
 * Colours of underlines are written with colons, because a terminal that does not know them would read
 * each number of `58;5;1` as a code of its own.
 */
function codeOfColour(colour: number, baseCode: 30 | 40 | 50): string {
	if (colour === noColour) return String(baseCode + 9);
	const isUnderline = baseCode === 50;
	if (colour >= rgbOffset) {
		const parts = [(colour >> 16) & 255, (colour >> 8) & 255, colour & 255];
		return isUnderline ? `58:2::${parts.join(':')}` : `${baseCode + 8};2;${parts.join(';')}`;
	}
	if (colour >= paletteOffset) {
		return isUnderline
			? `58:5:${colour - paletteOffset}`
			: `${baseCode + 8};5;${colour - paletteOffset}`;
	}
	return String(colour < 8 ? baseCode + colour : baseCode + 52 + colour);
}

/** Returns the style without its colours, for terminals without colours and people who switch them off. */
export function withoutColours(style: Style): Style {
	const { foreground, background, underline } = style;
	if (foreground === noColour && background === noColour && underline === noColour) return style;
	return { ...plainStyle, flags: style.flags, link: style.link };
}
