import type { Fact } from '../fleet/fact.ts';
import type { OperationId, OperationSpec, OperationStage } from '../fleet/operation.ts';
import { operationIdsText, operationRowOf } from '../fleet/operation-table.ts';
import type { JsonFields, JsonRecord } from '../shell/command.ts';
import type { Store } from '../store/store.ts';

export const outcomeFields = {
	id: 'id of the computer; null when it was not created',
	name: 'name of the computer, or its id',
	operation: operationIdsText(),
	result:
		'accepted (by the platform, not finished yet), done, failed, unknown (no response) or ' +
		'skipped (not sent)',
	message: 'the reason, or the public address of a port; may be empty',
} as const satisfies JsonFields;

/** The outcome of one operation, as --json prints it. */
export type Outcome = {
	/** The id of the computer, or null if the computer was not created. */
	id: string | null;
	name: string | null;
	operation: OperationId;
	result: 'accepted' | 'done' | 'failed' | 'unknown' | 'skipped';
	message: string;
};

/** The latest stage of an operation, with what the facts say about it. */
export type OperationResult = {
	stage: OperationStage;
	/** Whether the operation failed in a way that does not show whether it was done. */
	isOutcomeUnknown?: boolean;
	message: string;
	computer?: string;
	url?: string;
};

/**
 * Collects the latest result of every operation that begins after this call, by the key of the operation.
 */
export function collectResults(store: Store): ReadonlyMap<string, OperationResult> {
	const results = new Map<string, OperationResult>();
	store.witness(fact => {
		if (fact.type === 'operationAsked') results.delete(fact.wish.key);
		else if ('key' in fact) {
			const result = resultAfter(results.get(fact.key), fact);
			if (result) results.set(fact.key, result);
		}
	});
	return results;
}

function resultAfter(before: OperationResult | undefined, fact: Fact): OperationResult | undefined {
	switch (fact.type) {
		case 'operationAccepted': {
			const url = fact.published?.url;
			const { computer } = fact;
			return {
				stage: 'accepted',
				message: '',
				...(computer && { computer }),
				...(url && { url }),
			};
		}
		case 'operationSettled':
			return { ...before, stage: 'done', message: '' };
		case 'operationFailed': {
			const { isOutcomeUnknown, message, advice } = fact.failure;
			const messageWithAdvice = [message, advice].filter(Boolean).join('; ');
			return {
				...before,
				stage: 'failed',
				isOutcomeUnknown,
				message: messageWithAdvice,
			};
		}
		case 'operationUnknown':
			return { ...before, stage: 'unknown', message: fact.failure.message };
		case 'operationCancelled':
			return notSentResult;
		default:
			return before;
	}
}

// The results of operations that had not been sent, or had no response yet, when the command ended.
export const notSentResult: OperationResult = { stage: 'cancelled', message: 'not sent' };
export const noResponseResult: OperationResult = { stage: 'sent', message: 'no response yet' };

const resultsByStage: Readonly<Record<OperationStage, Outcome['result']>> = {
	counting: 'skipped',
	held: 'skipped',
	queued: 'skipped',
	sent: 'unknown',
	accepted: 'accepted',
	done: 'done',
	failed: 'failed',
	unknown: 'unknown',
	cancelled: 'skipped',
	skipped: 'skipped',
};

export function isSuccess({ result }: Outcome): boolean {
	return result === 'accepted' || result === 'done';
}

export function outcomeFrom(
	{ operation, computer, name, port }: OperationSpec,
	{ stage, isOutcomeUnknown, message, url, computer: created }: OperationResult,
	publicAddress: (id: string, port: number) => string,
): Outcome {
	const id = created ?? computer ?? null;
	const { goal } = operationRowOf(operation);
	const isPublished = goal.reaches === 'published' && stage === 'done';
	const address = isPublished && id !== null && port !== undefined ? publicAddress(id, port) : '';
	return {
		id,
		name: name ?? id,
		operation,
		result: isOutcomeUnknown && stage === 'failed' ? 'unknown' : resultsByStage[stage],
		message: message || (isPublished ? (url ?? address) : ''),
	} satisfies JsonRecord<typeof outcomeFields>;
}

/** Describes an outcome, as in `atlas: stopping` or `borealis: stop failed: the computer is busy`. */
export function outcomeText({ id, name, operation, result, message }: Outcome): string {
	const { label, doingLabel, doneLabel, subject } = operationRowOf(operation);
	const displayName = name ?? id ?? 'the new computer';
	const isNew = name !== null && id !== null && subject === 'account';
	const computer = isNew ? `${displayName} (${id})` : displayName;
	const reasonText = message === '' ? '' : `: ${message}`;
	switch (result) {
		case 'accepted':
			return `${computer}: ${doingLabel.toLowerCase()}${reasonText}`;
		case 'done':
			return `${computer}: ${doneLabel}${reasonText}`;
		case 'failed':
			return `${computer}: ${label.toLowerCase()} failed${reasonText}`;
		case 'unknown':
			return `${computer}: outcome of ${label.toLowerCase()} unknown${reasonText}`;
		case 'skipped':
			return `${computer}: skipped${reasonText}`;
	}
}

const resultPhrases: Readonly<Record<Outcome['result'], string>> = {
	done: 'Done',
	accepted: 'Accepted',
	unknown: 'Sent, outcome unknown',
	failed: 'Failed',
	skipped: 'Not sent',
};

const maxNames = 10;

/** Summarises outcomes by their result, as in `Accepted: atlas, borealis. Not sent: cygnus`. */
export function summaryText(outcomes: readonly Outcome[]): string {
	const parts = Object.entries(resultPhrases).flatMap(([kind, phrase]) => {
		const names = outcomes
			.filter(({ result }) => result === kind)
			.map(({ name, id }) => name ?? id ?? 'the new computer');
		const otherNames = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
		return names.length > 0
			? [`${phrase}: ${names.slice(0, maxNames).join(', ')}${otherNames}`]
			: [];
	});
	return parts.join('. ');
}
