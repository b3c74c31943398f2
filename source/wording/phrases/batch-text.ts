import type { Tone } from '../../drawing/theme.ts';
import type { BatchItemState, BatchProgress } from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { capitalized, firstNamesAndCount, spokenDuration, type Words } from './words.ts';

const countWords: readonly (readonly [state: BatchItemState, word: string, tone?: Tone])[] = [
	['done', 'done', 'good'],
	['failed', 'failed', 'bad'],
	['cancelled', 'cancelled'],
	['unknown', 'unknown', 'busy'],
	['underWay', 'running'],
	['waiting', 'queued'],
];

/** Counts the operations of a batch in each state, as in "18 done". The numbers add up to the size of the batch. */
export function batchCounts({ countsByState }: BatchProgress) {
	return countWords
		.filter(([state]) => state === 'done' || countsByState[state] > 0)
		.map(([state, word, tone]) => ({ text: `${countsByState[state]} ${word}`, tone }));
}

/**
 * Describes how far a batch has come, or how it ended. `sendingMs` is the time until its last request is sent.
 * The screen shows a bar, the counts or the failures after its form.
 */
export function batchWords(batch: BatchProgress, sendingMs: number): Omit<Words, 'json'> {
	const { operation, countsByState, total, failures, isOver } = batch;
	const { doingLabel, doneLabel } = operationRowOf(operation);
	if (isOver) {
		const cancelled = countsByState.cancelled > 0 ? `, ${countsByState.cancelled} cancelled` : '';
		const screen = `${capitalized(doneLabel)} ${countsByState.done} of ${total}${cancelled}`;
		if (failures.length === 0) return { screen, line: screen, speech: `${screen}.` };
		const reasons = firstNamesAndCount(failures.map(({ name, message }) => `${name}: ${message}`));
		const line = `${screen}, ${countsByState.failed} failed: ${reasons}`;
		return { screen, line, speech: `${line}. Press capital F to retry what failed.` };
	}
	const screen = `${doingLabel} ${total}`;
	const counts = batchCounts(batch).map(({ text }) => text);
	const line = `${screen}: ${counts.join(', ')}`;
	if (countsByState.waiting === 0) return { screen, line, speech: `${line}.` };
	const hint = 'Press Escape to cancel the requests that are not sent yet.';
	const last = `The last request is sent in about ${spokenDuration(sendingMs)}.`;
	return { screen, line, speech: `${line}. ${last} ${hint}` };
}
