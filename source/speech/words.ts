import type { Change, OwnEmails } from '../fleet/change.ts';
import type { BatchProgress } from '../fleet/operations/operation.ts';
import { durationText } from '../foundation/duration.ts';
import { spellOut } from '../lines/print.ts';
import { type Span, textOf } from '../lines/span.ts';
import { timeText } from '../lines/time-text.ts';
import type { NamedOrder } from '../screen/screen.ts';
import { spokenEntry } from '../views/log.ts';
import { batchSummary } from '../views/phrases/batch.ts';

/** A width in cells that is large enough for any text. */
export const unlimitedWidth = 1000;

/**
 * Converts spans to speech. This is only for texts of this program, because names and commands must stay
 * exact.
 */
export const spokenTextOfSpans = (spans: readonly Span[]) => spellOut(textOf(spans));

/** Describes a change as a spoken sentence, preceded by its time. */
export function timedChangeWords(change: Change, now: number, own: OwnEmails): string {
	return `${timeText(change.at, now)}: ${spokenChange(change, own)}`;
}

/** Describes a change as a spoken sentence without its time. */
export const spokenChange = (change: Change, own?: OwnEmails): string =>
	spokenEntry({ type: 'change', change }, own);

/** Spoken lines. A line is built only when it is spoken. */
export type SpokenLines = { lineCount: number; lineAt: (index: number) => string };

export function linesOfTexts(lines: readonly string[]): SpokenLines {
	const filled = lines.filter(line => line !== '');
	return { lineCount: filled.length, lineAt: index => filled[index] ?? '' };
}

export function allLines({ lineCount, lineAt }: SpokenLines): readonly string[] {
	return Array.from({ length: lineCount }, (_, index) => lineAt(index));
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
