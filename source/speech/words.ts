import type { Span } from '../drawing/span.ts';
import { createTheme, type Theme } from '../drawing/theme.ts';

/** A theme for speech: each glyph becomes a word, or nothing. */
export function createSpokenTheme(): Theme {
	const theme = createTheme({ colours: 0, background: 'dark', hasUnicode: true });
	const { glyphs } = theme;
	const signs = { active: '', stopped: '', busy: '', error: '' };
	const same = (text: string) => text;
	return {
		...theme,
		paint: (_, text) => text,
		paintBadge: ({ text }) => text,
		paintCursorRow: same,
		paintPaper: same,
		glyphs: {
			...glyphs,
			...signs,
			unknown: '',
			update: 'behind,',
			live: '',
			replay: '',
			old: 'old:',
			loudRule: '',
			rule: '',
			separator: ',',
			none: '',
			atLeast: 'at least ',
			minus: 'minus ',
			ascending: '',
			descending: '',
			mark: '',
			cursor: '',
			caret: '',
			bar: { full: '', parts: [''], empty: '' },
			dayStrip: { ...signs, unseen: '' },
			halves: undefined,
		},
	};
}

/** A width at which no text is cut. */
export const unlimitedWidth = 1000;

export const textOf = (spans: readonly Span[]) => spans.map(([text]) => text).join('');

/** Spans as speech. Only for the program's own texts: names to be typed stay as they are. */
export const spokenText = (spans: readonly Span[]) => spelledOut(textOf(spans));

const unitNames: Readonly<Record<string, string>> = {
	s: 'second',
	m: 'minute',
	min: 'minute',
	h: 'hour',
	d: 'day',
};

/** Spells out signs and short units. */
export function spelledOut(text: string): string {
	return text
		.replaceAll('→', 'to')
		.replaceAll('…', '')
		.replace(/<1m\b/g, 'under a minute')
		.replace(/(?<![\w./%-])(\d+) ?(min|[smhd])(?![\w/-])/g, (_, count: string, unit: string) =>
			pluralized(Number(count), unitNames[unit] ?? unit),
		)
		.replace(/(\d)%(?!\w)/g, '$1 percent')
		.replace(/\s+/g, ' ')
		.replace(/ ([,.])/g, '$1')
		.replace(/,$/, '')
		.trim();
}

export function pluralized(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first few names, and how many more there are. */
export function firstFew(names: readonly string[], maxCount = 3): string {
	const more = names.length - maxCount;
	return more > 0 ? `${names.slice(0, maxCount).join(', ')} and ${more} more` : names.join(', ');
}
