import { isDeepStrictEqual } from 'node:util';
import * as v from '../../foundation/schema.ts';
import type { Field } from '../filters/filter.ts';
import type { FieldKind } from '../filters/order.ts';
import type { ComputerReadName } from '../reads.ts';

export const publishedPort = v.object({
	port: v.port,
	// Before the address, so that a recording removes the token from an address that contains it.
	/** In the shared address /v1/p/share/:token. */
	shareToken: v.optional(v.secret),
	url: v.optional(v.publicAddress),
	/** The port may no longer be published, and others may be. */
	isOurs: v.optional(v.boolean),
	omittedAfter: v.optional(v.count),
});

export type PublishedPort = v.ValueOf<typeof publishedPort>;

const maybe = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema));

/** What was not read yet is absent, and what was read and has no value is null: no answer erases another's value. */
const kinds = {
	status: v.optional(v.word),
	label: maybe(v.word),
	sentence: maybe(v.text),
	error: maybe(v.text),
	percent: maybe(v.percent),
	progress: maybe(v.percent),
	time: maybe(v.time),
	ports: maybe(v.listOf(publishedPort)),
};

export type ReadingKind = keyof typeof kinds;

type ReadingRow = {
	kind: ReadingKind;
	/** Without separators and in lower case: in the record, and in objects inside it. */
	names: {
		readonly record?: readonly string[];
		readonly machine?: readonly string[];
		readonly metadata?: readonly string[];
	};
	/** Whether a null says nothing: only the status response promises a version and an error. */
	isNullNothing?: true;
	/** An outdated answer about another status does not fill it in. */
	changesWithStatus?: true;
	belongsTo?: 'status' | 'stage';
	/** Who looks back sees its value of now. */
	isConstant?: true;
	/** The read that tells the value of one computer where the list does not, and the phases in which there is one. */
	toldBy?: { read: ComputerReadName; isIn: (phase: Phase) => boolean };
	/** What `--json` says of the field; absent if it leaves the field out. */
	json?: string;
	label?: string;
	column?: {
		title: string;
		description: string;
		/** As in `FleetColumn`. */
		growth: Readonly<Record<number, number>>;
		visibility?: 'chosen';
	};
	filter?: FilterRow;
};

/** How filters and orders use the field. `fields.ts` computes the values that are not those of the reading itself. */
export type FilterRow = Pick<
	Field<never>,
	'synonyms' | 'hasFewValues' | 'examples' | 'showsUnderscoresAsBlanks'
> & {
	name?: string;
	kind?: FieldKind;
	meaning: string;
	isSearched?: 'always' | 'inMonitor';
	order: { key: string; label: string; short?: string };
};

const isActive = (phase: Phase) => phase === 'active';
const isPlaced = (phase: Phase) => !['creating', 'archived', 'error'].includes(phase);
const detailWhileActive = { read: 'detail', isIn: isActive } as const;
const detailWherePlaced = { read: 'detail', isIn: isPlaced } as const;

const percentExamples = ['>80', '>50', '<10', '20..60'];

