import type { OperationSpec, OperationStage } from '../fleet/operations/operation.ts';
import { operationIdsText, operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Failure } from '../foundation/failure.ts';
import type { JsonFields, JsonRecord } from '../shell/command.ts';
import { operationIn } from '../store/our-operations.ts';
import type { AccountState } from '../store/state.ts';
import {
	type Outcome,
	outcomeFromOperation,
	outcomeWords,
} from '../wording/phrases/outcome-text.ts';

export const outcomeFields = {
	id: 'id of the computer; null when it was not created',
	name: 'name of the computer, or its id',
	operation: operationIdsText(),
	result:
		'accepted (by the platform, not finished yet), done, failed, unknown (no response) or ' +
		'skipped (not sent)',
	message: 'the reason, or the public address of a port; may be empty',
} as const satisfies JsonFields;

export function isSuccess(outcome: Outcome): boolean {
	const { json } = outcomeWords(outcome);
	return json === 'accepted' || json === 'done';
}

/** Returns the outcome of an operation so far. */
export function outcomeFrom(
	operationSpec: OperationSpec,
	account: AccountState,
	publicAddress: (id: string, port: number) => string,
): Outcome {
	const operation = operationIn(account, operationSpec.key);
	if (!operation) return { ...operationSpec, stage: 'queued', reason: 'not sent' };
	const { spec, stage, failure } = operation;
	const { computer: id, port } = spec;
	const isPublished = operationRowOf(spec.operation).goal.reaches === 'published';
	const address = () => {
		if (id === undefined || port === undefined) return '';
		const ports = account.computers.get(id)?.reading.ports;
		return ports?.find(each => each.port === port)?.url ?? publicAddress(id, port);
	};
	const reason = isPublished && stage === 'done' ? address() : messageOf(stage, failure);
	return { ...outcomeFromOperation(operation), reason };
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

export function outcomeRecord(outcome: Outcome) {
	const { operation, computer: id = null, name = id, reason: message = '' } = outcome;
	const { json: result } = outcomeWords(outcome);
	return { id, name, operation, result, message } satisfies JsonRecord<typeof outcomeFields>;
}

/** Returns the line of an outcome. A new computer is named with its id, which later commands can use. */
export function outcomeLine(outcome: Outcome): string {
	const { operation, name, computer: id } = outcome;
	const isNew = operationRowOf(operation).subject === 'account' && name && id;
	return outcomeWords(isNew ? { ...outcome, name: `${name} (${id})` } : outcome).line;
}
