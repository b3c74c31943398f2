import type { Phase } from '../fleet/computer.ts';
import type { OperationId } from '../fleet/operation.ts';

export type Allowance = { isAllowed: true } | { isAllowed: false; reason: string };

// The documentation names the phases that each operation starts from, but not what the platform refuses. So an
// unknown status allows everything, a computer in error may be started, and the platform decides.
const running: readonly Phase[] = ['active', 'error', 'unknown'];
const notErased: readonly Phase[] = [
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

const allowed: Readonly<Record<Exclude<OperationId, 'create'>, readonly Phase[]>> = {
	start: ['stopped', 'error', 'unknown'],
	stop: running,
	restart: running,
	update: ['active', 'unknown'],
	publish: ['active', 'unknown'],
	unpublish: notErased,
	delete: notErased,
};

const reasons: Readonly<Record<Phase, string>> = {
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

/** Whether a computer in a phase accepts an operation; if not, with the reason. */
export function allowedIn(operation: OperationId, phase: Phase): Allowance {
	if (operation === 'create' || allowed[operation].includes(phase)) return { isAllowed: true };
	const isStoppedTwice = operation === 'stop' && phase === 'stopped';
	return { isAllowed: false, reason: isStoppedTwice ? 'already stopped' : reasons[phase] };
}
