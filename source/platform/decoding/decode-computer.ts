import type { PublishedPort, Reading } from '../../fleet/computers/computer.ts';
import {
	addressFrom,
	integerFrom,
	labelFrom,
	type Maybe,
	nestedFields,
	numberFrom,
	type Page,
	pageFrom,
	pathTo,
	textFrom,
	timeFrom,
	unwrapRecord,
	type WireValue,
	withoutUndefinedFields,
} from './decode.ts';
import { type Fields, fieldsFrom, isObject } from './fields.ts';
import { isPathSegment } from './path-segment.ts';
import { unreadableError } from './platform-error.ts';
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
	metadata: {
		itself: ['metadata'],
		stage: ['provisioningstage'],
		stageMessage: ['provisioningmessage'],
		address: ['publicip', 'ip'],
		location: ['location'],
		serverType: ['servertype'],
	},
	machineInfo: {
		itself: ['machineinfo'],
		address: ['ip'],
		location: ['location'],
		serverType: ['servertype'],
	},
	port: {
		port: ['port', 'containerport'],
		url: ['url', 'publicurl', 'previewurl'],
		shareToken: ['sharetoken', 'token'],
	},
} as const;

/** Whether a value has an id, which may be invalid. */
export const hasId = (value: unknown): boolean =>
	isObject(value) && fieldsFrom(value, '').getAny(names.id) !== undefined;

/** Reads one computer from a record of the list, from its details, or from the response to a create. */
export function readingFrom(
	{ value, path }: WireValue,
	now: number,
	{ id, most = maxPorts }: { id?: string; most?: number } = {},
): Reading {
	const fields = fieldsFrom(value, path);
	const metadata = nestedFields(fields, names.metadata.itself);
	const machineInfo = nestedFields(fields, names.machineInfo.itself);
	const { metadata: inMetadata, machineInfo: inMachineInfo } = names;
	return withoutUndefinedFields<Reading>({
		id: id ?? idFrom(fields),
		status: labelFrom(fields.getAny(names.status)) ?? undefined,
		name: labelFrom(fields.getAny(names.name)),
		provider: labelFrom(fields.getAny(names.provider)),
		stage: firstValueOrNull(
			labelFrom(fields.getAny(names.stage)),
			labelFrom(metadata.getAny(inMetadata.stage)),
		),
		stageProgress: integerFrom(fields.getAny(names.stageProgress), 0, 100),
		stageMessage: firstValueOrNull(
			labelFrom(fields.getAny(names.stageMessage)),
			labelFrom(metadata.getAny(inMetadata.stageMessage)),
		),
		version: firstValueOrNull(
			labelFrom(fields.getAny(names.version)),
			labelFrom(metadata.getAny(names.version)),
		),
		error: firstValueOrNull(errorTextFrom(fields), errorTextFrom(metadata)),
		address: firstValueOrNull(
			labelFrom(fields.getAny(names.address)),
			labelFrom(machineInfo.getAny(inMachineInfo.address)),
			labelFrom(metadata.getAny(inMetadata.address)),
		),
		location: firstValueOrNull(
			labelFrom(machineInfo.getAny(inMachineInfo.location)),
			labelFrom(metadata.getAny(inMetadata.location)),
		),
		serverType: firstValueOrNull(
			labelFrom(machineInfo.getAny(inMachineInfo.serverType)),
			labelFrom(metadata.getAny(inMetadata.serverType)),
		),
		cpu: percentFrom(fields.getAny(names.cpu)),
		memory: percentFrom(fields.getAny(names.memory)),
		storage: percentFrom(fields.getAny(names.storage)),
		startedAt: startTimeFrom(fields, now),
		createdAt: timeFrom(fields.getAny(names.createdAt)),
		updatedAt: timeFrom(fields.getAny(names.updatedAt)),
		ports: portsFrom(fields.getAny(names.ports), most),
	});
}

/** Reads the response of the status endpoint, which does not repeat the id of the computer. */
export function statusReadingFrom(body: unknown, id: string, now: number): Reading {
	const record = unwrapRecord(body);
	const fields = fieldsFrom(record.value, record.path);
	if (!textFrom(fields.get('status'))) {
		throw unreadableError(pathTo(record.path, 'status'), 'a status');
	}
	return readingFrom(record, now, { id });
}

export function detailReadingFrom(body: unknown, id: string, now: number): Reading {
	const record = unwrapRecord(body, 'sandbox', 'computer');
	const responseId = fieldsFrom(record.value, record.path).getAny(names.id) ?? id;
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
	const fields = fieldsFrom(content, '');
	const port = integerFrom(fields.getAny(names.port.port), 1, 65_535);
	if (!port) return undefined;
	return withoutUndefinedFields<Omit<PublishedPort, 'isOurs' | 'omittedAfter'>>({
		port,
		url: addressFrom(fields.getAny(names.port.url)),
		shareToken: textFrom(fields.getAny(names.port.shareToken)) ?? undefined,
	});
}

/**
 * The most ports that are read of one computer, which is more than any computer publishes. The limit bounds the
 * time, because reading the address of one port may take as long as reading a small record.
 */
export const maxPorts = 100;

function portsFrom(value: unknown, most: number): Maybe<readonly PublishedPort[]> {
	if (value === null) return null;
	if (!Array.isArray(value)) return undefined;
	const ports = value
		.slice(0, most)
		.map(portFrom)
		.filter(port => port !== undefined);
	if (value.length <= most) return ports;
	const last = ports.at(-1);
	return last && [...ports.slice(0, -1), { ...last, omittedAfter: value.length - most }];
}

// Refuses an id that cleaning or redaction would change, because the result could be the id of another
// computer. Also refuses an id that would change the path of a request.
function idFrom(fields: Fields): string {
	const responseId = fields.getAny(names.id);
	const id = textFrom(responseId);
	const isChanged =
		(typeof responseId === 'string' && responseId !== id) || id?.includes(redactionMark);
	if (!id || isChanged || !isPathSegment(id)) {
		throw unreadableError(pathTo(fields.path, 'sandbox_id'), 'an id');
	}
	return id;
}

function errorTextFrom(fields: Fields): Maybe<string> {
	const error = fields.getAny(names.error);
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

function startTimeFrom(fields: Fields, now: number): Maybe<number> {
	const uptime = numberFrom(fields.getAny(names.uptime));
	const uptimeMs = typeof uptime === 'number' ? uptime * 1000 : Number.NaN;
	if (uptimeMs >= 0 && uptimeMs <= now) return Math.round(now - uptimeMs);
	return timeFrom(fields.getAny(names.startedAt));
}

function firstValueOrNull<T>(one: Maybe<T>, two: Maybe<T>, three?: Maybe<T>): Maybe<T> {
	return one ?? two ?? three ?? (one === null || two === null || three === null ? null : undefined);
}
