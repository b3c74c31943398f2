import type { OperationSpec, OperationStage } from '../fleet/operations/operation.ts';
import { operationIdsText, operationRowOf } from '../fleet/operations/operation-table.ts';
import { operationIn } from '../store/our-operations.ts';
import type { AccountState } from '../store/state.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import type { Program } from '../terminal/terminal.ts';
import {
	type Outcome,
	outcomeFromOperation,
	outcomeText,
	resultOf,
} from '../views/phrases/outcome.ts';
import { type JsonFields, type JsonRecord, jsonText } from './command.ts';

export const outcomeFields = {
	id: 'id of the computer; null when it was not created',
	name: 'name of the computer, or its id',
	operation: operationIdsText(),
	result:
		'accepted (by the platform, not finished yet), done (also if it was so before), failed, unknown (no response) or ' +
		'skipped (not sent)',
	message: 'the reason, or the public address of a port; may be empty',
} as const satisfies JsonFields;

export function isSuccess(outcome: Outcome): boolean {
	const result = resultOf(outcome);
	return result === 'accepted' || result === 'done';
}

type PublicAddress = (id: string, port: number) => string;

export function outcomeFrom(
	operationSpec: OperationSpec,
	account: AccountState,
	publicAddress: PublicAddress,
): Outcome {
	const operation = operationIn(account, operationSpec.key);
	if (!operation) return { ...operationSpec, stage: 'queued', reason: 'not sent' };
	const { spec, stage, failure } = operation;
	const reasons: Readonly<Partial<Record<OperationStage, string | undefined>>> = {
		accepted: '',
		done: addressOf(spec, account, publicAddress) ?? '',
		sent: 'no response yet',
		unknown: failure?.message ?? '',
		failed: [failure?.message, failure?.advice].filter(Boolean).join('; '),
	};
	return { ...outcomeFromOperation(operation), reason: reasons[stage] ?? 'not sent' };
}

type Published = Pick<Outcome, 'operation' | 'computer' | 'port' | 'name'>;

function addressOf(
	{ operation, computer: id, port }: Published,
	account: AccountState,
	publicAddress: PublicAddress,
): string | undefined {
	const isPublished = operationRowOf(operation).goal.reaches === 'published';
	if (!isPublished || id === undefined || port === undefined) return undefined;
	const ports = account.computers.get(id)?.reading.ports;
	return ports?.find(each => each.port === port)?.url ?? publicAddress(id, port);
}

export function outcomeAlreadySo(
	target: Published,
	alreadySo: string,
	account: AccountState,
	publicAddress: PublicAddress,
): Outcome {
	const reason = addressOf(target, account, publicAddress);
	return { ...target, stage: 'done', alreadySo, reason };
}

function outcomeRecord(outcome: Outcome) {
	const { operation, computer: id = null, name = id, alreadySo = '' } = outcome;
	const { reason: message = alreadySo } = outcome;
	const result = resultOf(outcome);
	return { id, name, operation, result, message } satisfies JsonRecord<typeof outcomeFields>;
}

/** A new computer is named with its id, which later commands can use. */
function outcomeLine(outcome: Outcome): string {
	const { operation, name, computer: id } = outcome;
	const isNew = operationRowOf(operation).subject === 'account' && name && id;
	return outcomeText(isNew ? { ...outcome, name: `${name} (${id})` } : outcome);
}

export type OutcomeReport = ReturnType<typeof createOutcomeReport>;

/** Prints each outcome of a computer once; with --json, the last one of each at the end. */
export function createOutcomeReport({ stdout, stderr }: Program, isJson: boolean) {
	const last = new Map<string, Outcome>();
	return {
		add(outcomes: readonly Outcome[]): void {
			for (const outcome of outcomes) {
				const key = outcome.computer ?? '';
				const isNew = last.get(key)?.stage !== outcome.stage;
				// The records are in the order in which their outcomes were last added. At the end, the command adds
				// all outcomes again in its own order.
				last.delete(key);
				last.set(key, outcome);
				if (!isNew || isJson) continue;
				const output = isSuccess(outcome) ? stdout : stderr;
				output.write(`${cleanForTerminal(outcomeLine(outcome))}\n`);
			}
		},
		end(): void {
			if (isJson) stdout.write(jsonText([...last.values()].map(outcomeRecord)));
		},
	};
}
