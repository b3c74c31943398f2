import type { PublishedPort, Reading } from '../../fleet/computers/computer.ts';
import {
	addressFrom,
	integerFrom,
	labelFrom,
	type Maybe,
	numberFrom,
	type Page,
	pageFrom,
	pathTo,
	sharedLabelFrom,
	textFrom,
	timeFrom,
	unwrapRecord,
	type WireValue,
	withoutUndefinedFields,
} from './decode.ts';
import {
	createKeyFinder,
	fieldsFrom,
	fieldValue,
	isObject,
	type JsonObject,
	type Keys,
	objectIn,
} from './fields.ts';
import { isPathSegment } from './path-segment.ts';
import { createFailure, PlatformError, unreadableError } from './platform-error.ts';
import { redactionMark } from './redact-json.ts';

/** The names under which platforms send the fields of a computer. */
const names = {
	id: ['sandboxid', 'id', 'computerid'],
	status: ['status', 'state'],
	name: ['name', 'displayname'],
	provider: ['provider'],
	stage: ['stage'],
	stageProgress: ['stageprogress', 'progress'],
	stageMessage: ['stagemessage'],
	version: ['version'],
	error: ['error', 'errormessage'],
	address: ['ip', 'internalip', 'ipaddress', 'address'],
	cpu: ['cpu', 'cpupercent', 'cpuusage'],
	memory: ['memory', 'memorypercent', 'memoryusage', 'ram', 'rampercent'],
	storage: ['storage', 'storagepercent', 'disk', 'diskpercent'],
	uptime: ['uptime', 'uptimeseconds'],
	startedAt: ['startedat'],
	createdAt: ['createdat'],
	updatedAt: ['updatedat'],
	ports: ['ports', 'publishedports', 'previews'],
	metadata: ['metadata'],
	machineInfo: ['machineinfo'],
};

/** The names of fields in the metadata of a computer. */
const metadataNames = {
	stage: ['provisioningstage'],
	stageMessage: ['provisioningmessage'],
	version: names.version,
	error: names.error,
	address: ['publicip', 'ip'],
	location: ['location'],
	serverType: ['servertype'],
};

const machineNames = { address: ['ip'], location: ['location'], serverType: ['servertype'] };

const portNames = {
	port: ['port', 'containerport'],
	url: ['url', 'publicurl', 'previewurl'],
	shareToken: ['sharetoken', 'token'],
};

const keysInRecord = createKeyFinder(names);
type RecordKeys = ReturnType<typeof keysInRecord>;

const keysInMetadata = createKeyFinder(metadataNames);
const keysInMachineInfo = createKeyFinder(machineNames);
const keysInPort = createKeyFinder(portNames);

/** Whether a value has an id, which may be invalid. */
export const hasId = (value: unknown): boolean =>
	isObject(value) && fieldValue(value, keysInRecord(value).id) !== undefined;

/**
 * Reads one computer from a record of the list, from its details, or from the response to a create. Only the status
 * promises a version and an error, so a null in one of the others says nothing about them.
 */
export function readingFrom(
	{ value, path }: WireValue,
	now: number,
	{ id, most = maxPorts }: { id?: string; most?: number } = {},
): Reading {
	if (!isObject(value)) throw unreadableError(path, 'an object');
	const keys = keysInRecord(value);
	const metadata = objectIn(value, keys.metadata);
	const inMetadata = keysInMetadata(metadata);
	const machine = objectIn(value, keys.machineInfo);
	const inMachine = keysInMachineInfo(machine);
	return withoutUndefinedFields<Reading>({
		id: id ?? idFrom(fieldValue(value, keys.id), path),
		status: sharedLabelFrom(fieldValue(value, keys.status)) ?? undefined,
		name: labelFrom(fieldValue(value, keys.name)),
		provider: sharedLabelFrom(fieldValue(value, keys.provider)),
		stage: labelIn(value, keys.stage, metadata, inMetadata.stage),
		stageProgress: integerFrom(fieldValue(value, keys.stageProgress), 0, 100),
		stageMessage: labelIn(value, keys.stageMessage, metadata, inMetadata.stageMessage),
		version:
			labelIn(value, keys.version, metadata, inMetadata.version, sharedLabelFrom) ?? undefined,
		error: errorIn(value, keys.error) ?? errorIn(metadata, inMetadata.error) ?? undefined,
		address: firstOf(
			labelIn(value, keys.address, machine, inMachine.address),
			labelFrom(fieldValue(metadata, inMetadata.address)),
		),
		location: labelIn(machine, inMachine.location, metadata, inMetadata.location, sharedLabelFrom),
		serverType: labelIn(
			machine,
			inMachine.serverType,
			metadata,
			inMetadata.serverType,
			sharedLabelFrom,
		),
		cpu: percentFrom(fieldValue(value, keys.cpu)),
		memory: percentFrom(fieldValue(value, keys.memory)),
		storage: percentFrom(fieldValue(value, keys.storage)),
		startedAt: startTimeFrom(value, keys, now),
		createdAt: timeFrom(fieldValue(value, keys.createdAt)),
		updatedAt: timeFrom(fieldValue(value, keys.updatedAt)),
		ports: portsFrom(fieldValue(value, keys.ports), most),
	});
}

