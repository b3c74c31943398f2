/** Equal styles are the same object. */
export type Style = {
	/** The parameters of the sequence that sets the colour, such as `38;5;80`; empty for that of the terminal. */
	readonly foreground: string;
	readonly background: string;
	/** The attributes, such as bold, as bits. */
	readonly flags: number;
	/** The parameters and address of a link, as `OSC 8` has them; empty without a link. */
	readonly link: string;
};

const attributes = [
	[1, 22],
	[2, 22],
	[3, 23],
	[4, 24],
	[7, 27],
	[9, 29],
] as const;

const boldOrDim = 0b11;
/** Underlined, inverse and struck through also show on a space. */
const flagsSeenOnSpaces = 0b111000;

// No program has this many styles, but links have countless addresses. What is forgotten is only written once more.
const maxStyles = 1000;
const known = new Map<string, Style>();

function styleOf(style: Style): Style {
	const key = `${style.foreground} ${style.background} ${style.flags} ${style.link}`;
	const same = known.get(key);
	if (same) return same;
	if (known.size >= maxStyles) known.clear();
	known.set(key, style);
	return style;
}

export const plainStyle: Style = { foreground: '', background: '', flags: 0, link: '' };
known.set('  0 ', plainStyle);

export function styleAfter(style: Style, codes: string): Style {
	const numbers = codes.split(';').map(Number);
	let next = { ...style };
	for (let at = 0; at < numbers.length; at++) {
		const code = numbers[at] ?? 0;
		if (code === 38 || code === 48) {
			const length = numbers[at + 1] === 2 ? 5 : 3;
			const colour = numbers.slice(at, at + length).join(';');
			if (code === 38) next.foreground = colour;
			else next.background = colour;
			at += length - 1;
		} else if (code === 0) {
			// A reset of the style also ends a link, as in Ink.
			next = { ...plainStyle };
		} else if (code === 39) next.foreground = '';
		else if (code === 49) next.background = '';
		else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) next.foreground = `${code}`;
		else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107))
			next.background = `${code}`;
		for (const [bit, [start, end]] of attributes.entries()) {
			if (code === start) next.flags |= 1 << bit;
			else if (code === end) next.flags &= ~(1 << bit);
		}
	}
	return styleOf(next);
}

export const linkedStyle = (style: Style, link: string) =>
	styleOf({ ...style, link: link === ';' ? '' : link });

export const shownStyle = (style: Style, has: { hasColours: boolean; hasLinks: boolean }) =>
	styleOf({
		foreground: has.hasColours ? style.foreground : '',
		background: has.hasColours ? style.background : '',
		flags: style.flags,
		link: has.hasLinks ? style.link : '',
	});

export function styleOnSpace(style: Style): Style {
	if ((style.flags & flagsSeenOnSpaces) !== 0 || style.link !== '') return style;
	return styleOf({ ...plainStyle, background: style.background });
}

export const isSameOnSpace = (inUse: Style, wanted: Style) =>
	inUse === wanted ||
	(inUse.background === wanted.background &&
		((inUse.flags | wanted.flags) & flagsSeenOnSpaces) === 0 &&
		inUse.link === '' &&
		wanted.link === '');

export function styleChange(from: Style, to: Style): string {
	if (from === to) return '';
	const link = from.link === to.link ? '' : `\u001B]8;${to.link === '' ? ';' : to.link}\u001B\\`;
	const steps = codesOfChange(from, to).join(';');
	if (steps === '') return link;
	const afterReset = ['', ...codesOfChange(plainStyle, to)].join(';');
	return `${link}\u001B[${afterReset.length < steps.length ? afterReset : steps}m`;
}

function codesOfChange(from: Style, to: Style): readonly (string | number)[] {
	const ended = from.flags & ~to.flags;
	// The same code ends both bold and dim, so the one that stays is started again.
	const started = to.flags & (~from.flags | (ended & boldOrDim ? boldOrDim : 0));
	const codesWhere = (flags: number, place: 0 | 1) =>
		attributes.flatMap((codes, bit) => (flags & (1 << bit) ? codes[place] : []));
	return [
		...new Set(codesWhere(ended, 1)),
		...codesWhere(started, 0),
		...(from.foreground === to.foreground ? [] : [to.foreground || 39]),
		...(from.background === to.background ? [] : [to.background || 49]),
	];
}
