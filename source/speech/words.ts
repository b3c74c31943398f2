import type { Span } from '../drawing/span.ts';
import { createTheme, type Theme } from '../drawing/theme.ts';
import { timeText } from '../drawing/time-text.ts';
import type { Change, StatusChange } from '../fleet/change.ts';
import { durationText } from '../foundation/duration.ts';
import { spellOut } from '../wording/phrases/words.ts';
import { statusWord, stopReasonText } from '../wording/table/status-text.ts';
import { changeSpans } from '../wording/views/log-text.ts';

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

/** Describes a change as a spoken sentence, preceded by its time. */
export function timedChangeWords(change: Change, now: number): string {
	return `${timeText(change.at, now)}: ${spokenChange(change)}`;
}

/** Describes a change as a spoken sentence without its time. */
export function spokenChange(change: Change): string {
	if (change.type === 'statusChanged' && change.from !== null && change.to !== null) {
		return statusChangeWords(change);
	}
	return textOfSpans(changeSpans(change));
}

function statusChangeWords({ id, name = id, from, to, lasted, reason }: StatusChange): string {
	const durationPart =
		lasted === undefined ? '' : `, after ${spellOut(durationText(lasted))} ${statusWord(from)}`;
	const stopReason = stopReasonText(reason);
	return `${name} became ${statusWord(to)}${stopReason ? `, ${stopReason}` : ''}${durationPart}`;
}