/** Reads the response of the status endpoint, which does not repeat the id of the computer. */
export function statusReadingFrom(body: unknown, id: string, now: number): Reading {
	const record = unwrapRecord(body);
	const fields = fieldsFrom(record.value, record.path);
	if (!textFrom(fields.get('status'))) {
		throw new PlatformError(createFailure('unreadable', 'the answer has no status'));
	}
	return readingFrom(record, now, { id });
}

export function detailReadingFrom(body: unknown, id: string, now: number): Reading {
	const record = unwrapRecord(body, 'sandbox', 'computer');
	const responseId = fieldsFrom(record.value, record.path).get(...names.id) ?? id;
	if (textFrom(responseId) !== id)
		throw unreadableError(record.path, `the computer ${id}, not another`);
	return readingFrom(record, now, { id });
}

/** Reads the response to a create. */
export function createdReadingFrom(body: unknown, now: number): Reading {
	return readingFrom(unwrapRecord(body, 'sandbox', 'computer'), now);
}

export function computersPageFrom(body: unknown): Page {
	return pageFrom(body, ['sandboxes', 'computers', 'items', 'results'], value =>
		isObject(value) ? fieldsFrom(value, '').get('sandboxid', 'status') !== undefined : false,
	);
}

export function portFrom(value: unknown): PublishedPort | undefined {
	const content = isObject(value) ? value : { port: value };
	const keys = keysInPort(content);
	const port = integerFrom(fieldValue(content, keys.port), 1, 65_535);
	if (!port) return undefined;
	return withoutUndefinedFields<Omit<PublishedPort, 'isOurs' | 'omittedAfter'>>({
		port,
		url: addressFrom(fieldValue(content, keys.url)),
		shareToken: textFrom(fieldValue(content, keys.shareToken)) ?? undefined,
	});
}

/**
 * The most ports that are read of one computer, which is more than any computer publishes. The limit bounds the
 * time, because reading the address of one port may take as long as reading a small record.
 */
export const maxPorts = 100;

const noPorts: readonly PublishedPort[] = [];

function portsFrom(value: unknown, most: number): Maybe<readonly PublishedPort[]> {
	if (value === null) return null;
	if (!Array.isArray(value)) return undefined;
	if (value.length === 0) return noPorts;
	// An array that grows has room for many more ports than a computer has, so it is copied.
	const ports = value
		.slice(0, most)
		.map(portFrom)
		.filter(port => port !== undefined)
		.slice();
	if (value.length <= most) return ports;
	const last = ports.at(-1);
	return last && [...ports.slice(0, -1), { ...last, omittedAfter: value.length - most }];
}

// Refuses an id that cleaning or redaction would change, because the result could be the id of another
// computer. Also refuses an id that would change the path of a request.
function idFrom(responseId: unknown, path: string): string {
	const id = textFrom(responseId);
	const isChanged =
		(typeof responseId === 'string' && responseId !== id) || id?.includes(redactionMark);
	if (!id || isChanged || !isPathSegment(id)) {
		throw unreadableError(pathTo(path, 'sandbox_id'), 'an id');
	}
	return id;
}

function errorIn(value: JsonObject, keys: Keys): Maybe<string> {
	if (keys === undefined) return undefined;
	const error = fieldValue(value, keys);
	return isObject(error) ? textFrom(fieldsFrom(error, '').get('message')) : textFrom(error);
}

/** Reads a percentage. A number over 100 is in an unknown unit, so it is ignored. */
function percentFrom(value: unknown): Maybe<number> {
	if (isObject(value)) {
		const fields = fieldsFrom(value, '');
		const percent = percentFrom(fields.get('percent', 'percentage', 'usage'));
		if (typeof percent === 'number') return percent;
		const used = numberFrom(fields.get('used'));
		const total = numberFrom(fields.get('total', 'limit', 'max'));
		if (typeof used !== 'number' || typeof total !== 'number' || total <= 0) return undefined;
		return percentFrom((used / total) * 100);
	}
	const number = numberFrom(value);
	if (typeof number !== 'number') return number;
	return number >= 0 && number <= 100 ? number : undefined;
}

function startTimeFrom(record: JsonObject, keys: RecordKeys, now: number): Maybe<number> {
	const uptime = numberFrom(fieldValue(record, keys.uptime));
	const uptimeMs = typeof uptime === 'number' ? uptime * 1000 : Number.NaN;
	if (uptimeMs >= 0 && uptimeMs <= now) return Math.round(now - uptimeMs);
	return timeFrom(fieldValue(record, keys.startedAt));
}

/** Returns the label in a field of the first object, or otherwise that in a field of the other. */
function labelIn(
	first: JsonObject,
	keys: Keys,
	other: JsonObject,
	otherKeys: Keys,
	read = labelFrom,
): Maybe<string> {
	// Most records lack most of these fields, and each call takes time in code that runs for the first time.
	const label = keys === undefined ? undefined : read(fieldValue(first, keys));
	if (typeof label === 'string' || otherKeys === undefined) return label;
	return firstOf(label, read(fieldValue(other, otherKeys)));
}

function firstOf<T>(one: Maybe<T>, other: Maybe<T>): Maybe<T> {
	return one ?? (other === undefined ? one : other);
}
