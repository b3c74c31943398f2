import {
	type BatchItemState,
	type BatchProgress,
	hasUnknownOutcome,
	type Operation,
	type OperationSpec,
	type OperationStage,
} from '../../fleet/operations/operation.ts';
import type { OperationRow, SkippedComputer } from '../../fleet/operations/operation-row.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { capitalized, uncapitalized } from '../../foundation/letter-case.ts';
import { countText, firstNamesAndCount } from '../../foundation/number-text.ts';
import { type Part, part } from '../../lines/parts.ts';
import type { Span, Tone } from '../../lines/span.ts';

type OutcomeTarget = Pick<OperationSpec, 'operation'> & {
	name?: string | undefined;
	computer?: string | undefined;
	port?: number | undefined;
};

export type Outcome = OutcomeTarget & {
	stage: OperationStage;
	reason?: string | undefined;
	advice?: string | undefined;
	/** As in "already stopped", so that nothing was sent. */
	alreadySo?: string | undefined;
	/** crowsnest no longer tries to find out an unknown outcome. */
	isFinal?: boolean;
};

type OutcomeResult = 'accepted' | 'done' | 'failed' | 'unknown' | 'skipped';

export const sentOutcomeUnknownText = 'Sent, outcome unknown';

const phraseByStage: Readonly<Record<OperationStage, (row: OperationRow) => string>> = {
	counting: ({ label }) => `${label} counts down`,
	held: ({ label }) => `${label} paused`,
	queued: ({ label }) => `${label} queued`,
	// An own command is under way as soon as it is started, but a request may still be refused.
	sent: ({ label, doingLabel, goal }) =>
		goal.reaches === 'exit' ? doingLabel : `${label} requested`,
	accepted: ({ doingLabel }) => doingLabel,
	done: ({ doneLabel }) => capitalized(doneLabel),
	failed: ({ label }) => `${label} failed`,
	unknown: ({ label }) => `${label} outcome unknown`,
	cancelled: ({ label }) => `${label} cancelled`,
	skipped: ({ label }) => `${label} skipped`,
};

export function resultOf({ stage }: Pick<Outcome, 'stage'>): OutcomeResult {
	if (stage === 'accepted' || stage === 'done' || stage === 'failed') return stage;
	return stage === 'sent' || stage === 'unknown' ? 'unknown' : 'skipped';
}

function whatHappened({ operation, stage, alreadySo }: Outcome): string {
	const row = operationRowOf(operation);
	if (alreadySo === undefined) return phraseByStage[stage](row);
	return row.subject === 'port' ? `Already ${row.doneLabel}` : alreadySo;
}

const reasonText = ({ reason }: Outcome) => (reason ? `: ${reason}` : '');

export const outcomePhrase = (outcome: Outcome) =>
	`${whatHappened(outcome)}${isBeingChecked(outcome) ? ', checking' : reasonText(outcome)}`;

/** As in "atlas: stop failed: disk quota". */
export function outcomeText(outcome: Outcome): string {
	const what = uncapitalized(whatHappened(outcome));
	return `${targetText(outcome)}: ${what}${reasonText(outcome)}`;
}

export const outcomeSentences = (outcome: Outcome) =>
	[`${outcomeText(outcome)}.`, adviceText(outcome)].filter(text => text !== '').join(' ');

const isBeingChecked = ({ stage, isFinal = false }: Outcome) => stage === 'unknown' && !isFinal;

/** While an outcome is being checked, the advice to try again is left out: the operation could run twice. */
export function adviceText(outcome: Outcome): string {
	return isBeingChecked(outcome)
		? 'crowsnest checks what happened and does not send the request again.'
		: (outcome.advice ?? '');
}

export function outcomeFromOperation(operation: Operation): Outcome {
	const { spec, stage, failure } = operation;
	if (stage !== 'failed' && stage !== 'unknown') return { ...spec, stage };
	const { message = 'no reason given', advice } = failure ?? {};
	const explained = { ...spec, reason: message, advice, isFinal: stage === 'failed' };
	return { ...explained, stage: hasUnknownOutcome(operation) ? 'unknown' : stage };
}

