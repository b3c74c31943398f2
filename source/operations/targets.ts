import { allPortsOf } from '../fleet/computers/computer.ts';
import { uptimeOf } from '../fleet/computers/uptime.ts';
import {
	isOfThisProcess,
	isUnderWay,
	isUnsent,
	type Operation,
	type OperationId,
	type OperationSpec,
} from '../fleet/operations/operation.ts';
import type { OperationDetails, Target } from '../fleet/operations/operation-row.ts';
import { allowanceOf, operationRowOf } from '../fleet/operations/operation-table.ts';
import { commandLineOf } from '../fleet/operations/own-command.ts';
import { memoize } from '../foundation/memoize.ts';
import { createRowAge } from '../store/age.ts';
import { statusAnswerOf } from '../store/answer-times.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { type TargetSource, valuesFrom } from './command-values.ts';
import { isOverdue } from './durations.ts';
import type { Question, SkippedTarget } from './question.ts';

export type CapturedTargets = {
	targets: readonly Target[];
	skipped: readonly SkippedTarget[];
};

/** Captures the computers that accept an operation now, and the reasons why others are skipped. */
export function captureTargets(
	source: TargetSource,
	operation: OperationId,
	ids: readonly string[],
	details: OperationDetails,
	now: number,
	queuedById: ReadonlyMap<string, OperationId> = new Map(),
): CapturedTargets {
	const { account: key, state: account } = source;
	const targets: Target[] = [];
	const skipped: SkippedTarget[] = [];
	const busy = busyReasonsById(account, operation, queuedById, now);
	const { ownCommand } = operationRowOf(operation);
	const rowAge = createRowAge(source.state, now);
	for (const id of new Set(ids)) {
		const computer = account.computers.get(id);
		const refused = obstacleTo(account, operation, computer, details);
		const obstacle = refused?.reason ?? busy.get(id);
		const run = ownCommand && computer && commandLineOf(ownCommand, valuesFrom(source, computer));
		const reason = obstacle ?? (run && 'problem' in run ? run.problem : undefined);
		if (computer && reason === undefined) {
			const commandLine = run && 'commandLine' in run ? run.commandLine : undefined;
			targets.push({
				...targetFrom(source, computer, rowAge, now),
				...(commandLine && { commandLine }),
			});
		} else
			skipped.push({
				account: key,
				// A batch is kept with the computers that it skipped, so it shares the text of their ids.
				id: computer?.id ?? id,
				name: computerNameOf(computer) ?? id,
				reason: reason ?? '',
				...(refused?.isSo && { isSo: true }),
			});
	}
	return { targets, skipped };
}

/** Why a computer does not accept an operation, and whether it already is what the operation would make it. */
type Obstacle = { reason: string; isSo?: boolean };

