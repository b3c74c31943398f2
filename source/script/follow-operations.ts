import {
	isUnsent,
	type OperationSpec,
	type OperationStage,
} from '../fleet/operations/operation.ts';
import { operationIdsText, operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import { operationIn } from '../store/our-operations.ts';
import type { AccountState } from '../store/state.ts';
import {
	type Outcome,
	outcomeFromOperation,
	outcomeText,
	resultOf,
} from '../views/phrases/outcome.ts';
import { rateLimitText } from '../views/phrases/waiting.ts';
import type { JsonFields, JsonRecord } from './command.ts';
import type { Fleet } from './fleet.ts';

type FollowOptions = {
	fleet: Pick<Fleet, 'session' | 'signal' | 'accountNow'>;
	clock: Clock;
	specs: readonly OperationSpec[];
	/**
	 * Whether to follow each operation until it is finished, instead of only until the platform has accepted
	 * it.
	 */
	waitsForEnd: boolean;
	/** Called when a sent operation reaches its next stage. */
	onStage: (spec: OperationSpec, stage: OperationStage) => void;
	/** Receives the operations that have not ended yet, whenever something has changed. */
	onRemaining: (remaining: readonly OperationSpec[]) => void;
	notify: (line: string) => void;
};

// No notice is printed for a shorter wait, because the wait would be over before a person has read it.
const minNoticedWaitMs = 2_000;
const noticeIntervalMs = 10_000;

/** Resolves when all operations have ended, or when the command is interrupted. */
export function followOperations(options: FollowOptions): Promise<'over' | 'interrupted'> {
	const { fleet, clock, specs, waitsForEnd, onStage, onRemaining, notify } = options;
	const { session, signal, accountNow } = fleet;
	const reported = new Map<string, OperationStage>();
	let noticedAt = Number.NEGATIVE_INFINITY;

	function isOver(stage: OperationStage | undefined) {
		if (stage === undefined || stage === 'unknown') return false;
		return !(waitsForEnd && stage === 'accepted');
	}

	function reportStages() {
		const account = accountNow();
		for (const spec of specs) {
			const operation = operationIn(account, spec.key);
			if (!operation || isUnsent(operation) || operation.stage === 'sent')
				reported.delete(spec.key);
			else if (reported.get(spec.key) !== operation.stage) {
				reported.set(spec.key, operation.stage);
				onStage(spec, operation.stage);
			}
		}
	}

	function noticeRateLimit() {
		const now = clock.now();
		if (now - noticedAt < noticeIntervalMs) return;
		const waitingFor = session.operations.waitReasonsAt();
		const waits = specs
			.map(({ key }) => waitingFor(key))
			.flatMap(waiting => (waiting?.type === 'turn' ? [waiting.until - now] : []));
		const longestWaitMs = Math.max(0, ...waits);
		if (longestWaitMs < minNoticedWaitMs) return;
		noticedAt = now;
		const [{ operation = '' } = {}] = specs;
		const { scope } = operationRowOf(operation);
		if (scope === 'none') return;
		notify(rateLimitText(longestWaitMs, waits.length));
	}

	return new Promise(resolve => {
		const update = () => {
			reportStages();
			const remaining = specs.filter(({ key }) => !isOver(reported.get(key)));
			if (remaining.length === 0) return finish('over');
			noticeRateLimit();
			onRemaining(remaining);
		};
		const onAbort = () => finish('interrupted');
		const unsubscribe = [session.store.subscribe(update), session.limiter.subscribe(update)];
		signal.addEventListener('abort', onAbort, { once: true });
		const finish = (reason: 'over' | 'interrupted') => {
			for (const each of unsubscribe) each();
			signal.removeEventListener('abort', onAbort);
			resolve(reason);
		};
		if (signal.aborted) onAbort();
		else update();
	});
}

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

/** Returns the outcome of an operation so far. */
export function outcomeFrom(
	operationSpec: OperationSpec,
	account: AccountState,
	publicAddress: (id: string, port: number) => string,
): Outcome {
	const operation = operationIn(account, operationSpec.key);
	if (!operation) return { ...operationSpec, stage: 'queued', reason: 'not sent' };
	const { spec, stage, failure } = operation;
	const address = stage === 'done' ? addressOf(spec, account, publicAddress) : undefined;
	return { ...outcomeFromOperation(operation), reason: address ?? messageOf(stage, failure) };
}

/** Returns the public address that an operation has published; undefined if the operation publishes nothing. */
function addressOf(
	{ operation, computer: id, port }: Pick<Outcome, 'operation' | 'computer' | 'port'>,
	account: AccountState,
	publicAddress: (id: string, port: number) => string,
): string | undefined {
	const isPublished = operationRowOf(operation).goal.reaches === 'published';
	if (!isPublished || id === undefined || port === undefined) return undefined;
	const ports = account.computers.get(id)?.reading.ports;
	return ports?.find(each => each.port === port)?.url ?? publicAddress(id, port);
}

/** Returns the outcome for a computer that already was what the operation would have made it. */
export function outcomeAlreadySo(
	target: Pick<Outcome, 'operation' | 'name' | 'computer' | 'port'>,
	reason: string,
	account: AccountState,
	publicAddress: (id: string, port: number) => string,
): Outcome {
	const address = addressOf(target, account, publicAddress);
	return { ...target, stage: 'done', alreadySo: reason, ...(address && { reason: address }) };
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
	const { operation, computer: id = null, name = id, alreadySo = '' } = outcome;
	const { reason: message = alreadySo } = outcome;
	const result = resultOf(outcome);
	return { id, name, operation, result, message } satisfies JsonRecord<typeof outcomeFields>;
}

/** Returns the line of an outcome. A new computer is named with its id, which later commands can use. */
export function outcomeLine(outcome: Outcome): string {
	const { operation, name, computer: id } = outcome;
	const isNew = operationRowOf(operation).subject === 'account' && name && id;
	return outcomeText(isNew ? { ...outcome, name: `${name} (${id})` } : outcome);
}
