import { countText } from '../foundation/number-text.ts';
import { type Line, spansOf } from './line.ts';
import { type Span, textOf } from './span.ts';
import { linkTo, type Theme } from './theme.ts';

export function painted(spans: readonly Span[], { paint, paintMatch }: Theme): string {
	let text = '';
	for (const [piece, tone, click, isMatch] of spans) {
		const toned = isMatch ? paintMatch(paint(tone, piece)) : paint(tone, piece);
		text += click?.url ? linkTo(toned, click.url) : toned;
	}
	return text;
}

/** Without the margin, in which the screen has its cursor. */
export function plainText(line: Line): string {
	if (line.url) return line.url;
	const text = textOf(spansOf(line)).trimEnd();
	return text.slice(Math.min(line.margin ?? 1, text.length - text.trimStart().length));
}

/** An address that is broken over several lines is printed once. */
export const plainTexts = (lines: readonly Line[]): readonly string[] =>
	lines.filter(({ url }, at) => url === undefined || url !== lines[at - 1]?.url).map(plainText);

/** Drawings are not read, and neither is an address that goes on from the line before. */
export const isSpoken = (
	{ isDrawing, isGap, spoken, url }: Line,
	at: number,
	all: readonly Line[],
) => !isDrawing && !isGap && spoken !== '' && (url === undefined || url !== all[at - 1]?.url);

export function spokenText(line: Line): string {
	const { spoken, url } = line;
	if (typeof spoken === 'function') return spoken();
	return spoken ?? url ?? spokenSpans(spansOf(line));
}

/** Blanks between two parts become a comma. */
export const spokenSpans = (spans: readonly Span[]): string =>
	textOf(spans)
		.replace(drawings, '  ')
		.split(/\s{2,}/)
		.map(spellOut)
		.filter(part => part !== '')
		.join(', ')
		.replace(/([,:]),/g, '$1');

const drawings = /[\u2500-\u259f]+/g;

const portList = /(?<=\bports )\d+(?: \d+)+\b/g;

/** Signs that stand beside a word that says the same, or between two parts. */
const signs = /(?<=^|\s)[\u25a0-\u25ff\u2700-\u27bf\u2013\u2026+?](?=\s|$)/g;

const unitNames: Readonly<Record<string, string>> = {
	s: 'second',
	m: 'minute',
	min: 'minute',
	h: 'hour',
	d: 'day',
};

const signWords: readonly (readonly [sign: string, word: string])[] = [
	[' → ', ', now '],
	['≈', 'about '],
	['≥', 'at least '],
	['↑', 'behind,'],
	['← ', ''],
	[' · ', ', '],
	[' …)', ' and more)'],
	['▲', 'high '],
	['…', ''],
];

/** Spells out signs and short units, as in "3 minutes" for "3m". */
export function spellOut(text: string): string {
	const said = text
		.replace(/ ▼$/, ', reversed')
		.replace(signs, '')
		// The version after the arrow is the one that comes; a status has come.
		.replace(/ \u2192 (?=\d)/g, ' to ')
		// At the beginning, the arrow stands before a number of computers, or a version that is out.
		.replace(/^\u2191 /, '');
	return signWords
		.reduce((rest, [sign, word]) => rest.replaceAll(sign, word), said)
		.replace(/~(?=\d)/g, 'about ')
		.replace(/(?<=\d) \u2212(?=\d)/g, ', minus ')
		.replace(/\u2212(?=\d)/g, 'minus ')
		.replace(/!(?=\d)/g, 'very high ')
		.replace(/\bEsc\b/g, 'Escape')
		.replace(/<1 ?m(in)?\b/g, 'under a minute')
		.replace(/(?<![\w./%-])(\d+) ?(min|[smhd])(?![\w/-])/g, (_, count: string, unit: string) =>
			inUnits(Number(count), unitNames[unit] ?? unit),
		)
		.replace(/(\d) ?%(?!\w)/g, '$1 percent')
		.replace(/(\d)\/h (?=about|\d)/g, '$1 an hour, ')
		.replace(/(\d)\/h\b/g, '$1 an hour')
		.replace(portList, list => list.replaceAll(' ', ', ').replace(/, (\d+)$/, ' and $1'))
		.replace(/\s+/g, ' ')
		.replace(/ ([,.])/g, '$1')
		.replace(/,$/, '')
		.trim();
}

const inUnits = (count: number, unit: string) =>
	`${countText(count)} ${unit}${count === 1 ? '' : 's'}`;