/** Returns why a computer does not accept an operation now; undefined if it accepts the operation. */
export function obstacleTo(
	{ release }: AccountState,
	operation: OperationId,
	computer: ComputerState | undefined,
	{ port, version = release?.version }: Pick<OperationDetails, 'port'> & { version?: string },
): Obstacle | undefined {
	if (!computer) return { reason: 'no longer exists' };
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

// Returns why computers with an unfinished operation accept no other operation. An own command does not concern the
// platform, so it waits only for another run of itself. An overdue operation does not count, so that it cannot block
// its computer forever.
function busyReasonsById(
	{ operations }: AccountState,
	wanted: OperationId,
	queuedById: ReadonlyMap<string, OperationId>,
	now: number,
) {
	const busy = new Map<string, string>();
	for (const [id, operation] of queuedById)
		if (isInTheWay(operation, wanted)) busy.set(id, queuedReasonOf(operation));
	for (const operation of operations.values()) {
		const { computer } = operation.spec;
		if (!isInTheWay(operation.spec.operation, wanted)) continue;
		if (computer === undefined || !isUnderWay(operation) || isOverdue(operation, now)) continue;
		busy.set(computer, busyReasonOf(operation));
	}
	return busy;
}

const isLocal = (operation: OperationId) => operationRowOf(operation).scope === 'none';

const isInTheWay = (operation: OperationId, wanted: OperationId) =>
	isLocal(wanted) || isLocal(operation) ? operation === wanted : true;

/** The unfinished operations of other processes, keyed by computer. */
const othersByComputer = memoize((operations: AccountState['operations']) => {
	const others = new Map<string | undefined, Operation[]>();
	for (const operation of operations.values()) {
		if (isOfThisProcess(operation) || !isUnderWay(operation)) continue;
		const { computer } = operation.spec;
		others.set(computer, [...(others.get(computer) ?? []), operation]);
	}
	return others;
});

const otherProcessText = ({ spec }: Operation) =>
	`another pane or command of yours ${operationRowOf(spec.operation).verbInHelp} it`;

/**
 * Returns what another process does to the computer of an operation that is about to be sent; undefined if nothing. Of two
 * operations that both wait, the one that was asked for first is sent.
 */
export function obstacleOfOthers(
	{ operations }: AccountState,
	{ key, operation: wanted, computer }: OperationSpec,
	now: number,
): string | undefined {
	const own = operations.get(key);
	const waitsForOwn = ({ askedAt, spec, stage }: Operation) =>
		own !== undefined &&
		isUnsent({ stage }) &&
		(askedAt > own.askedAt || (askedAt === own.askedAt && spec.key > key));
	const found = othersByComputer(operations)
		.get(computer)
		?.find(
			other =>
				isInTheWay(other.spec.operation, wanted) && !isOverdue(other, now) && !waitsForOwn(other),
		);
	return found && otherProcessText(found);
}

function busyReasonOf({ spec, stage }: Operation): string {
	const { doingLabel, label } = operationRowOf(spec.operation);
	if (stage === 'counting' || stage === 'held') return `its ${label.toLowerCase()} counts down`;
	if (isUnsent({ stage })) return queuedReasonOf(spec.operation);
	if (stage === 'unknown')
		return `still checking whether the ${label.toLowerCase()} request was carried out`;
	return `already ${doingLabel.toLowerCase()}`;
}

function queuedReasonOf(operation: OperationId): string {
	return `its ${operationRowOf(operation).label.toLowerCase()} is already queued`;
}

function targetFrom(
	{ account, state }: TargetSource,
	computer: ComputerState,
	rowAge: ReturnType<typeof createRowAge>,
	now: number,
): Target {
	const { id, phase, reading } = computer;
	return {
		account,
		id,
		name: computerNameOf(computer) ?? id,
		phase,
		version: reading.version,
		uptime: knownUptimeOf(state, computer, rowAge, now),
		ports: allPortsOf(reading)?.map(({ port }) => port),
		error: phase === 'error' ? reading.error : undefined,
		storage: reading.storage ?? undefined,
		...(phase === 'error' &&
			!reading.version &&
			typeof reading.startedAt !== 'number' && { neverRan: true }),
	};
}

/** Returns the uptime at the time of the last read. If the data is old, the computer has been running for at least that. */
function knownUptimeOf(
	account: AccountState,
	computer: ComputerState,
	rowAge: ReturnType<typeof createRowAge>,
	now: number,
) {
	const readAt = statusAnswerOf(account, computer)?.at ?? now;
	const uptime = uptimeOf(computer, Math.min(now, readAt));
	const isOld = rowAge(computer) === 'old';
	return uptime && { ...uptime, isLowerBound: uptime.isLowerBound || isOld };
}

export function computerNameOf(computer: ComputerState | undefined): string | undefined {
	return computer?.reading.name || undefined;
}

type TargetChange = Pick<Target, 'account' | 'id' | 'name'> & { description: string };

/**
 * Returns how the targets of a question have changed since the question opened. The question shows the changes but
 * keeps its targets, so that the person decides.
 */
export function targetChangesIn(
	{ targets, operation }: Pick<Question, 'targets' | 'operation'>,
	stateOf: (account: string) => Pick<AccountState, 'computers' | 'operations'> | undefined,
): readonly TargetChange[] {
	return targets.flatMap(target => {
		const { account, id, name } = target;
		const state = stateOf(account);
		const computer = state?.computers.get(id);
		if (!computer) return [{ account, id, name, description: 'is gone' }];
		const { phase, reading, isMissing } = computer;
		const others = state && othersByComputer(state.operations).get(id);
		const other = others?.find(({ spec }) => isInTheWay(spec.operation, operation));
		const changes = [
			...(other ? [`is busy: ${otherProcessText(other)}`] : []),
			...(isMissing ? ['is no longer known to the platform'] : []),
			...(phase === target.phase ? [] : [`is ${phase} now`]),
			...((reading.name || id) === name ? [] : [`is called ${reading.name || id} now`]),
			...(hasVersionChanged(target.version, reading.version)
				? [`runs version ${reading.version} now`]
				: []),
		];
		return changes.length > 0 ? [{ account, id, name, description: changes.join(', ') }] : [];
	});
}

// A version that was unknown before does not count as changed.
function hasVersionChanged(
	before: string | null | undefined,
	now: string | null | undefined,
): boolean {
	return Boolean(before && now) && before !== now;
}
