import { endedWhileItRanText } from '../fleet/change.ts';
import { allPortsOf, type Reading } from '../fleet/computers/computer.ts';
import { startToleranceMs } from '../fleet/computers/uptime.ts';
import { type OperationChanged, operationFact } from '../fleet/fact.ts';
import { compareVersions } from '../fleet/filters/order.ts';
import {
	isOfThisProcess,
	type Operation,
	type OperationSpec,
} from '../fleet/operations/operation.ts';
import type { OperationRow } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { durationText } from '../foundation/duration.ts';
import type { Failure } from '../foundation/failure.ts';
import { createFailure } from '../platform/decoding/platform-error.ts';
import { isListComplete, statusAnswerOf } from '../store/freshness.ts';
import type { AccountState, ComputerState } from '../store/state.ts';

type Computer = Pick<ComputerState, 'reading' | 'phase' | 'isMissing'>;

type LatestReading = Computer & { askedAt: number };

type GoalRules = {
	/** Whether an operation that was sent before the read is done. */
	isReached: (operation: Operation, latest: LatestReading) => boolean;
	/** Or on the way: a refusal is no failure then. */
	isHappening: (computer: Computer, spec: OperationSpec) => boolean;
	/** By default, the platform reports what shows it. */
	isVisible?: (operation: Operation, reading: Reading) => boolean;
};

/** A phase in between may pass unseen between two reads. */
function rulesOf({ goal, subject }: OperationRow): GoalRules {
	switch (goal.reaches) {
		case 'phase':
			return {
				isReached: (_, { phase }) => phase === goal.phase,
				isHappening: ({ phase }) =>
					subject !== 'account' && (phase === goal.phase || phase === goal.intermediatePhase),
			};
		case 'newStart':
			return {
				isReached: (operation, latest) =>
					latest.phase === 'active' && hasRestarted(operation, latest),
				isHappening: ({ phase }) => phase === goal.intermediatePhase,
				isVisible: ({ readingBefore: before }, { startedAt }) =>
					typeof before?.startedAt === 'number' && typeof startedAt === 'number',
			};
		case 'version':
			return {
				isReached: (operation, latest) => latest.phase === 'active' && isUpdated(operation, latest),
				isHappening: ({ phase, reading }, { version }) =>
					phase === goal.intermediatePhase || isAtLeast(reading.version, version),
			};
		case 'published':
		case 'unpublished': {
			const isSo = ({ reading }: Pick<Computer, 'reading'>, { port }: OperationSpec) =>
				allPortsOf(reading)?.some(each => each.port === port) === (goal.reaches === 'published');
			return {
				isReached: ({ spec }, latest) => isSo(latest, spec),
				isHappening: isSo,
				isVisible: (_, reading) => allPortsOf(reading) !== undefined,
			};
		}
		case 'gone': {
			const isGone = ({ phase, isMissing }: Computer) => phase === 'archived' || isMissing;
			return { isReached: (_, latest) => isGone(latest), isHappening: isGone };
		}
		case 'accepted':
		case 'exit':
			return { isReached: () => false, isHappening: () => false, isVisible: () => false };
	}
}

const isAtLeast = (version: Reading['version'], wanted: string | undefined) =>
	Boolean(version && wanted && compareVersions(version, wanted) >= 0);

// A restart may pass between two reads, so a computer that is active after this time counts as restarted.
const restartedAfterMs = 5_000;

function hasRestarted(operation: Operation, { reading, askedAt }: LatestReading): boolean {
	const { readingBefore, acceptedAt, hasPhaseChanged } = operation;
	const [before, now] = [readingBefore?.startedAt, reading.startedAt];
	const isAnew =
		typeof before === 'number' && typeof now === 'number' && now - before > startToleranceMs;
	const isLongAgo = acceptedAt !== undefined && askedAt - acceptedAt >= restartedAfterMs;
	return hasPhaseChanged || isAnew || isLongAgo;
}

function isUpdated(operation: Operation, latest: LatestReading): boolean {
	const { version } = latest.reading;
	const { readingBefore: before, spec } = operation;
	if (version && spec.version !== undefined) return isAtLeast(version, spec.version);
	return version && before ? version !== before.version : hasRestarted(operation, latest);
}

