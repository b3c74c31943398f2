/**
 * The fields of one answer about one computer. A field that the answer left out is absent, and one that the
 * answer had without a value is null. So a field that is left out never erases what another answer had.
 */
export type Reading = {
	id: string;
	name?: string | null;
	/** In the words of the platform, even if unknown here. `phaseOf` says what it means. */
	status?: string;
	stage?: string | null;
	/** 0 to 100. */
	stageProgress?: number | null;
	stageMessage?: string | null;
	version?: string | null;
	/** What went wrong, when the computer is in error. */
	error?: string | null;
	/** The address inside the platform's network. */
	address?: string | null;
	provider?: string | null;
	location?: string | null;
	serverType?: string | null;
	/** Percent of what the plan includes. */
	cpu?: number | null;
	memory?: number | null;
	storage?: number | null;
	/** When it was last started, in milliseconds since 1970. */
	startedAt?: number | null;
	createdAt?: number | null;
	updatedAt?: number | null;
	ports?: readonly PublishedPort[] | null;
};

export type PublishedPort = {
	port: number;
	/** The public address, if the platform reports it. */
	url?: string;
	/** The token of /v1/p/share/:token, if the platform reports one. */
	shareToken?: string;
	/** Known only because we published it: it may have ended, and there may be others. */
	isOurs?: boolean;
};

/** All published ports, if the platform reports them. */
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

const phases: Readonly<Record<string, Phase>> = {
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

/** All status words with a known meaning. */
export const statusWords: readonly string[] = [
	...new Set([...Object.values(phases), ...Object.keys(phases), 'unknown']),
];

export function phaseOf(status: string | undefined): Phase {
	return (status !== undefined && lookUp(phases, status.toLowerCase())) || 'unknown';
}

/** Whether two words have the same meaning, or are the same unknown word. */
export function isSameStatus(one: string | undefined, other: string | undefined): boolean {
	return one === other || (phaseOf(one) === phaseOf(other) && phaseOf(one) !== 'unknown');
}

/** Removed computers, which the platform keeps for its records, do not count. */
export function isCounted(phase: Phase): boolean {
	return phase !== 'archived';
}

function lookUp<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
	return Object.hasOwn(table, key) ? table[key] : undefined;
}