/** Decoding, merging, snapshots, recordings, filters, orders, columns, details and `--json` derive from it. */
const readingTable = {
	name: {
		kind: 'label',
		names: { record: ['name', 'displayname'] },
		json: 'name that its owner gave it',
		filter: {
			meaning: 'The name, or the id of a computer without one.',
			isSearched: 'always',
			order: { key: 'n', label: 'name' },
		},
	},
	status: {
		kind: 'status',
		names: { record: ['status', 'state'] },
		changesWithStatus: true,
		json: "status in the platform's own words",
		filter: {
			meaning: 'The status, in plain words or in those of the platform: active, stopped, error.',
			synonyms: ['state'],
			isSearched: 'inMonitor',
			hasFewValues: true,
			order: { key: 's', label: 'status' },
		},
	},
	version: {
		kind: 'label',
		names: { record: ['version'], metadata: ['version'] },
		isNullNothing: true,
		changesWithStatus: true,
		toldBy: { read: 'status', isIn: phase => phase !== 'creating' && phase !== 'archived' },
		json: 'version of its image',
		filter: {
			kind: 'version',
			meaning: 'The version of the image. 1.4 means every 1.4.x; < and > compare.',
			isSearched: 'inMonitor',
			hasFewValues: true,
			order: { key: 'v', label: 'version', short: 'ver' },
		},
	},
	startedAt: {
		kind: 'time',
		names: { record: ['startedat'] },
		changesWithStatus: true,
		belongsTo: 'status',
		json: 'time of its last start',
		filter: {
			name: 'uptime',
			kind: 'duration',
			meaning: 'The time since the last start: uptime:>4h.',
			synonyms: ['up'],
			examples: ['<1h', '>1d', '>7d'],
			order: { key: 'u', label: 'uptime' },
		},
	},
	cpu: {
		kind: 'percent',
		names: { record: ['cpu', 'cpupercent', 'cpuusage'] },
		belongsTo: 'status',
		toldBy: detailWhileActive,
		json: 'percent of its CPU in use',
		column: { title: 'CPU', description: 'CPU use in percent', growth: { 4: 4 } },
		filter: {
			kind: 'number',
			meaning: 'CPU use in percent: cpu:>80, or a range: cpu:20..60.',
			examples: percentExamples,
			order: { key: 'c', label: 'CPU' },
		},
	},
	memory: {
		kind: 'percent',
		names: { record: ['memory', 'memorypercent', 'memoryusage', 'ram', 'rampercent'] },
		belongsTo: 'status',
		toldBy: detailWhileActive,
		json: 'percent of its memory in use',
		column: { title: 'MEM', description: 'memory use in percent', growth: { 7: 4 } },
		filter: {
			kind: 'number',
			meaning: 'Memory use in percent.',
			synonyms: ['mem', 'ram'],
			examples: percentExamples,
			order: { key: 'm', label: 'memory', short: 'mem' },
		},
	},
	storage: {
		kind: 'percent',
		names: { record: ['storage', 'storagepercent', 'disk', 'diskpercent'] },
		toldBy: detailWherePlaced,
		json: 'percent of its storage in use',
		column: {
			title: 'DISK',
			description: 'disk use in percent',
			growth: { 8: 4 },
			visibility: 'chosen',
		},
		filter: {
			kind: 'number',
			meaning: 'Storage use in percent.',
			synonyms: ['disk'],
			examples: percentExamples,
			order: { key: 'd', label: 'disk' },
		},
	},
	createdAt: {
		kind: 'time',
		names: { record: ['createdat'] },
		isConstant: true,
		json: 'time of its creation',
		filter: {
			name: 'age',
			kind: 'duration',
			meaning: 'The time since the computer was created: age:>7d.',
			examples: ['<1h', '<1d', '>7d', '1d..7d'],
			order: { key: 'a', label: 'age' },
		},
	},
	ports: {
		kind: 'ports',
		names: { record: ['ports', 'publishedports', 'previews'] },
		toldBy: detailWhileActive,
		json: 'published ports, each with port and url',
		filter: {
			name: 'port',
			kind: 'number',
			meaning: 'A published port.',
			synonyms: ['ports'],
			order: { key: 'p', label: 'port' },
		},
	},
	stage: {
		kind: 'label',
		names: { record: ['stage'], metadata: ['provisioningstage'] },
		changesWithStatus: true,
		belongsTo: 'status',
		json: 'stage of its creation',
		filter: {
			meaning: 'The stage of the creation, or the error.',
			isSearched: 'inMonitor',
			showsUnderscoresAsBlanks: true,
			order: { key: 'g', label: 'stage' },
		},
	},
	stageProgress: {
		kind: 'progress',
		names: { record: ['stageprogress', 'progress'] },
		changesWithStatus: true,
		belongsTo: 'stage',
		json: 'progress of that stage, from 0 to 100',
	},
	stageMessage: {
		kind: 'sentence',
		names: { record: ['stagemessage'], metadata: ['provisioningmessage'] },
		changesWithStatus: true,
		belongsTo: 'stage',
	},
	error: {
		kind: 'error',
		names: { record: ['error', 'errormessage'], metadata: ['error', 'errormessage'] },
		isNullNothing: true,
		changesWithStatus: true,
		belongsTo: 'status',
		toldBy: { read: 'status', isIn: phase => phase === 'error' },
		json: 'reason for its error, if any',
	},
	address: {
		kind: 'label',
		names: {
			record: ['ip', 'internalip', 'ipaddress', 'address'],
			machine: ['ip'],
			metadata: ['publicip', 'ip'],
		},
		toldBy: detailWherePlaced,
		json: "address within the platform's network",
		label: 'Address',
		column: {
			title: 'ADDRESS',
			description: 'address in the platform network',
			growth: { 17: 15, 18: 39 },
			visibility: 'chosen',
		},
		filter: {
			meaning: 'The address within the network of the platform.',
			synonyms: ['ip'],
			isSearched: 'always',
			order: { key: 'r', label: 'address', short: 'addr' },
		},
	},
	location: {
		kind: 'label',
		names: { machine: ['location'], metadata: ['location'] },
		isConstant: true,
		toldBy: detailWherePlaced,
		json: 'location, such as a region of the platform',
		label: 'Location',
		column: { title: 'LOCATION', description: 'location', growth: { 13: 9 } },
		filter: {
			meaning: 'The location, such as a region of the platform.',
			synonyms: ['region', 'zone'],
			isSearched: 'inMonitor',
			hasFewValues: true,
			order: { key: 'l', label: 'location', short: 'loc' },
		},
	},
	serverType: {
		kind: 'label',
		names: { machine: ['servertype'], metadata: ['servertype'] },
		label: 'Server',
	},
	provider: { kind: 'label', names: { record: ['provider'] }, label: 'Provider' },
	updatedAt: { kind: 'time', names: { record: ['updatedat'] } },
} as const satisfies Readonly<Record<string, ReadingRow>>;

type Rows = typeof readingTable;

export type ReadingField = keyof Rows;