export const isAlreadyHappening = (computer: Computer, spec: OperationSpec): boolean =>
	rulesOf(operationRowOf(spec.operation)).isHappening(computer, spec);

type Outcome = Partial<Operation> | undefined;

function settlementOf(account: AccountState, operation: Operation, now: number): Outcome {
	const { acceptedAt, sentAt, stage, readingBefore, spec } = operation;
	const row = operationRowOf(spec.operation);
	const { goal, subject } = row;
	const since = acceptedAt ?? sentAt;
	const done = { stage: 'done', endedAt: now, failure: undefined } as const;
	if (since === undefined) return undefined;
	const isByPhase = 'intermediatePhase' in goal;
	if (!isByPhase && goal.reaches !== 'gone' && stage === 'accepted') return done;
	const computer = account.computers.get(spec.computer ?? '');
	if (!computer || computer.isMissing) {
		if (goal.reaches === 'gone') return done;
		return subject === 'account' ? undefined : failedBecause('the computer is gone', now);
	}
	const { phase, reading } = computer;
	const askedAt = statusAnswerOf(account, computer)?.askedAt ?? never;
	const latest = { ...computer, askedAt };
	const isDone = rulesOf(row).isReached(operation, latest);
	if (goal.reaches === 'gone') return isDone ? done : undefined;
	if (askedAt < since) return undefined;
	if (phase === 'archived') return failedBecause('the computer was removed', now);
	if (isByPhase && phase === 'error') {
		const isOld = readingBefore?.status === reading.status && !hasRestarted(operation, latest);
		// The status is about to be read, and tells why.
		const isReasonAwaited =
			reading.error === undefined && !account.computerReads.get(computer.id)?.failing?.status;
		const reason = reading.error || 'the platform reports an error';
		return isOld || isReasonAwaited ? undefined : failedBecause(reason, now);
	}
	return isDone ? done : undefined;
}

const failed = (now: number, failure: Failure) =>
	({ stage: 'failed', endedAt: now, failure }) as const;

const failedBecause = (message: string, now: number) =>
	failed(now, createFailure('conflict', message));

const never = Number.NEGATIVE_INFINITY;

// A request without a response may still reach the platform, and a list may be slightly old, so the second read
// decides:
//
//   sent ──▶ no response ── 20 s ──▶ read ── 10 s ──▶ read ──▶ done, or probably not done
export const lookUpAfterMs = 20_000;
export const confirmAfterMs = 30_000;

const giveUpAfterMs = 30 * 60_000;

export const lookedUpForMs = 60 * 60_000;

/** Of this process, and for the recorder of those that have ended. */
export function outcomesIn(
	account: AccountState,
	now: number,
	isRecorder = false,
): readonly OperationChanged[] {
	return [...account.operations.values()].flatMap(operation => {
		const outcome = isOfThisProcess(operation)
			? outcomeOf(account, operation, now)
			: isRecorder && outcomeOfAbandoned(account, operation, now);
		return outcome ? [operationFact({ ...operation, ...outcome })] : [];
	});
}

export function outcomeOf(account: AccountState, operation: Operation, now: number): Outcome {
	const { stage, spec, acceptedAt = now, sentAt = now } = operation;
	if (stage !== 'accepted' && stage !== 'unknown') return undefined;
	const outcome =
		spec.computer === undefined
			? outcomeOfLostCreate(account, operation, now)
			: (settlementOf(account, operation, now) ?? outcomeOfLost(account, operation, now));
	if (outcome) return outcome;
	if (stage === 'unknown') {
		if (now - sentAt <= lookedUpForMs) return undefined;
		const found = `nothing has shown in ${durationText(lookedUpForMs)} whether it was done`;
		return notDone(operation, now, found, true);
	}
	if (now - acceptedAt <= giveUpAfterMs) return undefined;
	const { doingLabel } = operationRowOf(spec.operation);
	const message = `still ${doingLabel.toLowerCase()} after ${durationText(now - acceptedAt)}`;
	const advice =
		'The platform accepted the request but did not finish it. Check the computer itself.';
	return failed(now, createFailure('server', message, { isOutcomeUnknown: true, advice }));
}

const acceptedAfterAll = (now: number) =>
	({ stage: 'accepted', acceptedAt: now, endedAt: undefined, failure: undefined }) as const;

