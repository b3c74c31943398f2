import type { Block, Section, TableBlock } from '../drawing/section.ts';
import type { Span } from '../drawing/span.ts';
import type { Change, OwnEmails, StatusChange } from '../fleet/change.ts';
import type { BatchProgress } from '../fleet/operations/operation.ts';
import { durationText } from '../foundation/duration.ts';
import { createTheme, type Theme } from '../lines/theme.ts';
import { timeText } from '../lines/time-text.ts';
import type { NamedOrder } from '../screen/screen.ts';
import { batchSummary } from '../views/phrases/batch.ts';
import { spellOut } from '../views/phrases/words.ts';
import { statusWord, stopReasonText } from '../wording/table/status-text.ts';
import { logEntrySpans } from '../wording/views/log-entry.ts';
import { isLogRule, type LogLine } from '../wording/views/log-lines.ts';
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
		paintMatch: unchanged,
		paintCursorRow: unchanged,
		paintBlackOnWhite: unchanged,
		glyphs: {
			...glyphs,
			...signs,
			unknown: '',
			done: '',
			updateAvailable: 'behind,',
			replay: '',
			alarmRule: '',
			rule: '',
			separator: ',',
			noValue: '',
			notRead: 'not read yet',
			atLeast: 'at least ',
			minus: 'minus ',
			ascending: '',
			descending: '',
			mark: '',
			kept: '',
			cursor: '',
			caret: '',
			folded: '',
			unfolded: '',
			bar: { full: '', partlyFull: [''], empty: '' },
			dayStrip: { ...signs, asleep: '', operation: '', unseen: '' },
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
export function timedChangeWords(change: Change, now: number, own: OwnEmails): string {
	return `${timeText(change.at, now)}: ${spokenChange(change, own)}`;
}

/** Describes a line of the log as a spoken sentence. */
export function logLineWords(line: LogLine, now: number, own: OwnEmails): string {
	if (isLogRule(line))
		return line.type === 'day' ? new Date(line.at).toDateString() : 'Before the last 24 hours';
	if (line.type === 'change') return timedChangeWords(line.change, now, own);
	const at = line.moves[0]?.at ?? now;
	return `${timeText(at, now)}: ${spokenTextOfSpans(logEntrySpans(line, own))}`;
}

/** Describes a change as a spoken sentence without its time. */
export function spokenChange(change: Change, own?: OwnEmails): string {
	if (change.type === 'statusChanged' && change.from !== null && change.to !== null) {
		return statusChangeWords(change);
	}
	return textOfSpans(changeSpans(change, own));
}

function statusChangeWords(change: StatusChange): string {
	const { id, name = id, from, to, lasted, reason, error } = change;
	const begin =
		lasted === undefined
			? name
			: `${name}, ${statusWord(from)} for ${spellOut(durationText(lasted))},`;
	const why = error === undefined ? stopReasonText(reason) : error;
	const separator = error === undefined ? ',' : ':';
	return `${begin} became ${statusWord(to)}${why ? `${separator} ${why}` : ''}`;
}

/** Spoken lines. A line is built only when it is spoken. */
export type SpokenLines = { lineCount: number; lineAt: (index: number) => string };

export function spokenLines(lines: readonly string[]): SpokenLines {
	const filled = lines.filter(line => line !== '');
	return { lineCount: filled.length, lineAt: index => filled[index] ?? '' };
}

export function allLines({ lineCount, lineAt }: SpokenLines): readonly string[] {
	return Array.from({ length: lineCount }, (_, index) => lineAt(index));
}

/** Converts the sections of a view to spoken lines. Drawings such as charts and QR codes are left out. */
export function sectionWords(sections: readonly Section[]): SpokenLines {
	return sections
		.flat()
		.map(block =>
			block.type === 'list'
				? { lineCount: block.count, lineAt: (index: number) => textOfSpans(block.lineAt(index)) }
				: spokenLines(blockWords(block)),
		)
		.reduce(joinedLines, spokenLines([]));
}

function joinedLines(first: SpokenLines, second: SpokenLines): SpokenLines {
	return {
		lineCount: first.lineCount + second.lineCount,
		lineAt: index =>
			index < first.lineCount ? first.lineAt(index) : second.lineAt(index - first.lineCount),
	};
}

function blockWords(block: Exclude<Block, { type: 'list' }>): readonly string[] {
	switch (block.type) {
		case 'lines':
			return block.lines.map(spokenTextOfSpans);
		case 'values':
			return block.values.map(([label, value]) => spokenTextOfSpans([[`${label} `], ...value]));
		case 'link':
			return [block.url];
		case 'table':
			return tableWords(block);
		case 'chart':
		case 'paper':
			return [];
		case 'waiting':
			return [block.text];
	}
}

/**
 * Converts each row of a table to a line such as "Pro: auto-sleep after 30 minutes idle, your plan", in
 * which each cell follows the title of its column.
 */
export function tableWords({ columns, rows }: TableBlock): readonly string[] {
	return rows.map(row => {
		const [first = '', ...cells] = row.map(spellOut);
		const named = cells.flatMap((cell, at) => {
			const { title = '', draw } = columns[at + 1] ?? {};
			// A drawn bar is left out, because it repeats the number beside it.
			if (cell === '' || (title === '' && draw)) return [];
			return [`${title.trim().toLowerCase()} ${cell}`.trim()];
		});
		if (first === '') return `also ${named.join(', ')}`;
		return named.length > 0 ? `${first}: ${named.join(', ')}` : first;
	});
}

/** Names the order of a view, as in "by cpu, reversed". */
export function orderWords({ by, isReversed }: NamedOrder): string {
	return `by ${by}${isReversed ? ', reversed' : ''}`;
}

/** Describes how far a batch has come, or how it ended, and what a person can do. */
export function batchWords(batch: BatchProgress, sendingMs: number): string {
	const text = `${batchSummary(batch)}.`;
	if (batch.isOver)
		return batch.failures.length > 0 ? `${text} Press capital F to retry what failed.` : text;
	if (batch.countsByState.waiting === 0) return text;
	const last = `The last request is sent in about ${spellOut(durationText(sendingMs))}.`;
	return `${text} ${last} Press capital J and then x to cancel the requests that are not sent yet.`;
}
