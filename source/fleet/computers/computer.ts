import * as v from '../../foundation/schema.ts';

export const publishedPort = v.object({
	port: v.port,
	// The token is listed before the address, so that a recording removes the token from an address that contains
	// it.
	/** The token in the shared address /v1/p/share/:token, if the platform reports one. */
	shareToken: v.optional(v.secret),
	/** The public address of the port, if the platform reports it. */
	url: v.optional(v.publicAddress),
	/**
	 * Whether the port is known only because this program published it. The port may no longer be published, and
	 * others may be.
	 */
	isOurs: v.optional(v.boolean),
	/** How many ports after this one were left out, because the platform reported too many. */
	omittedAfter: v.optional(v.count),
});

export type PublishedPort = v.ValueOf<typeof publishedPort>;

type FieldRow = {
	/** The kind of value, which also says whether a recording has to hide it. */
	schema: v.GenericSchema;
	/** The field of the filter that finds this value; null if none does. */
	filterField: string | null;
	/**
	 * Whether a filter uses the field only where it is already known. For other fields, a command first reads the
	 * record of each computer, if the list does not have the field.
	 */
	isFilteredAsKnown?: true;
	/** Whether status reads return the field. All other fields come only with lists and details. */
	isInStatus?: true;
	/**
	 * Whether the value belongs to the current status or stage. If so, the value is cleared when the status or
	 * stage changes.
	 */
	belongsTo?: 'status' | 'stage';
};

/**
 * THE table of the fields of one answer about one computer. Snapshots and recordings validate with it, and merging and
 * filters follow its rows. The types require a decision about each field from the decoder, the JSON record and the
 * simulator.
 *
 * A field that no answer was asked for yet is absent; a field that was read and has no value is null. So an answer
 * without a field never erases the value from another answer.
 */
const readingTable = {
	name: { schema: v.optional(v.nullable(v.name)), filterField: 'name' },
	/**
	 * The status in the words of the platform, even if this program does not know the word. `phaseOf`
	 * translates it. A command reads every status before it filters.
	 */
	status: {
		schema: v.optional(v.word),
		filterField: 'status',
		isFilteredAsKnown: true,
		isInStatus: true,
	},
	stage: {
		schema: v.optional(v.nullable(v.word)),
		filterField: 'stage',
		isFilteredAsKnown: true,
		isInStatus: true,
		belongsTo: 'status',
	},
	/** The progress of the stage in percent, from 0 to 100. */
	stageProgress: {
		schema: v.optional(v.nullable(v.percent)),
		filterField: null,
		isInStatus: true,
		belongsTo: 'stage',
	},
	stageMessage: {
		schema: v.optional(v.nullable(v.text)),
		filterField: null,
		isInStatus: true,
		belongsTo: 'stage',
	},
	version: { schema: v.optional(v.nullable(v.word)), filterField: 'version', isInStatus: true },
	/** The reason why the computer is in error. */
	error: {
		schema: v.optional(v.nullable(v.text)),
		filterField: 'stage',
		isFilteredAsKnown: true,
		isInStatus: true,
		belongsTo: 'status',
	},
	/** The address of the computer inside the platform's network. */
	address: { schema: v.optional(v.nullable(v.address)), filterField: 'address' },
	provider: { schema: v.optional(v.nullable(v.word)), filterField: null },
	location: { schema: v.optional(v.nullable(v.word)), filterField: 'location' },
	serverType: { schema: v.optional(v.nullable(v.word)), filterField: null },
	/** The used share of the CPU, in percent. */
	cpu: { schema: v.optional(v.nullable(v.percent)), filterField: 'cpu', belongsTo: 'status' },
	/** The used share of the memory, in percent. */
	memory: { schema: v.optional(v.nullable(v.percent)), filterField: 'memory', belongsTo: 'status' },
	/** The used share of the storage that the plan includes, in percent. */
	storage: { schema: v.optional(v.nullable(v.percent)), filterField: 'storage' },
	/** When the computer was last started, in milliseconds since 1970. The uptime can be estimated without it. */
	startedAt: {
		schema: v.optional(v.nullable(v.time)),
		filterField: 'uptime',
		isFilteredAsKnown: true,
		isInStatus: true,
		belongsTo: 'status',
	},
	createdAt: { schema: v.optional(v.nullable(v.time)), filterField: 'age' },
	updatedAt: { schema: v.optional(v.nullable(v.time)), filterField: null },
	ports: { schema: v.optional(v.nullable(v.listOf(publishedPort))), filterField: 'port' },
} as const satisfies Readonly<Record<string, FieldRow>>;

type Rows = typeof readingTable;

export type ReadingField = keyof Rows;

/** The fields of the filter that the rows name. */
export type FilterFieldOfReading = Exclude<Rows[ReadingField]['filterField'], null>;

export const readingRows: Readonly<Record<ReadingField, FieldRow>> = readingTable;

export const readingFields = Object.keys(readingTable) as readonly ReadingField[];

export const readingSchema = v.object({
	id: v.id,
	...(Object.fromEntries(readingFields.map(field => [field, readingTable[field].schema])) as {
		[Field in ReadingField]: Rows[Field]['schema'];
	}),
});

export type Reading = v.ValueOf<typeof readingSchema>;

type FieldValue = Reading[ReadingField];

/** Whether two values of a field are the same. */
export function isSameValue(one: FieldValue, other: FieldValue): boolean {
	if (Object.is(one, other)) return true;
	if (!isPortList(one) || !isPortList(other) || one.length !== other.length) return false;
	return one.every((port, index) => isSamePort(port, other[index]));
}

/** Whether two readings of a computer differ in nothing but CPU and memory, which both of them have. */
export function isSameButUsage(one: Reading, other: Reading): boolean {
	for (const key in other) {
		const field = key as ReadingField;
		if (isSameValue(one[field], other[field])) continue;
		const isUsage = field === 'cpu' || field === 'memory';
		if (!isUsage || typeof one[field] !== 'number' || typeof other[field] !== 'number')
			return false;
	}
	for (const key in one) if (!(key in other)) return false;
	return true;
}

const isPortList = (value: FieldValue): value is readonly PublishedPort[] => Array.isArray(value);

// All values of a port are flat, so that comparing ten thousand computers with each list stays fast.
type PortValues = Readonly<Record<keyof PublishedPort, string | number | boolean | undefined>>;

const portFields = Object.keys(publishedPort.entries) as readonly (keyof PublishedPort)[];

function isSamePort(one: Partial<PortValues>, other: Partial<PortValues> = {}): boolean {
	for (const field of portFields) if (one[field] !== other[field]) return false;
	return true;
}

/** Returns all published ports; undefined if not all of them are known. */
export function allPortsOf({
	ports,
}: Pick<Reading, 'ports'>): readonly PublishedPort[] | undefined {
	const isPartial = ports?.some(({ isOurs, omittedAfter }) => isOurs || omittedAfter);
	return isPartial ? undefined : (ports ?? undefined);
}

/** Returns how many published ports the readings leave out. */
export function omittedPortCount({ ports }: Pick<Reading, 'ports'>): number {
	return (ports ?? []).reduce((sum, { omittedAfter = 0 }) => sum + omittedAfter, 0);
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

/** The temporary phases, which end without an operation. */
export const changingPhases: readonly Phase[] = [
	...(['creating', 'starting', 'restarting', 'updating', 'stopping'] as const),
];

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
