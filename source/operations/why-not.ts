import type { Change } from '../fleet/change.ts';
import { allPortsOf } from '../fleet/computers/computer.ts';
import type { RateLimitUsage } from '../fleet/fact.ts';
import {
	isOfThisProcess,
	isUnderWay,
	isUnsent,
	type Operation,
	type OperationId,
	type OperationSpec,
} from '../fleet/operations/operation.ts';
import type {
	OperationDetails,
	OperationRow,
	SkippedComputer,
} from '../fleet/operations/operation-row.ts';
import { type Obstacle, obstacleOn, operationRowOf } from '../fleet/operations/operation-table.ts';
import { durationText } from '../foundation/duration.ts';
import { documentedLimits, slotLifetimeMs } from '../limits/limits.ts';
import type { AccountState, ComputerState } from '../store/state.ts';

export type SkippedTarget = SkippedComputer & { account: string };

export type Refusal = {
	reason:
		| 'read-only'
		| 'locked'
		/** For the reason in its row of the table. */
		| 'barred'
		| 'closing'
		| 'not-allowed'
		| 'too-many'
		/** The question is no longer open, or not answered. */
		| 'no-answer';
	message: string;
	skipped: readonly SkippedTarget[];
	refused?: { operation: OperationId; port: number | undefined };
};

export type Refused = { type: 'refused'; refusal: Refusal };

export const refusedBecause = (
	reason: Refusal['reason'],
	message: string,
	skipped: Refusal['skipped'] = [],
	refused?: Refusal['refused'],
): Refused => ({ type: 'refused', refusal: { reason, message, skipped, refused } });

export const readOnlyText = 'Read-only: nothing can be changed here';
export const goneText = 'no longer exists';

/** Apart from other operations that are under way. */
export function obstacleTo(
	{ release }: Pick<AccountState, 'release'>,
	operation: OperationId,
	computer: ComputerState | undefined,
	{ port, version = release?.version }: Pick<OperationDetails, 'port'> & { version?: string },
): Obstacle | undefined {
	if (!computer) return { reason: goneText };
	const obstacle = obstacleOn(operation, computer, version);
	if (obstacle) return obstacle;
	const ports = allPortsOf(computer.reading);
	if (port === undefined || !ports) return undefined;
	const { reaches } = operationRowOf(operation).goal;
	const isPublished = ports.some(each => each.port === port);
	if (reaches === 'published' && isPublished)
		return { reason: `port ${port} is already published`, isSo: true };
	return reaches === 'unpublished' && !isPublished
		? { reason: `port ${port} is not published`, isSo: true }
		: undefined;
}

const isLocal = (operation: OperationId) => operationRowOf(operation).scope === 'none';

/** Of all processes. An own command excludes only another run of itself. */
function conflictsOf(
	{ operations }: Pick<AccountState, 'operations'>,
	operation: OperationId,
	computer: string,
): readonly Operation[] {
	return [...operations.values()].filter(
		other =>
			other.spec.computer === computer &&
			isUnderWay(other) &&
			(other.spec.operation === operation ||
				!(isLocal(operation) || isLocal(other.spec.operation))),
	);
}

export function whyBusy(
	account: AccountState,
	operation: OperationId,
	computer: string,
	now: number,
): string | undefined {
	const other = conflictsOf(account, operation, computer).findLast(each => !isOverdue(each, now));
	return other && busyText(other);
}

function busyText({ spec, stage }: Operation): string {
	const { doingLabel, label } = operationRowOf(spec.operation);
	const name = label.toLowerCase();
	if (stage === 'counting' || stage === 'held') return `its ${name} counts down`;
	if (stage === 'queued') return `its ${name} is already queued`;
	if (stage === 'unknown') return `still checking whether the ${name} request was carried out`;
	return `already ${doingLabel.toLowerCase()}`;
}

export function whatOthersDo(
	account: Pick<AccountState, 'operations'>,
	operation: OperationId,
	computer: string,
): string | undefined {
	const other = conflictsOf(account, operation, computer).find(each => !isOfThisProcess(each));
	return other && otherProcessText(other);
}

const otherProcessText = ({ spec }: Operation) =>
	`another pane or command of yours ${operationRowOf(spec.operation).verbInHelp} it`;

export function whyNotSent(
	account: AccountState,
	{ key, operation, computer, port, version }: OperationSpec,
	now: number,
): string | undefined {
	if (computer === undefined) return undefined;
	const { askedAt = now } = account.operations.get(key) ?? {};
	// Of two that wait, the one that was asked for first is sent. A start of this process that waits is the first step of
	// its update.
	const isEarlier = (other: Operation) =>
		other.askedAt < askedAt || (other.askedAt === askedAt && other.spec.key < key);
	const other = conflictsOf(account, operation, computer).find(
		each =>
			each.spec.key !== key &&
			!isOverdue(each, now) &&
			(!isUnsent(each) || (!isOfThisProcess(each) && isEarlier(each))),
	);
	if (other) return isOfThisProcess(other) ? busyText(other) : otherProcessText(other);
	return obstacleTo(account, operation, account.computers.get(computer), { port, version })?.reason;
}

export type WaitReason =
	| { type: 'countdown'; until: number }
	| { type: 'held' }
	/** It holds the queue. */
	| { type: 'quitDialog' }
	/** For earlier operations or the rate limit, as an estimate. */
	| { type: 'turn'; until: number }
	| { type: 'previous' }
	| { type: 'start' }
	| { type: 'unlock' };

export type WaitReasonOf = (key: string) => WaitReason | undefined;

export type HoldReason = 'dialog' | 'quit' | 'suspended' | 'too small';

