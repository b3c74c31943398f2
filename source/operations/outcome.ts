import { endedWhileItRanText } from '../fleet/abandoned-operations.ts';
import type { FactBody } from '../fleet/fact.ts';
import { isOfThisProcess, type Operation } from '../fleet/operations/operation.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { durationText } from '../foundation/duration.ts';
import type { Failure } from '../foundation/failure.ts';
import { createFailure } from '../platform/decoding/platform-error.ts';
import { isListComplete, statusAnswerOf } from '../store/answer-times.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { isAlreadyHappening, isOutcomeVisible, settlementInStore } from './settlement.ts';

type OutcomeFact = Extract<
	FactBody,
	{ type: 'operationAccepted' | 'operationSettled' | 'operationFailed' | 'operationUnknown' }
>;

// A request whose response was lost may still reach the platform, and a list may be slightly out of date. So the
// computer is read after the first delay, and again after the second one. The second read decides:
//
//   sent ──▶ no response ── 20 s ──▶ read ── 10 s ──▶ read ──▶ done, or probably not done
export const lookUpAfterMs = 20_000;
export const confirmAfterMs = 30_000;

/** An accepted operation counts as failed if the platform has not finished it after this time. */
const giveUpAfterMs = 30 * 60_000;

/**
 * Returns the outcome of an operation that the state of its computer reveals; undefined if it reveals nothing
 * new.
 */
export function outcomeOf(
	account: AccountState,
	operation: Operation,
	now: number,
): OutcomeFact | undefined {
	const { stage, spec } = operation;
	const { key } = spec;
	if (stage !== 'accepted' && stage !== 'unknown') return undefined;
	if (spec.computer === undefined) return outcomeOfLostCreate(account, operation);
	const settlement = settlementInStore(account, operation);
	if (settlement.end === 'settled') return { type: 'operationSettled', key };
	if (settlement.end === 'failed')
		return failedOutcome(key, createFailure('conflict', settlement.message));
	return stage === 'accepted'
		? outcomeOfAccepted(operation, now)
		: outcomeOfUnknown(account, operation);
}

function outcomeOfAccepted(
	{ spec, acceptedAt = Number.POSITIVE_INFINITY }: Operation,
	now: number,
): OutcomeFact | undefined {
	const time = now - acceptedAt;
	if (time <= giveUpAfterMs) return undefined;
	const { doingLabel } = operationRowOf(spec.operation);
	const message = `still ${doingLabel.toLowerCase()} after ${durationText(time)}`;
	return failedOutcome(spec.key, {
		...createFailure('server', message, { isOutcomeUnknown: true }),
		advice: 'The platform accepted the request but did not finish it. Check the computer itself.',
	});
}

function outcomeOfUnknown(account: AccountState, operation: Operation): OutcomeFact | undefined {
	const { spec, sentAt = 0, endedAt = 0, readingBefore: before } = operation;
	const { key } = spec;
	const computer = account.computers.get(spec.computer ?? '');
	if (!computer) return undefined;
	const asOf = evidenceTimeOf(account, computer, operation);
	if (asOf < sentAt) return undefined;
	if (isAlreadyHappening(computer, spec)) {
		return { type: 'operationAccepted', key };
	}
	if (asOf < endedAt + confirmAfterMs) return undefined;
	const time = durationText(asOf - sentAt);
	if (!isOutcomeVisible(operation, computer.reading)) {
		return notDoneOutcomeOf(
			operation,
			'the platform does not report whether the operation was done',
			true,
		);
	}
	const word = computer.reading.status ?? 'there';
	const still = before?.status === computer.reading.status ? 'still ' : '';
	return notDoneOutcomeOf(
		operation,
		`${time} later the computer is ${still}${word}: probably not done`,
	);
}

// Only details and some lists contain the ports. A status read never does.
function evidenceTimeOf(
	account: AccountState,
	computer: ComputerState,
	{ spec }: Operation,
): number {
	const never = Number.NEGATIVE_INFINITY;
	if (operationRowOf(spec.operation).evidence !== 'detail') {
		return statusAnswerOf(account, computer)?.askedAt ?? never;
	}
	const isListed = account.listFields.has('ports') && computer.listed !== 'absent';
	return Math.max(
		account.computerReads.get(computer.id)?.detail?.askedAt ?? never,
		(isListed ? account.reads.list?.answer?.askedAt : undefined) ?? never,
	);
}