function outcomeOfLost(account: AccountState, operation: Operation, now: number): Outcome {
	const { spec, stage, sentAt = 0, endedAt = 0, readingBefore: before } = operation;
	const computer = account.computers.get(spec.computer ?? '');
	if (stage !== 'unknown' || !computer) return undefined;
	const asOf = evidenceTimeOf(account, computer, operation);
	if (asOf < sentAt) return undefined;
	const rules = rulesOf(operationRowOf(spec.operation));
	if (rules.isHappening(computer, spec)) return acceptedAfterAll(now);
	if (asOf < endedAt + confirmAfterMs) return undefined;
	const { status } = computer.reading;
	if (rules.isVisible?.(operation, computer.reading) === false) {
		const found = 'the platform does not report whether the operation was done';
		return notDone(operation, now, found, true);
	}
	const still = before?.status === status ? 'still ' : '';
	const found = `${durationText(asOf - sentAt)} later the computer is ${still}${status ?? 'there'}`;
	return notDone(operation, now, `${found}: probably not done`);
}

// Only details and some lists have ports.
function evidenceTimeOf(
	account: AccountState,
	computer: ComputerState,
	{ spec }: Operation,
): number {
	if (operationRowOf(spec.operation).evidence !== 'detail')
		return statusAnswerOf(account, computer)?.askedAt ?? never;
	const isListed = account.listFields.has('ports') && computer.isListed;
	return Math.max(
		account.computerReads.get(computer.id)?.detail?.askedAt ?? never,
		(isListed ? account.reads.list?.answer?.askedAt : undefined) ?? never,
	);
}

function outcomeOfLostCreate(account: AccountState, operation: Operation, now: number): Outcome {
	const { spec, sentAt = 0, endedAt = 0, idsBeforeCreate: before } = operation;
	const asOf = account.reads.list?.answer?.askedAt ?? never;
	if (asOf < sentAt) return undefined;
	const computer = computerOfLostCreate(account, operation);
	if (computer) return { ...acceptedAfterAll(now), spec: { ...spec, computer: computer.id } };
	if (asOf < endedAt + confirmAfterMs) return undefined;
	return before && isListComplete(account)
		? notDone(operation, now, 'the list shows no new computer: probably none was created')
		: notDone(operation, now, 'the platform does not report whether a computer was created', true);
}

function notDone(
	{ failure }: Operation,
	now: number,
	found: string,
	isOutcomeUnknown = false,
): Outcome {
	// The technical cause of a lost connection helps nobody.
	const answer = failure && failure.kind !== 'offline' ? failure.message : 'no answer';
	const message = `${answer}, and ${found}`;
	const advice = isOutcomeUnknown
		? 'Check the computer before you try again.'
		: 'Try again if you still want this.';
	const base = failure ?? createFailure('offline', message);
	return failed(now, { ...base, message, advice, isOutcomeUnknown });
}

/** Looked up like a request without a response, unless nothing can be learnt of it. */
function outcomeOfAbandoned(account: AccountState, operation: Operation, now: number): Outcome {
	const { spec, stage, abandonedAt, sentAt = abandonedAt } = operation;
	if (abandonedAt === undefined || sentAt === undefined || stage === 'failed') return undefined;
	const isCommand = operationRowOf(spec.operation).goal.reaches === 'exit';
	if (!isCommand && stage !== 'sent') {
		// Before the first list, an unknown computer may exist.
		const hasList = (account.reads.list?.answer?.askedAt ?? never) >= sentAt;
		return hasList ? outcomeOf(account, operation, now) : undefined;
	}
	const advice = isCommand
		? 'It may have done its work or a part of it. Check before you run it again.'
		: 'Check the computer before you try again.';
	const isForGood = isCommand || abandonedAt - sentAt > lookedUpForMs;
	const failure = createFailure('cancelled', endedWhileItRanText, { isOutcomeUnknown: true });
	return isForGood
		? failed(now, { ...failure, advice })
		: { ...failed(now, failure), stage: 'unknown' };
}

const maxClockSkewMs = 120_000;

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
	const oldestFirst = (a: ComputerState, b: ComputerState) =>
		(a.reading.createdAt ?? 0) - (b.reading.createdAt ?? 0);
	return called ?? found.sort(oldestFirst)[0];
}