type Conditions = { isLocked: boolean; holdReason: HoldReason | undefined };

/** Undefined if only the rate limit delays it. */
export function holdingReasonOf(
	{ spec, stage, countdownEndsAt }: Operation,
	{ operations }: Pick<AccountState, 'operations'>,
	{ isLocked, holdReason }: Conditions,
): WaitReason | undefined {
	const isStartedFirst = [...operations.values()].some(
		each =>
			each.spec.key !== spec.key &&
			each.spec.operation === 'start' &&
			each.spec.computer === spec.computer &&
			isOfThisProcess(each) &&
			isUnderWay(each),
	);
	if (isStartedFirst && !isLocal(spec.operation)) return { type: 'start' };
	if (stage === 'held') return { type: 'held' };
	if (countdownEndsAt !== undefined) return { type: 'countdown', until: countdownEndsAt };
	const { scope, changes } = operationRowOf(spec.operation);
	if (holdReason === 'quit') return { type: 'quitDialog' };
	if (isLocked && changes) return { type: 'unlock' };
	if (scope !== 'create') return undefined;
	// A new computer in the list could belong to either of two creates.
	const isCreateUnknown = [...operations.values()].some(
		each => each.stage === 'unknown' && each.spec.computer === undefined,
	);
	return isCreateUnknown ? { type: 'previous' } : undefined;
}

type Queued = Pick<AccountState, 'operations' | 'standings'>;

export const inSendingOrder = <T extends { spec: OperationSpec }>(all: readonly T[]) =>
	all.toSorted((a, b) => Number(isInBatch(a)) - Number(isInBatch(b)));

const isInBatch = ({ spec }: { spec: OperationSpec }) => spec.batch !== undefined;

export function waitReasonsIn(
	accounts: readonly Queued[],
	conditions: Conditions,
	now: number,
): WaitReasonOf {
	return key => {
		const account = accounts.find(({ operations }) => operations.has(key));
		const operation = account?.operations.get(key);
		if (!account || !operation || !isUnsent(operation) || !isOfThisProcess(operation))
			return undefined;
		const holding = holdingReasonOf(operation, account, conditions);
		if (holding) return holding;
		const { scope } = operationRowOf(operation.spec.operation);
		const queued = [...account.operations.values()].filter(
			each =>
				each.stage === 'queued' &&
				isOfThisProcess(each) &&
				operationRowOf(each.spec.operation).scope === scope,
		);
		const count = inSendingOrder(queued).indexOf(operation) + 1;
		const time = estimateSendingTime(count, scope, account.standings, now);
		return { type: 'turn', until: now + time };
	};
}

const minShareOfLimit = 1 / 12;

/** Until the last one is sent. Operations go before reads, so they get every free slot. */
export function estimateSendingTime(
	count: number,
	scope: OperationRow['scope'],
	usage: RateLimitUsage | undefined,
	now: number,
): number {
	if (scope === 'none' || !usage) return 0;
	const { limit, spent, nextOperationAt = now, elsewhere = 0 } = usage[scope];
	const waiting = count - (limit - spent);
	if (waiting <= 0) return 0;
	const ours = Math.max(limit - elsewhere, limit * minShareOfLimit);
	const flowing = (waiting / ours) * slotLifetimeMs(documentedLimits[scope]);
	return Math.max(flowing, nextOperationAt - now);
}

export function sendingTimeLeft(
	accounts: readonly { state: Queued }[],
	batch: string,
	now: number,
): number {
	const times = accounts.map(({ state: { operations, standings } }) => {
		const waiting = [...operations.values()].filter(
			each => each.spec.batch === batch && isUnsent(each),
		);
		const { scope } = operationRowOf(waiting[0]?.spec.operation ?? '');
		return estimateSendingTime(waiting.length, scope, standings, now);
	});
	return Math.max(0, ...times);
}

function timeSinceSent(operation: Operation, now: number): number | undefined {
	const { sentAt } = operation;
	return sentAt === undefined || !isUnderWay(operation) ? undefined : Math.max(0, now - sentAt);
}

function isOverdue(operation: Operation, now: number): boolean {
	const { overdueAfterMs } = operationRowOf(operation.spec.operation);
	return (timeSinceSent(operation, now) ?? 0) > overdueAfterMs;
}

/** Such as "still stopping after 60 s". */
export function overdueText(operation: Operation, now: number): string | undefined {
	if (!isOverdue(operation, now)) return undefined;
	const { doingLabel } = operationRowOf(operation.spec.operation);
	const time = durationText(timeSinceSent(operation, now) ?? 0);
	return `still ${doingLabel.toLowerCase()} after ${time}`;
}

const slowFactor = 1.5;

export function usualDurationIfSlow(
	operation: Operation,
	changes: readonly Change[],
	now: number,
): number | undefined {
	const time = timeSinceSent(operation, now);
	const usual = usualDurationOf(changes, operation.spec.operation);
	return time !== undefined && usual !== undefined && time >= usual * slowFactor
		? usual
		: undefined;
}

const maxSampledDurations = 20;

export function usualDurationOf(
	changes: readonly Change[],
	operation: OperationId,
): number | undefined {
	const durations = changes.flatMap(change =>
		change.type === 'operationMoved' &&
		change.to === 'settled' &&
		change.wish.operation === operation
			? change.took
			: [],
	);
	return usualOf(durations);
}

/** The median of the latest ones, which ignores the few that got stuck. */
export function usualOf(durations: readonly number[]): number | undefined {
	const latest = durations.slice(-maxSampledDurations).sort((a, b) => a - b);
	return latest[Math.floor((latest.length - 1) / 2)];
}