function outcomeOfLostCreate(account: AccountState, operation: Operation): OutcomeFact | undefined {
	const { spec, sentAt = 0, endedAt = 0, idsBeforeCreate: before } = operation;
	const asOf = account.reads.list?.answer?.askedAt ?? Number.NEGATIVE_INFINITY;
	if (asOf < sentAt) return undefined;
	const computer = computerOfLostCreate(account, operation);
	if (computer) return { type: 'operationAccepted', key: spec.key, computer: computer.id };
	if (asOf < endedAt + confirmAfterMs) return undefined;
	return before && isListComplete(account)
		? notDoneOutcomeOf(operation, 'the list shows no new computer: probably none was created')
		: notDoneOutcomeOf(
				operation,
				'the platform does not report whether a computer was created',
				true,
			);
}

function notDoneOutcomeOf(
	{ spec, failure }: Operation,
	found: string,
	isOutcomeUnknown = false,
): OutcomeFact {
	// A message of the platform is shown, because it helps a person. The technical cause of a lost connection is not.
	const answer = failure && failure.kind !== 'offline' ? failure.message : 'no answer';
	const message = `${answer}, and ${found}`;
	const advice = isOutcomeUnknown
		? 'Check the computer before you try again.'
		: 'Try again if you still want this.';
	const base = failure ?? createFailure('offline', message);
	return failedOutcome(spec.key, { ...base, message, advice, isOutcomeUnknown });
}

function failedOutcome(key: string, failure: Failure): OutcomeFact {
	return { type: 'operationFailed', key, failure };
}

/**
 * Returns the outcomes that the state reveals: of operations of this process, and, if this process is the recorder,
 * of operations whose process has ended.
 */
export function outcomesIn(
	account: AccountState,
	now: number,
	isRecorder = false,
): readonly OutcomeFact[] {
	const outcomes: OutcomeFact[] = [];
	for (const operation of account.operations.values()) {
		const { abandonedAt } = operation;
		const outcome = isOfThisProcess(operation)
			? outcomeOf(account, operation, now)
			: abandonedAt !== undefined && isRecorder
				? outcomeOfAbandoned(account, { ...operation, abandonedAt }, now)
				: undefined;
		if (outcome) outcomes.push(outcome);
	}
	return outcomes;
}

/**
 * Returns the outcome of an operation whose process has ended. The response to its request was lost with the process:
 *
 * ```
 *   an own command               ──▶ unknown for good, because nothing more can be learnt
 *   a request of long ago        ──▶ unknown for good, because something else may have changed the computer since
 *   any other request            ──▶ unknown, and looked up like a request without a response
 * ```
 */
function outcomeOfAbandoned(
	account: AccountState,
	operation: Operation & { abandonedAt: number },
	now: number,
): OutcomeFact | undefined {
	const { spec, stage, abandonedAt, sentAt = abandonedAt } = operation;
	const { key } = spec;
	if (stage === 'failed') return undefined;
	const isCommand = operationRowOf(spec.operation).goal.reaches === 'exit';
	if (!isCommand && stage !== 'sent') {
		// Before the first list, a computer that is not in the store may still exist.
		const hasList = (account.reads.list?.answer?.askedAt ?? Number.NEGATIVE_INFINITY) >= sentAt;
		return hasList ? outcomeOf(account, operation, now) : undefined;
	}
	const failure = createFailure('cancelled', endedWhileItRanText, { isOutcomeUnknown: true });
	if (isCommand)
		return failedOutcome(key, {
			...failure,
			advice: 'It may have done its work or a part of it. Check before you run it again.',
		});
	return abandonedAt - sentAt > giveUpAfterMs
		? failedOutcome(key, { ...failure, advice: 'Check the computer before you try again.' })
		: { type: 'operationUnknown', key, failure };
}

// The clock of the platform may differ from the local clock by this much.
const maxClockSkewMs = 120_000;

/**
 * Finds the computer that a create made although its response was lost. That computer did not exist before,
 * belongs to no other create, and has no different name.
 */
export function computerOfLostCreate(
	{ computers, operations }: AccountState,
	{ spec, sentAt = 0, idsBeforeCreate: before }: Operation,
): ComputerState | undefined {
	const claimed = new Set([...operations.values()].map(each => each.spec.computer));
	const isNew = ({ id, phase, reading: { createdAt, name } }: ComputerState) => {
		if (claimed.has(id) || phase === 'archived') return false;
		if (spec.name && name && name !== spec.name) return false;
		const isOlder = typeof createdAt === 'number' && createdAt < sentAt - maxClockSkewMs;
		return before ? !before.has(id) && !isOlder : typeof createdAt === 'number' && !isOlder;
	};
	const found = [...computers.values()].filter(isNew);
	const called = found.find(({ reading }) => spec.name && reading.name === spec.name);
	return called ?? found.sort(compareCreationTimes)[0];
}

function compareCreationTimes(a: ComputerState, b: ComputerState): number {
	return (a.reading.createdAt ?? 0) - (b.reading.createdAt ?? 0);
}
