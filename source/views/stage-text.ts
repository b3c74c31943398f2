import type { Operation } from '../fleet/operation.ts';
import { overdueText, usualIfSlow } from '../operations/late.ts';
import { operations } from '../operations/operations.ts';
import type { Row } from '../store/rows.ts';
import { bar } from './bar.ts';
import type { Context } from './columns.ts';
import type { Span } from './span.ts';
import type { Theme } from './theme.ts';
import { ageText, spanText, timeText } from './time-text.ts';

/**
 * What is going on with a computer, in one cell: how an operation of ours goes, how far it is created,
 * what is wrong with it, why it rests, or what would be the next thing to do.
 */
export function stageSpans(row: Row, width: number, context: Context): readonly Span[] {
	const { latest, now, theme } = context;
	const { phase, reading, since, stopReason, isMissing } = row.computer;
	if (row.operation) return operationSpans(row.operation, context);
	if (isMissing) return [['no longer known to the platform', 'busy']];
	if (phase === 'error') return [[reading.error ?? 'no reason given', 'bad']];
	if (phase === 'creating') return progressSpans(row, width, theme);
	if (phase === 'stopped') {
		if (stopReason === 'asleep') return [[`asleep since ${timeText(since.at, now)}`, 'faint']];
		if (stopReason === 'credits') return [['stopped: out of credits', 'busy']];
	}
	const isSettled = phase === 'active' || phase === 'stopped' || phase === 'archived';
	if (!isSettled) return [[reading.stageMessage ?? reading.stage ?? '', 'faint']];
	if (row.isBehind && phase === 'active') return [[`update to ${latest} available (u)`, 'faint']];
	return [];
}

function operationSpans(
	operation: Operation,
	{ now, waitingFor, changes }: Context,
): readonly Span[] {
	const { wish, stage, sentAt, askedAt, failure } = operation;
	const { label, doing, grace } = operations[wish.operation];
	if (stage === 'failed') {
		return [[`${label} failed: ${failure?.message ?? 'no reason given'}`, 'bad']];
	}
	const waiting = waitingFor(wish.key);
	if (waiting?.for === 'grace') {
		// The time on screen may be up to a second old.
		const left = Math.ceil(Math.max(0, Math.min(grace, waiting.until - now)) / 1000);
		return [[`${doing} in ${left} s, Esc to keep it`, 'busy']];
	}
	if (waiting?.for === 'turn') {
		const left = waiting.until - now;
		return [[`${doing}: waits for its turn, ${ageText(left)}`, 'busy']];
	}
	if (waiting) return [[`${doing}: waits for ${waiting.for}`, 'busy']];
	if (stage === 'unknown') return [[`${label}: no answer, looking it up`, 'busy']];
	const late = overdueText(operation, now);
	const text = late ?? `${doing} ${spanText(now - (sentAt ?? askedAt))}`;
	const usual = usualIfSlow(operation, changes, now);
	return [[usual === undefined ? text : `${text}, usually ${spanText(usual)}`, 'busy']];
}

function progressSpans(row: Row, width: number, theme: Theme): readonly Span[] {
	const { stage, stageProgress, stageMessage } = row.computer.reading;
	const words = stage ?? stageMessage ?? '';
	if (typeof stageProgress !== 'number') return [[words, 'faint']];
	const percent = `${String(stageProgress).padStart(3)}%`;
	// The words stand left in a column of their own, so that no bar jumps when they change.
	const room = width - percent.length - 1;
	const cells = Math.min(16, Math.max(4, room - 15));
	const wordsWidth = room - cells - 1;
	const begin: readonly Span[] =
		wordsWidth >= 8 ? [[`${cutTo(words, wordsWidth, theme)} `, 'faint']] : [];
	return [...begin, ...bar(stageProgress / 100, cells, theme, 'busy'), [` ${percent}`]];
}

function cutTo(words: string, width: number, { ruler, glyphs }: Theme): string {
	const size = ruler.width(words);
	if (size <= width) return words + ' '.repeat(width - size);
	const begin = ruler.beginning(words, width - 1);
	return `${begin}${glyphs.ellipsis}${' '.repeat(width - 1 - ruler.width(begin))}`;
}
