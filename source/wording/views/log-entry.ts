import type { Span } from '../../drawing/span.ts';
import { type OperationMove, type OwnEmails, requesterText } from '../../fleet/change.ts';
import { durationText } from '../../foundation/duration.ts';
import { countText } from '../../foundation/number-text.ts';
import { loggedBatchText } from '../../views/phrases/batch.ts';
import { targetText } from '../../views/phrases/outcome.ts';
import type { LogEntry } from './log-lines.ts';
import type { LogPiece } from './log-pieces.ts';
import { changePieces } from './log-text.ts';

/** Says what happened, without the time of day. */
export const logEntrySpans = (line: LogEntry, own: OwnEmails): readonly Span[] =>
	logEntryPieces(line, own).map(({ span }) => span);

/** Says what happened, in pieces that a narrow line can leave out. */
export function logEntryPieces(
	line: LogEntry,
	own: OwnEmails,
	errorReason?: string,
): readonly LogPiece[] {
	if (line.type === 'batch') return batchPieces(line, own);
	const { change, sentAt } = line;
	const pieces = changePieces(change, own, errorReason);
	const isDone = change.type === 'operationMoved' && change.to === 'settled';
	if (!isDone || sentAt === undefined) return pieces;
	return [...pieces, ...durationPieces(change.at - sentAt)];
}

/** Says how long something took, if that was a second or more. */
const durationPieces = (ms: number): readonly LogPiece[] =>
	ms < 1000 ? [] : [{ span: [` in ${durationText(ms)}`], part: 'duration' }];

const maxNames = 3;
const maxNamesOfMany = 2;

/**
 * Sums up a batch, as in "you stopped 15 of 16 computers (altair, altair-3 …) in 31 s, 1 failed". The names are those of
 * the computers on which the operation was done, or was asked for while the batch runs.
 */
function batchPieces(
	{ moves, isCut }: Extract<LogEntry, { type: 'batch' }>,
	own: OwnEmails,
): readonly LogPiece[] {
	const [latest] = moves;
	const counts = { sent: 0, settled: 0, failed: 0, unknown: 0, cancelled: 0 };
	for (const { to, count = 1 } of moves) counts[to] += count;
	const total = moves.reduce((sum, { count = 1 }) => sum + count, 0);
	const isOver = counts.sent === 0;
	const isNamed = ({ to }: OperationMove) =>
		!isOver || counts.cancelled === total || to === 'settled';
	const named = moves.filter(isNamed);
	const namedCount = named.reduce((sum, { count = 1 }) => sum + count, 0);
	const names = named
		.toReversed()
		.flatMap(({ wish, count, names = [] }) => (count === undefined ? [targetText(wish)] : names))
		.slice(0, namedCount > maxNames ? maxNamesOfMany : maxNames);
	const rest = isCut || namedCount > names.length ? ' …' : '';
	const those = names.length > 0 ? ` (${names.join(', ')}${rest})` : '';
	const count = {
		done: counts.settled,
		cancelled: counts.cancelled,
		total,
		isCut,
		isOver,
		by: requesterText(latest, own),
	};
	const begin = loggedBatchText(latest.wish.operation, count);
	const begunAt = moves.reduce((least, { at, took }) => Math.min(least, at - took), latest.at);
	const isCancelled = counts.cancelled === total;
	const state: readonly LogPiece[] = isOver
		? durationPieces(isCancelled ? 0 : latest.at - begunAt)
		: [{ span: [`: ${countText(counts.settled)} done, ${countText(counts.sent)} under way`] }];
	const others = (['failed', 'unknown', 'cancelled'] as const).flatMap(
		(state): readonly LogPiece[] =>
			counts[state] === 0 || isCancelled
				? []
				: [
						{
							span: [
								`, ${countText(counts[state])} ${state}`,
								state === 'failed' ? 'bad' : undefined,
							],
						},
					],
	);
	return [{ span: [`${begin} computers`] }, { span: [those], part: 'names' }, ...state, ...others];
}
