import {
	type BatchItemState,
	type BatchProgress,
	isCancelledWhole,
	type OperationId,
} from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { countText } from '../../foundation/number-text.ts';
import type { Tone } from '../../lines/theme.ts';
import { capitalized, firstNamesAndCount, spokenDuration, type Words } from './words.ts';

const countWords: readonly { states: readonly BatchItemState[]; word: string; tone?: Tone }[] = [
	{ states: ['done'], word: 'done', tone: 'good' },
	{ states: ['failed'], word: 'failed', tone: 'bad' },
	{ states: ['cancelled'], word: 'cancelled' },
	{ states: ['unknown', 'checking'], word: 'unknown', tone: 'busy' },
	{ states: ['underWay'], word: 'under way' },
	{ states: ['waiting'], word: 'queued' },
];

/** Counts the operations of a batch in each state, as in "18 done". The numbers add up to the size of the batch. */
export function batchCounts({ countsByState, isOver }: BatchProgress) {
	return countWords.flatMap(({ states, word, tone }) => {
		const count = states.reduce((sum, state) => sum + countsByState[state], 0);
		return count > 0 || (word === 'done' && !isOver)
			? [{ text: `${countText(count)} ${word}`, tone }]
			: [];
	});
}

type LoggedCounts = {
	done: number;
	cancelled: number;
	total: number;
	/** Whether there may have been more operations than the log still has. */
	isCut: boolean;
	isOver: boolean;
	by: string;
};

/**
 * Begins a sentence about a batch in the log: "you stopped 15 of 16", or "stopping 16" while the batch runs. `by`
 * names the person who asked.
 */
export function loggedBatchText(
	operation: OperationId,
	{ done, cancelled, total, isCut, isOver, by }: LoggedCounts,
): string {
	const { doingLabel, doneLabel } = operationRowOf(operation);
	const all = `${isCut ? 'at least ' : ''}${countText(total)}`;
	if (cancelled === total) return `${by} cancelled ${doingLabel.toLowerCase()} ${all}`;
	if (!isOver) return `${doingLabel.toLowerCase()} ${all}`;
	return `${by} ${doneLabel} ${done === total ? '' : `${countText(done)} of `}${all}`;
}

/** Returns how much of a batch has ended, from 0 to 1. */
export function endedFractionOf({ countsByState, total }: BatchProgress): number {
	const { waiting, underWay, checking } = countsByState;
	return (total - waiting - underWay - checking) / total;
}

/**
 * Describes how far a batch has come, or how it ended. `sendingMs` is the time until its last request is sent. On the
 * screen, a bar, the counts or the failures follow this text.
 */
export function batchWords(batch: BatchProgress, sendingMs: number): Omit<Words, 'json'> {
	const { operation, countsByState, total, failures, unknownOutcomes, isOver } = batch;
	const { label, doingLabel, doneLabel } = operationRowOf(operation);
	if (isOver) {
		const cancelled =
			countsByState.cancelled > 0 ? `, ${countText(countsByState.cancelled)} cancelled` : '';
		const screen = isCancelledWhole(batch)
			? `${label} cancelled: none of ${countText(total)} was sent`
			: `${capitalized(doneLabel)} ${countText(countsByState.done)} of ${countText(total)}${cancelled}`;
		const line = [
			screen,
			...(failures.length > 0
				? [`${countText(failures.length)} failed: ${reasonsText(failures)}`]
				: []),
			...(unknownOutcomes.length > 0
				? [`${countText(unknownOutcomes.length)} unknown: ${reasonsText(unknownOutcomes)}`]
				: []),
		].join(', ');
		const hint = failures.length > 0 ? ' Press capital F to retry what failed.' : '';
		return { screen, line, speech: `${line}.${hint}` };
	}
	const screen = `${doingLabel} ${countText(total)}`;
	const counts = batchCounts(batch).map(({ text }) => text);
	const line = `${screen}: ${counts.join(', ')}`;
	if (countsByState.waiting === 0) return { screen, line, speech: `${line}.` };
	const hint = 'Press capital J and then x to cancel the requests that are not sent yet.';
	const last = `The last request is sent in about ${spokenDuration(sendingMs)}.`;
	return { screen, line, speech: `${line}. ${last} ${hint}` };
}

const reasonsText = (problems: BatchProgress['failures']) =>
	firstNamesAndCount(problems.map(({ name, message }) => `${name}: ${message}`));
