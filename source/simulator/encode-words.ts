import type { Computer, State } from './computer.ts';
import type { Shapes } from './shapes.ts';

type Words = Readonly<Record<State, string>>;

const canonical: Words = {
	provisioning: 'provisioning',
	active: 'active',
	stopped: 'stopped',
	error: 'error',
	stopping: 'stopping',
	starting: 'starting',
	restarting: 'restarting',
	updating: 'updating',
	archived: 'archived',
};

const vocabularies: Readonly<Record<Shapes['words'], Words>> = {
	canonical,
	/** Only the four words of the document: what is under way shows as what was or what will be. */
	documented: {
		...canonical,
		stopping: 'active',
		starting: 'stopped',
		restarting: 'provisioning',
		updating: 'provisioning',
	},
	everyday: { ...canonical, active: 'running', stopped: 'paused' },
	exotic: {
		provisioning: 'pooled',
		active: 'degraded',
		stopped: 'hibernated',
		error: 'quarantined',
		stopping: 'draining',
		starting: 'thawing',
		restarting: 'cycling',
		updating: 'migrating',
		archived: 'entombed',
	},
};

export function statusWord({ state, stoppedBy }: Computer, { words }: Shapes): string {
	const isAsleep = state === 'stopped' && stoppedBy === 'idleness';
	return words === 'everyday' && isAsleep ? 'sleeping' : vocabularies[words][state];
}