export function targetText({ operation, name, computer, port }: OutcomeTarget): string {
	const { subject } = operationRowOf(operation);
	const computerName =
		name ?? computer ?? (subject === 'account' ? 'a new computer' : 'a computer');
	if (subject !== 'port') return computerName;
	return `${port === undefined ? 'a port' : `port ${port}`} of ${computerName}`;
}

const maxNamesInSummary = 10;

const headings: readonly (readonly [heading: string, result: OutcomeResult])[] = [
	['Done', 'done'],
	['Accepted', 'accepted'],
	[sentOutcomeUnknownText, 'unknown'],
	['Failed', 'failed'],
	['Not sent', 'skipped'],
];

export function outcomeSummary(outcomes: readonly Outcome[]): string {
	const parts = headings.flatMap(([heading, result]) => {
		const those = outcomes.filter(outcome => resultOf(outcome) === result);
		const names = firstNamesAndCount(those.map(targetText), maxNamesInSummary);
		return those.length > 0 ? [`${heading}: ${names}`] : [];
	});
	return parts.join('. ');
}

const maxSkippedLines = 3;

export function skippedLines(skipped: readonly SkippedComputer[]): readonly string[] {
	const groups = namesByReason(skipped);
	const lines = groups
		.slice(0, maxSkippedLines)
		.map(([reason, names]) =>
			names.length === 1
				? `Skipped ${names[0]}: ${reason}`
				: `Skipped ${countText(names.length)} (${reason}): ${firstNamesAndCount(names)}`,
		);
	const otherCount = groups.slice(maxSkippedLines).flatMap(([, names]) => names).length;
	return otherCount > 0
		? [...lines, `… and ${countText(otherCount)} more for other reasons`]
		: lines;
}

export function namesByReason(skipped: readonly SkippedComputer[]) {
	const reasons = new Set(skipped.map(({ reason }) => reason));
	return Array.from(reasons, reason => {
		const those = skipped.filter(each => each.reason === reason);
		return [reason, those.map(({ name }) => name)] as const;
	});
}

const countWords: readonly { states: readonly BatchItemState[]; word: string; tone?: Tone }[] = [
	{ states: ['done'], word: 'done', tone: 'good' },
	{ states: ['failed'], word: 'failed', tone: 'bad' },
	{ states: ['cancelled'], word: 'cancelled' },
	{ states: ['unknown', 'checking'], word: 'unknown', tone: 'busy' },
	{ states: ['underWay'], word: 'under way' },
	{ states: ['waiting'], word: 'queued' },
];

export const batchCountParts = ({ countsByState, isOver }: BatchProgress): readonly Part[] =>
	countWords.flatMap(({ states, word, tone }) => {
		const count = states.reduce((sum, state) => sum + countsByState[state], 0);
		const isSaid = count > 0 || (word === 'done' && !isOver);
		return isSaid ? [part(1, `  ${countText(count)} ${word}`, tone)] : [];
	});

export function endedFractionOf({ countsByState, total }: BatchProgress): number {
	const { waiting, underWay, checking } = countsByState;
	return (total - waiting - underWay - checking) / total;
}

/** As in "✖ Stopped 37 of 40, 1 cancelled, 2 failed: atlas: disk quota". */
export function batchFailureSpans(batch: BatchProgress): readonly Span[] {
	const { operation, countsByState, total, failures, unknownOutcomes } = batch;
	const { done, cancelled } = countsByState;
	const [first] = [...failures, ...unknownOutcomes];
	const [sign, tone] = failures.length > 0 ? (['✖', 'bad'] as const) : (['?', 'busy'] as const);
	const counted = (count: number, word: string) =>
		count > 0 ? `, ${countText(count)} ${word}` : '';
	const { doneLabel } = operationRowOf(operation);
	return [
		[`${sign} `, tone],
		[`${capitalized(doneLabel)} ${countText(done)} of ${countText(total)}`],
		[counted(cancelled, 'cancelled')],
		[counted(unknownOutcomes.length, 'unknown'), 'busy'],
		[counted(failures.length, 'failed'), 'bad'],
		[first ? `: ${first.name}: ${first.message}` : '', tone],
	];
}
