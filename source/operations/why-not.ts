import { allPortsOf } from '../fleet/computers/computer.ts';
import {
	isOfThisProcess,
	isUnderWay,
	isUnsent,
	type Operation,
	type OperationId,
	type OperationSpec,
} from '../fleet/operations/operation.ts';
import type { OperationDetails, OperationRow } from '../fleet/operations/operation-row.ts';
import { allowanceOf, operationRowOf } from '../fleet/operations/operation-table.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { estimateSendingTime, isOverdue, knownSlotsFrom } from './durations.ts';
import type { HoldReason } from './operations-state.ts';

// Why an operation may not be asked for, may not be sent, or is not sent yet. The screen, the palette, commands and JSON
// quote these reasons.

/** Returns why nothing of this kind may be asked for now; undefined when it may. */
export function whyNotNow(
	{ changes, barredBecause }: Pick<OperationRow, 'changes' | 'barredBecause'>,
	state: { isClosing: boolean; isReadOnly: boolean; isLocked: boolean },
): { reason: 'closing' | 'barred' | 'read-only' | 'locked'; message: string } | undefined {
	if (state.isClosing) return { reason: 'closing', message: 'crowsnest is quitting' };
	if (barredBecause !== undefined) return { reason: 'barred', message: barredBecause };
	if (!changes) return undefined;
	if (state.isReadOnly) return { reason: 'read-only', message: readOnlyText };
	return state.isLocked ? { reason: 'locked', message: 'Locked: unlock first' } : undefined;
}

export const goneText = 'no longer exists';

export const readOnlyText = 'Read-only: nothing can be changed here';

/** Why a computer does not accept an operation, and whether it already is what the operation would make it. */
type Obstacle = { reason: string; isSo?: boolean };

