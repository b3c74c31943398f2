import { allPortsOf } from '../fleet/computer.ts';
import type { OperationId } from '../fleet/fact.ts';
import { isUnderWay, type Operation } from '../fleet/operation.ts';
import { uptimeOf } from '../fleet/uptime.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { isOverdue } from './late.ts';
import { operations } from './operations.ts';
import type { Details, Target } from './rule.ts';

/** A computer that was meant and is left out. */
export type Skipped = { id: string; name: string; reason: string };

export type Captured = { targets: readonly Target[]; skipped: readonly Skipped[] };

/** Which of the computers an operation is for, as they are now, and why not for the others. */
export function capture(
	account: AccountState,
	operation: OperationId,
	ids: readonly string[],
	details: Details,
	now: number,
	untold: ReadonlyMap<string, OperationId> = new Map(),
): Captured {
	const targets: Target[] = [];
	const skipped: Skipped[] = [];
	const busy = operationsInTheWay(account, untold, now);
	for (const id of new Set(ids)) {
		const computer = account.computers.get(id);
		const reason = obstacleTo(account, operation, computer, details) ?? busy.get(id);
		if (computer && reason === undefined) targets.push(targetFrom(computer, now));
		else skipped.push({ id, name: nameOf(computer) ?? id, reason: reason ?? '' });
	}
	return { targets, skipped };
}

/** Why a computer does not take an operation as things are, when it does not. */
export function obstacleTo(
	{ release }: AccountState,
	operation: OperationId,
	computer: ComputerState | undefined,
	{ port, version = release?.version }: Pick<Details, 'port'> & { version?: string },
): string | undefined {
	if (!computer) return 'it is not there any more';
	const allowance = operations[operation].allowed(computer, version);
	if (!allowance.isAllowed) return allowance.reason;
	const ports = allPortsOf(computer.reading);
	if (port === undefined || !ports) return undefined;
	const isPublished = ports.some(each => each.port === port);
	if (operation === 'publish' && isPublished) return `port ${port} is published already`;
	return operation === 'unpublish' && !isPublished ? `port ${port} is not published` : undefined;
}

// What takes far longer than its time does not lock its computer up for good.
function operationsInTheWay(
	{ operations: all }: AccountState,
	untold: ReadonlyMap<string, OperationId>,
	now: number,
) {
	const busy = new Map<string, string>();
	for (const [id, operation] of untold) busy.set(id, waitsReason(operation));
	for (const operation of all.values()) {
		const { computer } = operation.wish;
		if (computer === undefined || !isUnderWay(operation) || isOverdue(operation, now)) continue;
		busy.set(computer, busyReason(operation));
	}
	return busy;
}

function busyReason({ wish, stage }: Operation): string {
	const { doing, label } = operations[wish.operation];
	if (stage === 'asked') return waitsReason(wish.operation);
	if (stage === 'unknown') return `whether ${label.toLowerCase()} was done is being looked up`;
	return `${doing.toLowerCase()} is under way`;
}

function waitsReason(operation: OperationId): string {
	return `${operations[operation].label.toLowerCase()} waits for it already`;
}

function targetFrom(computer: ComputerState, now: number): Target {
	const { id, phase, reading } = computer;
	const uptime = uptimeOf(computer, now);
	const ports = allPortsOf(reading);
	return {
		id,
		name: nameOf(computer) ?? id,
		phase,
		...(reading.version && { version: reading.version }),
		...(uptime && { uptime }),
		...(ports && { ports: ports.map(({ port }) => port) }),
	};
}

export function nameOf(computer: ComputerState | undefined): string | undefined {
	return computer?.reading.name || undefined;
}
