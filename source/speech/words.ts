import type { Span } from '../drawing/span.ts';
import { createTheme, type Theme } from '../drawing/theme.ts';

/** Creates a theme for speech, in which each glyph is a word or empty. */
export function createSpokenTheme(): Theme {
	const theme = createTheme({ colourBits: 0, background: 'dark', hasUnicode: true });
	const { glyphs } = theme;
	const signs = { active: '', stopped: '', busy: '', error: '' };
	const unchanged = (text: string) => text;
	return {
		...theme,
		paint: (_, text) => text,
		paintBadge: ({ text }) => text,
		paintCursorRow: unchanged,
		paintBlackOnWhite: unchanged,
		glyphs: {
			...glyphs,
			...signs,
			unknown: '',
			updateAvailable: 'behind,',
			liveUpdates: '',
			replay: '',
			outdated: 'old:',
			alarmRule: '',
			rule: '',
			separator: ',',
			noValue: '',
			atLeast: 'at least ',
			minus: 'minus ',
			ascending: '',
			descending: '',
			mark: '',
			cursor: '',
			caret: '',
			bar: { full: '', partlyFull: [''], empty: '' },
			dayStrip: { ...signs, unseen: '' },
			halfBlocks: undefined,
		},
	};
}

/** A width in cells that is large enough for any text. */
export const unlimitedWidth = 1000;

export const textOfSpans = (spans: readonly Span[]) => spans.map(([text]) => text).join('');

/**
 * Converts spans to speech. This is only for texts of this program, because names and commands must stay
 * exact.
 */
export const spokenTextOfSpans = (spans: readonly Span[]) => spellOut(textOfSpans(spans));

const unitNames: Readonly<Record<string, string>> = {
	s: 'second',
	m: 'minute',
	min: 'minute',
	h: 'hour',
	d: 'day',
};

/** Spells out signs and short units, as in "3 minutes" for "3m". */
export function spellOut(text: string): string {
	return text
		.replaceAll('→', 'to')
		.replaceAll('…', '')
		.replace(/<1m\b/g, 'under a minute')
		.replace(/(?<![\w./%-])(\d+) ?(min|[smhd])(?![\w/-])/g, (_, count: string, unit: string) =>
			pluralize(Number(count), unitNames[unit] ?? unit),
		)
		.replace(/(\d)%(?!\w)/g, '$1 percent')
		.replace(/\s+/g, ' ')
		.replace(/ ([,.])/g, '$1')
		.replace(/,$/, '')
		.trim();
}

export function pluralize(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Lists the first names, and the number of the others, as in "atlas, borealis, cygnus and 4 more". */
export function firstNamesAndCount(names: readonly string[], maxCount = 3): string {
	const otherCount = names.length - maxCount;
	return otherCount > 0
		? `${names.slice(0, maxCount).join(', ')} and ${otherCount} more`
		: names.join(', ');
}
