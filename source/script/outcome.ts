import type { Failure } from '../fleet/failure.ts';
import type { Operation, OperationId, OperationSpec, OperationStage } from '../fleet/operation.ts';
import { operationIdsText, operationRowOf } from '../fleet/operation-table.ts';
import type { JsonFields, JsonRecord } from '../shell/command.ts';
import type { AccountState } from '../store/state.ts';

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

/** Returns an operation of the last question, whether or not it has ended; undefined while it is not in the store. */
export function operationIn(
	{ operations, ended }: AccountState,
	key: string,
): Operation | undefined {
	return operations.get(key) ?? ended.get(key);
}

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

/** Returns the outcome of an operation so far. */
export function outcomeFrom(
	asked: OperationSpec,
	account: AccountState,
	publicAddress: (id: string, port: number) => string,
): Outcome {
	const { spec, stage, failure }: Pick<Operation, 'spec' | 'stage' | 'failure'> = operationIn(
		account,
		asked.key,
	) ?? { spec: asked, stage: 'queued' };
	const { operation, computer: id = null, name = id, port } = spec;
	const isPublished = operationRowOf(operation).goal.reaches === 'published' && stage === 'done';
	const address = () => {
		if (id === null || port === undefined) return '';
		const ports = account.computers.get(id)?.reading.ports;
		return ports?.find(each => each.port === port)?.url ?? publicAddress(id, port);
	};
	return {
		id,
		name,
		operation,
		result: stage === 'failed' && failure?.isOutcomeUnknown ? 'unknown' : resultsByStage[stage],
		message: isPublished ? address() : messageOf(stage, failure),
	} satisfies JsonRecord<typeof outcomeFields>;
}

function messageOf(stage: OperationStage, failure: Failure | undefined): string {
	switch (stage) {
		case 'accepted':
		case 'done':
			return '';
		case 'sent':
			return 'no response yet';
		case 'unknown':
			return failure?.message ?? '';
		case 'failed':
			return [failure?.message, failure?.advice].filter(Boolean).join('; ');
		default:
			return 'not sent';
	}
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