export type FilteredName = {
	[F in ReadingField]: Rows[F] extends { filter: { name: infer Name } }
		? Name
		: Rows[F] extends { filter: FilterRow }
			? F
			: never;
}[ReadingField];

export const readingRows: Readonly<Record<ReadingField, ReadingRow>> = readingTable;

export const readingFields = Object.keys(readingTable) as readonly ReadingField[];

export const readingSchema = v.object({
	id: v.id,
	...(Object.fromEntries(readingFields.map(field => [field, kinds[readingTable[field].kind]])) as {
		[F in ReadingField]: (typeof kinds)[Rows[F]['kind']];
	}),
});

export type Reading = v.ValueOf<typeof readingSchema>;

type FieldValue = Reading[ReadingField];

export const isSameValue = (one: FieldValue, other: FieldValue): boolean =>
	Object.is(one, other) || (Array.isArray(one) && isDeepStrictEqual(one, other));

/** Undefined if not all of them are known. */
export function allPortsOf({
	ports,
}: Pick<Reading, 'ports'>): readonly PublishedPort[] | undefined {
	const isPartial = ports?.some(({ isOurs, omittedAfter }) => isOurs || omittedAfter);
	return isPartial ? undefined : (ports ?? undefined);
}

export function omittedPortCount({ ports }: Pick<Reading, 'ports'>): number {
	return (ports ?? []).reduce((sum, { omittedAfter = 0 }) => sum + omittedAfter, 0);
}

/** The words of the platform for each phase. A word that is not among them is unknown. */
const statusesByPhase = {
	creating: ['provisioning', 'creating'],
	active: ['active', 'running'],
	stopped: ['stopped', 'paused', 'sleeping'],
	error: ['error'],
	stopping: ['stopping'],
	starting: ['starting'],
	restarting: ['restarting'],
	updating: ['updating'],
	pooled: ['pooled'],
	unknown: [],
	archived: ['archived'],
} as const;

export type Phase = keyof typeof statusesByPhase;

export const allPhases = Object.keys(statusesByPhase) as readonly Phase[];

export const existingPhases = allPhases.filter(phase => phase !== 'archived');

export const changingPhases: readonly Phase[] = [
	'creating',
	'starting',
	'restarting',
	'updating',
	'stopping',
];

const phaseByStatus: ReadonlyMap<string, Phase> = new Map(
	allPhases.flatMap(phase => statusesByPhase[phase].map(status => [status, phase] as const)),
);

export const statusWords: readonly string[] = [...new Set([...allPhases, ...phaseByStatus.keys()])];

export const phaseOf = (status = ''): Phase => phaseByStatus.get(status.toLowerCase()) ?? 'unknown';

export function isSameStatus(status: string | undefined, otherStatus: string | undefined): boolean {
	return (
		status === otherStatus ||
		(phaseOf(status) === phaseOf(otherStatus) && phaseOf(status) !== 'unknown')
	);
}

/** Of archived computers, the platform only keeps the records. */
export const isCountedPhase = (phase: Phase): boolean => phase !== 'archived';

export const computerName = ({
	id,
	reading,
}: {
	id: string;
	reading: Pick<Reading, 'name'>;
}): string => reading.name || id;

export function uniqueNamesOf(
	computers: ReadonlyMap<string, { reading: Pick<Reading, 'name'> }>,
): ReadonlySet<string> {
	const [once, again] = [new Set<string>(), new Set<string>()];
	for (const { reading } of computers.values())
		if (reading.name) (once.has(reading.name) ? again : once).add(reading.name);
	for (const name of again) once.delete(name);
	return once;
}

export const fieldsToldBy = (read: ComputerReadName, phase: Phase): readonly ReadingField[] =>
	readingFields.filter(field => {
		const { toldBy } = readingRows[field];
		return toldBy?.read === read && toldBy.isIn(phase);
	});

type KnownComputer = { reading: Reading; phase: Phase };

/** A field that the list has for other computers was read with it, except what only the status promises. */
export function isNotRead(
	field: ReadingField,
	{ reading, phase }: KnownComputer,
	listFields?: ReadonlySet<ReadingField>,
): boolean {
	const { toldBy } = readingRows[field];
	if (!toldBy || reading[field] !== undefined || !toldBy.isIn(phase)) return false;
	return toldBy.read === 'status' || !listFields?.has(field);
}

export const isVersionNotRead = (computer: KnownComputer): boolean =>
	isNotRead('version', computer);

export const isErrorNotRead = (computer: KnownComputer): boolean => isNotRead('error', computer);

const creationSequences: readonly (readonly string[])[] = [
	['creating', 'loading_image', 'ready'],
	[
		...['server_creating', 'server_created', 'cloud_init_running', 'cloud_init_done'],
		...['docker_pulling', 'docker_running', 'services_starting', 'services_ready'],
	],
];

export function creationStagesWith(stage: string): readonly string[] {
	return creationSequences.find(stages => stages.includes(stage)) ?? [stage];
}

export const stageText = (stage: string) => stage.replaceAll('_', ' ');

export const isFirstCreationStage = (stage: string): boolean =>
	creationSequences.some(([first]) => first === stage);
