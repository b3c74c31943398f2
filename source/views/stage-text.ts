import { isUnderWay, type Operation } from '../fleet/operation.ts';
import type { Row } from '../store/rows.ts';
import { bar } from './bar.ts';
import type { Span } from './span.ts';
import { doing } from './status-text.ts';
import type { Theme } from './theme.ts';
import { spanText, timeText } from './time-text.ts';

type Asked = { row: Row; latest: string | undefined; now: number; width: number; theme: Theme };

/**
 * What is going on with a computer, in one cell: how an operation of ours goes, how far it is created,
 * what is wrong with it, why it rests, or what would be the next thing to do.
 */
export function stageSpans(asked: Asked): readonly Span[] {
	const { row, latest, now, theme } = asked;
	const { phase, reading, since, stopReason, isMissing } = row.computer;
	if (row.operation) return operationSpans(row.operation, now);
	if (isMissing) return [['no longer known to the platform', 'busy']];
	if (phase === 'error') return [[reading.error ?? 'no reason given', 'bad']];
	if (phase === 'creating') return progressSpans(asked);
	if (phase === 'stopped' || phase === 'stopping') {
		const time = timeText(since.at, now);
		if (stopReason === 'asleep' && phase === 'stopped') return [[`asleep since ${time}`, 'faint']];
		if (stopReason === 'credits') return [['out of credits', 'busy']];
	}
	const isSettled = phase === 'active' || phase === 'stopped' || phase === 'archived';
	if (!isSettled) return [[reading.stageMessage ?? reading.stage ?? '', 'faint']];
	if (row.isBehind && phase === 'active') {
		return [[`update to ${latest} available ${theme.glyphs.update}`, 'faint']];
	}
	return [];
}

function operationSpans(operation: Operation, now: number): readonly Span[] {
	const { wish, stage, askedAt, failure } = operation;
	if (!isUnderWay(operation)) {
		return [[`${wish.operation} failed: ${failure?.message ?? 'no reason given'}`, 'bad']];
	}
	const time = spanText(now - askedAt);
	if (stage === 'unknown')
		return [[`${wish.operation}: no answer, looking it up, ${time}`, 'busy']];
	return [[`${doing[wish.operation]} ${time}`, 'busy']];
}

function progressSpans({ row, width, theme }: Asked): readonly Span[] {
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
