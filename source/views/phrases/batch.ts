import {
	type BatchItemState,
	type BatchProgress,
	isCancelledWhole,
	type OperationId,
} from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { countText } from '../../foundation/number-text.ts';
import type { Span } from '../../lines/span.ts';
import type { Tone } from '../../lines/theme.ts';
import { capitalized } from './words.ts';

const countWords: readonly { states: readonly BatchItemState[]; word: string; tone?: Tone }[] = [
	{ states: ['done'], word: 'done', tone: 'good' },
	{ states: ['failed'], word: 'failed', tone: 'bad' },
	{ states: ['cancelled'], word: 'cancelled' },
	{ states: ['unknown', 'checking'], word: 'unknown', tone: 'busy' },
	{ states: ['underWay'], word: 'under way' },
	{ states: ['waiting'], word: 'queued' },
];

/** The numbers add up to the size of the batch. */
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
	/** There may have been more operations than the log still has. */
	isCut: boolean;
	isOver: boolean;
	by: string;
};

/** Begins a sentence as in "you stopped 15 of 16" or "stopping 16". */
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

/** From 0 to 1. */
export function endedFractionOf({ countsByState, total }: BatchProgress): number {
	const { waiting, underWay, checking } = countsByState;
	return (total - waiting - underWay - checking) / total;
}

/** As in "Stopping 40" or "Stopped 38 of 40, 1 cancelled". */
export function batchText(batch: BatchProgress): string {
	const { operation, countsByState, total, isOver } = batch;
	const { label, doingLabel, doneLabel } = operationRowOf(operation);
	if (!isOver) return `${doingLabel} ${countText(total)}`;
	if (isCancelledWhole(batch)) return `${label} cancelled: none of ${countText(total)} was sent`;
	const { done, cancelled } = countsByState;
	const rest = cancelled > 0 ? `, ${countText(cancelled)} cancelled` : '';
	return `${capitalized(doneLabel)} ${countText(done)} of ${countText(total)}${rest}`;
}

export function batchFailureSpans(batch: BatchProgress): readonly Span[] {
	const { failures, unknownOutcomes } = batch;
	const [first] = [...failures, ...unknownOutcomes];
	const [sign, tone] = failures.length > 0 ? (['✖', 'bad'] as const) : (['?', 'busy'] as const);
	const counted = (count: number, word: string) =>
		count > 0 ? `, ${countText(count)} ${word}` : '';
	return [
		[`${sign} `, tone],
		[batchText(batch)],
		[counted(unknownOutcomes.length, 'unknown'), 'busy'],
		[counted(failures.length, 'failed'), 'bad'],
		[first ? `: ${first.name}: ${first.message}` : '', tone],
	];
}
