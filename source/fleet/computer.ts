/**
 * The fields of one answer about one computer. A field that the answer left out is absent; a field without a
 * value is null. So a field that is left out never erases a value from another answer.
 */
export type Reading = {
	id: string;
	name?: string | null;
	/**
	 * The status in the words of the platform, even if this program does not know the word. `phaseOf`
	 * translates it.
	 */
	status?: string;
	stage?: string | null;
	/** The progress of the stage in percent, from 0 to 100. */
	stageProgress?: number | null;
	stageMessage?: string | null;
	version?: string | null;
	/** The reason why the computer is in error. */
	error?: string | null;
	/** The address of the computer inside the platform's network. */
	address?: string | null;
	provider?: string | null;
	location?: string | null;
	serverType?: string | null;
	/** The used share of the CPU, in percent. */
	cpu?: number | null;
	/** The used share of the memory, in percent. */
	memory?: number | null;
	/** The used share of the storage that the plan includes, in percent. */
	storage?: number | null;
	/** When the computer was last started, in milliseconds since 1970. */
	startedAt?: number | null;
	createdAt?: number | null;
	updatedAt?: number | null;
	ports?: readonly PublishedPort[] | null;
};

export type PublishedPort = {
	port: number;
	/** The public address of the port, if the platform reports it. */
	url?: string;
	/** The token in the shared address /v1/p/share/:token, if the platform reports one. */
	shareToken?: string;
	/**
	 * True when the port is known only because this program published it. The publication may have ended, and
	 * other ports may be published.
	 */
	isOurs?: boolean;
};

/** Returns all published ports; undefined if the platform does not report them. */
export function allPortsOf({ ports }: Reading): readonly PublishedPort[] | undefined {
	return ports?.some(({ isOurs }) => isOurs) ? undefined : (ports ?? undefined);
}

/** The meaning of a status, independent of the words of the platform. */
export type Phase =
	| 'creating'
	| 'active'
	| 'stopped'
	| 'error'
	| 'stopping'
	| 'starting'
	| 'restarting'
	| 'updating'
	| 'archived'
	| 'pooled'
	| 'unknown';

const phaseByStatus: Readonly<Record<string, Phase>> = {
	provisioning: 'creating',
	creating: 'creating',
	active: 'active',
	running: 'active',
	stopped: 'stopped',
	paused: 'stopped',
	sleeping: 'stopped',
	error: 'error',
	stopping: 'stopping',
	starting: 'starting',
	restarting: 'restarting',
	updating: 'updating',
	archived: 'archived',
	pooled: 'pooled',
};

/** All status words whose phase is known. */
export const statusWords: readonly string[] = [
	...new Set([...Object.values(phaseByStatus), ...Object.keys(phaseByStatus), 'unknown']),
];

export function phaseOf(status: string | undefined): Phase {
	return (status !== undefined && lookUp(phaseByStatus, status.toLowerCase())) || 'unknown';
}

/** Whether two status words mean the same phase, or are the same unknown word. */
export function isSameStatus(status: string | undefined, otherStatus: string | undefined): boolean {
	return (
		status === otherStatus ||
		(phaseOf(status) === phaseOf(otherStatus) && phaseOf(status) !== 'unknown')
	);
}

/**
 * Whether computers in this phase count as part of the fleet. Archived computers do not: the platform has removed
 * them and only keeps their records.
 */
export function isCountedPhase(phase: Phase): boolean {
	return phase !== 'archived';
}

function lookUp<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
	return Object.hasOwn(table, key) ? table[key] : undefined;
}
