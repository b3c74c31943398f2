/**
 * What one answer of the platform told about one computer. A field that the answer did not carry is
 * absent; a field that the answer carried as nothing is null. So what one answer leaves out never
 * erases what another one told.
 */
export type Reading = {
	id: string;
	name?: string | null;
	/** As the platform wrote it, also when nobody has heard of it. `phaseOf` says what it means. */
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
	/** Percent of what the plan gives. */
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
	/** The whole public address, when the platform gives it. */
	url?: string;
	/** The token of /v1/p/share/:token, when the platform gives one. */
	shareToken?: string;
	/** Known from our own publishing alone: it may have ended, and others may be published, too. */
	isOurs?: boolean;
};

/** All of its published ports, where the platform tells them. */
export function allPortsOf({ ports }: Reading): readonly PublishedPort[] | undefined {
	return ports?.some(({ isOurs }) => isOurs) ? undefined : (ports ?? undefined);
}

/** What a status means, whatever words the platform uses for it. */
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

/** Every word for a status that means something here. */
export const statusWords: readonly string[] = [
	...new Set([...Object.values(phases), ...Object.keys(phases), 'unknown']),
];

export function phaseOf(status: string | undefined): Phase {
	return (status !== undefined && lookUp(phases, status.toLowerCase())) || 'unknown';
}

/** Both words mean the same, or are the same word that nobody has heard of. */
export function isSameStatus(one: string | undefined, other: string | undefined): boolean {
	return one === other || (phaseOf(one) === phaseOf(other) && phaseOf(one) !== 'unknown');
}

/** What was removed and is only kept for records is not counted. */
export function isCounted(phase: Phase): boolean {
	return phase !== 'archived';
}

function lookUp<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
	return Object.hasOwn(table, key) ? table[key] : undefined;
}
