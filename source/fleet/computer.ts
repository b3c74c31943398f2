import * as v from './schema.ts';

export const publishedPort = v.object({
	port: v.port,
	// The token stands before the address, so that a recording removes it from an address that contains it.
	/** The token in the shared address /v1/p/share/:token, if the platform reports one. */
	shareToken: v.optional(v.secret),
	/** The public address of the port, if the platform reports it. */
	url: v.optional(v.publicAddress),
	/**
	 * True when the port is known only because this program published it. The publication may have ended, and
	 * other ports may be published.
	 */
	isOurs: v.optional(v.boolean),
});

export type PublishedPort = v.ValueOf<typeof publishedPort>;

/**
 * THE table of the fields of one answer about one computer. Snapshots and recordings validate with it, and the types
 * require a decision about each field from the decoder, the merging, the filter and the JSON record.
 *
 * A field that the answer left out is absent; a field without a value is null. So a field that is left out never
 * erases a value from another answer.
 */
export const readingTable = {
	name: v.optional(v.nullable(v.name)),
	/**
	 * The status in the words of the platform, even if this program does not know the word. `phaseOf`
	 * translates it.
	 */
	status: v.optional(v.word),
	stage: v.optional(v.nullable(v.word)),
	/** The progress of the stage in percent, from 0 to 100. */
	stageProgress: v.optional(v.nullable(v.percent)),
	stageMessage: v.optional(v.nullable(v.text)),
	version: v.optional(v.nullable(v.word)),
	/** The reason why the computer is in error. */
	error: v.optional(v.nullable(v.text)),
	/** The address of the computer inside the platform's network. */
	address: v.optional(v.nullable(v.address)),
	provider: v.optional(v.nullable(v.word)),
	location: v.optional(v.nullable(v.word)),
	serverType: v.optional(v.nullable(v.word)),
	/** The used share of the CPU, in percent. */
	cpu: v.optional(v.nullable(v.percent)),
	/** The used share of the memory, in percent. */
	memory: v.optional(v.nullable(v.percent)),
	/** The used share of the storage that the plan includes, in percent. */
	storage: v.optional(v.nullable(v.percent)),
	/** When the computer was last started, in milliseconds since 1970. */
	startedAt: v.optional(v.nullable(v.time)),
	createdAt: v.optional(v.nullable(v.time)),
	updatedAt: v.optional(v.nullable(v.time)),
	ports: v.optional(v.nullable(v.listOf(publishedPort))),
};

export const readingSchema = v.object({ id: v.id, ...readingTable });

export type Reading = v.ValueOf<typeof readingSchema>;

export type ReadingField = keyof typeof readingTable;

export const readingFields = Object.keys(readingTable) as readonly ReadingField[];

type FieldValue = Reading[ReadingField];

/** Whether two values of a field are the same. */
export function isSameValue(a: FieldValue, b: FieldValue): boolean {
	if (Object.is(a, b)) return true;
	if (!isPortList(a) || !isPortList(b) || a.length !== b.length) return false;
	return a.every((port, index) => isSamePort(port, b[index]));
}

// The fields are written out, because ten thousand computers are compared each time that a list arrives.
function isSamePort(a: PublishedPort, b: PublishedPort | undefined): boolean {
	if (a.port !== b?.port || a.isOurs !== b.isOurs) return false;
	return a.url === b.url && a.shareToken === b.shareToken;
}

const isPortList = (value: FieldValue): value is readonly PublishedPort[] => Array.isArray(value);

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
