import type { Phase } from '../fleet/computer.ts';
import type { OperationId } from '../fleet/operation.ts';

export type Allowance = { isAllowed: true } | { isAllowed: false; reason: string };

// The documentation names the phases that each operation starts from, but not what the platform refuses. So an
// unknown status allows everything, a computer in error may be started, and the platform decides.
const phasesThatMayRun: readonly Phase[] = ['active', 'error', 'unknown'];
const existingPhases: readonly Phase[] = [
	'creating',
	'active',
	'stopped',
	'error',
	'stopping',
	'starting',
	'restarting',
	'updating',
	'pooled',
	'unknown',
];

const allowedPhases: Readonly<Record<Exclude<OperationId, 'create'>, readonly Phase[]>> = {
	start: ['stopped', 'error', 'unknown'],
	stop: phasesThatMayRun,
	restart: phasesThatMayRun,
	update: ['active', 'unknown'],
	publish: ['active', 'unknown'],
	unpublish: existingPhases,
	delete: existingPhases,
};

const refusalReasons: Readonly<Record<Phase, string>> = {
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
	if (operation === 'create' || allowedPhases[operation].includes(phase))
		return { isAllowed: true };
	const isStoppedTwice = operation === 'stop' && phase === 'stopped';
	return { isAllowed: false, reason: isStoppedTwice ? 'already stopped' : refusalReasons[phase] };
}
