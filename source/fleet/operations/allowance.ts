import type { Phase, Reading } from '../computers/computer.ts';
import { compareVersions } from '../computers/version.ts';
import type { OperationId } from './operation.ts';
import { operationRowOf } from './operation-table.ts';

type Allowance = { isAllowed: true } | { isAllowed: false; reason: string };

const reasonsByPhase: Readonly<Record<Phase, string>> = {
	creating: 'still being created',
	active: 'already running',
	stopped: 'stopped, must be started first',
	error: 'in error',
	stopping: 'stopping now',
	starting: 'starting now',
	restarting: 'restarting now',
	updating: 'being updated now',
	archived: 'removed, only its record is kept',
	pooled: 'held in reserve by the platform',
	unknown: 'in an unknown status',
};

/** Returns whether a computer in this phase accepts the operation, and if not, the reason. */
export function allowanceInPhase(operation: OperationId, phase: Phase): Allowance {
	const { subject, allowedFrom, refusalReasons } = operationRowOf(operation);
	if (subject === 'account' || allowedFrom.includes(phase)) return { isAllowed: true };
	return refusedAllowance(refusalReasons?.[phase] ?? reasonsByPhase[phase]);
}

/** Returns whether a computer accepts the operation now, and if not, the reason. */
export function allowanceOf(
	operation: OperationId,
	{ phase, reading: { version, ports } }: { phase: Phase; reading: Reading },
	latestVersion: string | undefined,
): Allowance {
	const { goal } = operationRowOf(operation);
	const isNewest =
		version && latestVersion !== undefined && compareVersions(version, latestVersion) >= 0;
	if (goal.reaches === 'version' && isNewest && phase !== 'archived')
		return refusedAllowance(`already on the latest version, ${version}`);
	if (goal.reaches === 'unpublished' && ports?.length === 0)
		return refusedAllowance('publishes no port');
	return allowanceInPhase(operation, phase);
}

const refusedAllowance = (reason: string): Allowance => ({ isAllowed: false, reason });