/** Returns why a computer does not accept an operation, whatever else is under way; undefined if it accepts it. */
export function obstacleTo(
	{ release }: Pick<AccountState, 'release'>,
	operation: OperationId,
	computer: ComputerState | undefined,
	{ port, version = release?.version }: Pick<OperationDetails, 'port'> & { version?: string },
): Obstacle | undefined {
	if (!computer) return { reason: goneText };
	const allowance = allowanceOf(operation, computer, version);
	if (!allowance.isAllowed) return allowance;
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

/** Whether two operations on one computer exclude each other. An own command waits only for another run of itself. */
const areExclusive = (one: OperationId, other: OperationId) =>
	isLocal(one) || isLocal(other) ? one === other : true;

/**
 * Returns the unfinished operations of all processes that exclude an operation on a computer. Those that are overdue at
 * `now` are left out, so that they cannot block their computer forever.
 */
function conflictsOf(
	{ operations }: Pick<AccountState, 'operations'>,
	operation: OperationId,
	computer: string,
	now: number,
): readonly Operation[] {
	return [...operations.values()].filter(
		other =>
			other.spec.computer === computer &&
			isUnderWay(other) &&
			!isOverdue(other, now) &&
			areExclusive(other.spec.operation, operation),
	);
}

/** Returns why a computer is too busy for a new operation. */
export function whyBusy(
	account: AccountState,
	operation: OperationId,
	computer: string,
	now: number,
): string | undefined {
	const other = conflictsOf(account, operation, computer, now).at(-1);
	return other && busyText(other);
}

function busyText({ spec, stage }: Operation): string {
	const { doingLabel, label } = operationRowOf(spec.operation);
	const name = label.toLowerCase();
	if (stage === 'counting' || stage === 'held') return `its ${name} counts down`;
	if (isUnsent({ stage })) return `its ${name} is already queued`;
	if (stage === 'unknown') return `still checking whether the ${name} request was carried out`;
	return `already ${doingLabel.toLowerCase()}`;
}

/** Says what another process does to a computer; undefined if it does nothing that excludes the operation. */
export function whatOthersDo(
	account: Pick<AccountState, 'operations'>,
	operation: OperationId,
	computer: string,
): string | undefined {
	const conflicts = conflictsOf(account, operation, computer, Number.NEGATIVE_INFINITY);
	const other = conflicts.find(each => !isOfThisProcess(each));
	return other && otherProcessText(other);
}

const otherProcessText = ({ spec }: Operation) =>
	`another pane or command of yours ${operationRowOf(spec.operation).verbInHelp} it`;

/** Returns why an operation that was answered may not be sent; undefined if it may. */
export function whyNotSent(
	account: AccountState,
	{ key, operation, computer, port, version }: OperationSpec,
	now: number,
): string | undefined {
	if (computer === undefined) return undefined;
	const own = account.operations.get(key);
	// Of two operations that both wait, the one that was asked for first is sent. Of this process, only what was sent
	// counts: a start that waits with its update is the first step of it.
	const goesFirst = (other: Operation) =>
		!isUnsent(other) ||
		(!isOfThisProcess(other) &&
			(own === undefined ||
				other.askedAt < own.askedAt ||
				(other.askedAt === own.askedAt && other.spec.key < key)));
	const other = conflictsOf(account, operation, computer, now).find(
		each => each.spec.key !== key && goesFirst(each),
	);
	if (other) return isOfThisProcess(other) ? busyText(other) : otherProcessText(other);
	return obstacleTo(account, operation, account.computers.get(computer), { port, version })?.reason;
}

/**
 * Why an operation is not sent yet. Esc cancels only countdowns. On top of the log, every waiting operation can
 * be cancelled.
 */
export type WaitReason =
	/** The countdown before the request is running. */
	| { type: 'grace'; until: number }
	/** The countdown is held, because a person cannot see it now. */
	| { type: 'held'; leftMs: number }
	/** The quit dialog is open and holds the queue. */
	| { type: 'quitDialog' }
	/** Earlier operations are sent first, or the rate limit allows no request now. `until` is an estimate. */
	| { type: 'turn'; until: number }
	/** The outcome of an earlier create is not known yet. */
	| { type: 'previous' }
	/** The computer is being started first. */
	| { type: 'start' }
	| { type: 'unlock' };

/** Returns why an operation is not sent yet; undefined after it was sent. */
export type WaitReasonOf = (key: string) => WaitReason | undefined;

/** Whether a person has stopped the sending. */
type Conditions = { isLocked: boolean; holdReason: HoldReason | undefined };

/** Returns why an operation is not even in turn to be sent; undefined if only the rate limit delays it. */
export function holdingReasonOf(
	{ spec, graceEndsAt, heldGraceMs }: Pick<Operation, 'spec' | 'graceEndsAt' | 'heldGraceMs'>,
	account: Pick<AccountState, 'operations'>,
	{ isLocked, holdReason }: Conditions,
): WaitReason | undefined {
	if (heldGraceMs !== undefined) return { type: 'held', leftMs: heldGraceMs };
	if (graceEndsAt !== undefined) return { type: 'grace', until: graceEndsAt };
	const { scope, changes } = operationRowOf(spec.operation);
	if (holdReason === 'quit') return { type: 'quitDialog' };
	if (isLocked && changes) return { type: 'unlock' };
	return scope === 'create' && isCreateBlocked(account) ? { type: 'previous' } : undefined;
}

/**
 * Returns whether creates have to wait. A second create waits until the outcome of the first is known. Otherwise
 * a new computer in the list could belong to either of them.
 */
function isCreateBlocked({ operations }: Pick<AccountState, 'operations'>): boolean {
	const all = [...operations.values()];
	return all.some(({ spec, stage }) => stage === 'unknown' && spec.computer === undefined);
}

type Queued = Pick<AccountState, 'operations' | 'standings'>;

/** Returns a function that says why an operation of this process is not sent yet; see `WaitReasonOf`. */
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
		return waitReasonOf(operation, account, conditions, now);
	};
}

function waitReasonOf(
	operation: Operation,
	account: Queued,
	conditions: Conditions,
	now: number,
): WaitReason {
	const { scope } = operationRowOf(operation.spec.operation);
	const own = [...account.operations.values()].filter(
		each => isOfThisProcess(each) && operationRowOf(each.spec.operation).scope === scope,
	);
	const isStartedFirst = own.some(
		each =>
			each !== operation &&
			each.spec.operation === 'start' &&
			each.spec.computer === operation.spec.computer &&
			isUnderWay(each),
	);
	if (isStartedFirst) return { type: 'start' };
	const holding = holdingReasonOf(operation, account, conditions);
	if (holding) return holding;
	const queued = own.filter(({ stage }) => stage === 'queued');
	const isInBatch = ({ spec }: Operation) => spec.batch !== undefined;
	const inOrder = [...queued.filter(each => !isInBatch(each)), ...queued.filter(isInBatch)];
	const count = inOrder.indexOf(operation) + 1;
	const slots = knownSlotsFrom(account.standings, now);
	return { type: 'turn', until: now + estimateSendingTime(count, scope, slots, now) };
}

/** Returns the approximate milliseconds until the last operation of a batch is sent. */
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
		return estimateSendingTime(waiting.length, scope, knownSlotsFrom(standings, now), now);
	});
	return Math.max(0, ...times);
}
