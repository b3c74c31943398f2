import type { PublishedPort, Reading } from '../fleet/computer.ts';
import {
	addressFrom,
	innerFields,
	numberFrom,
	placeOf,
	type Told,
	textFrom,
	timeFrom,
	told,
	wholeFrom,
} from './decode.ts';
import { type Page, type Placed, pageFrom, recordIn } from './decode-envelope.ts';
import { type Fields, fieldsFrom, isObject } from './fields.ts';
import { isSegment } from './path-segment.ts';
import { unreadable } from './platform-error.ts';
import { redacted } from './redact-json.ts';

const idNames = ['sandboxid', 'id', 'computerid'];

/** A record of the list, of a detail or of a create. */
export function readingFrom({ value, place }: Placed, now: number, id?: string): Reading {
	const fields = fieldsFrom(value, place);
	const metadata = innerFields(fields, 'metadata');
	const machine = innerFields(fields, 'machineinfo');
	const status = textFrom(fields.get('status', 'state'));
	return told<Reading>({
		id: id ?? idFrom(fields),
		status: status ?? undefined,
		name: textFrom(fields.get('name', 'displayname')),
		provider: textFrom(fields.get('provider')),
		stage: firstTold(textFrom(fields.get('stage')), textFrom(metadata.get('provisioningstage'))),
		stageProgress: wholeFrom(fields.get('stageprogress', 'progress'), 0, 100),
		stageMessage: firstTold(
			textFrom(fields.get('stagemessage')),
			textFrom(metadata.get('provisioningmessage')),
		),
		version: firstTold(textFrom(fields.get('version')), textFrom(metadata.get('version'))),
		error: firstTold(errorTextFrom(fields), errorTextFrom(metadata)),
		address: firstTold(
			textFrom(fields.get('ip', 'internalip', 'ipaddress', 'address')),
			textFrom(machine.get('ip')),
			textFrom(metadata.get('publicip', 'ip')),
		),
		location: firstTold(textFrom(machine.get('location')), textFrom(metadata.get('location'))),
		serverType: firstTold(
			textFrom(machine.get('servertype')),
			textFrom(metadata.get('servertype')),
		),
		cpu: shareFrom(fields.get('cpu', 'cpupercent', 'cpuusage')),
		memory: shareFrom(fields.get('memory', 'memorypercent', 'memoryusage', 'ram', 'rampercent')),
		storage: shareFrom(fields.get('storage', 'storagepercent', 'disk', 'diskpercent')),
		startedAt: startFrom(fields, now),
		createdAt: timeFrom(fields.get('createdat')),
		updatedAt: timeFrom(fields.get('updatedat')),
		ports: portsFrom(fields.get('ports', 'publishedports', 'previews')),
	});
}

/** The body of the status endpoint, which tells about the computer that was asked for. */
export function statusReadingFrom(body: unknown, id: string, now: number): Reading {
	const record = recordIn(body);
	const fields = fieldsFrom(record.value, record.place);
	if (!textFrom(fields.get('status'))) {
		throw unreadable(placeOf(record.place, 'status'), 'a status');
	}
	return readingFrom(record, now, id);
}

export function detailReadingFrom(body: unknown, id: string, now: number): Reading {
	const record = recordIn(body, 'sandbox', 'computer');
	const written = fieldsFrom(record.value, record.place).get(...idNames) ?? id;
	if (textFrom(written) !== id) throw unreadable(record.place, `the computer ${id}, not another`);
	return readingFrom(record, now, id);
}

/** The record of a computer that was just created. */
export function createdReadingFrom(body: unknown, now: number): Reading {
	return readingFrom(recordIn(body, 'sandbox', 'computer'), now);
}

export function computersPageFrom(body: unknown): Page {
	return pageFrom(body, ['sandboxes', 'computers', 'items', 'results'], value =>
		isObject(value) ? fieldsFrom(value, '').get('sandboxid', 'status') !== undefined : false,
	);
}

export function portFrom(value: unknown): PublishedPort | undefined {
	const content = isObject(value) ? value : { port: value };
	const fields = fieldsFrom(content, '');
	const port = wholeFrom(fields.get('port', 'containerport'), 1, 65_535);
	if (!port) return undefined;
	return told<PublishedPort>({
		port,
		url: addressFrom(fields.get('url', 'publicurl', 'previewurl')),
		shareToken: textFrom(fields.get('sharetoken', 'token')) ?? undefined,
	});
}

function portsFrom(value: unknown): Told<readonly PublishedPort[]> {
	if (value === null) return null;
	if (!Array.isArray(value)) return undefined;
	return value.map(portFrom).filter(port => port !== undefined);
}

// An id that cleaning or redaction changes is refused: it could come to stand for another computer's.
// So is one that would lead a request to another path.
function idFrom(fields: Fields): string {
	const written = fields.get(...idNames);
	const id = textFrom(written);
	const isChanged = (typeof written === 'string' && written !== id) || id?.includes(redacted);
	if (!id || isChanged || !isSegment(id)) {
		throw unreadable(placeOf(fields.place, 'sandbox_id'), 'an id');
	}
	return id;
}

function errorTextFrom(fields: Fields): Told<string> {
	const error = fields.get('error', 'errormessage');
	return isObject(error) ? textFrom(fieldsFrom(error, '').get('message')) : textFrom(error);
}

/** Percent of what the plan gives. A bare number over 100 is in a unit that nobody told. */
function shareFrom(value: unknown): Told<number> {
	if (isObject(value)) {
		const fields = fieldsFrom(value, '');
		const percent = shareFrom(fields.get('percent', 'percentage', 'usage'));
		if (typeof percent === 'number') return percent;
		const used = numberFrom(fields.get('used'));
		const total = numberFrom(fields.get('total', 'limit', 'max'));
		if (typeof used !== 'number' || typeof total !== 'number' || total <= 0) return undefined;
		return shareFrom((used / total) * 100);
	}
	const number = numberFrom(value);
	if (typeof number !== 'number') return number;
	return number >= 0 && number <= 100 ? number : undefined;
}

function startFrom(fields: Fields, now: number): Told<number> {
	const uptime = numberFrom(fields.get('uptime', 'uptimeseconds'));
	if (typeof uptime === 'number' && uptime >= 0) return Math.round(now - uptime * 1000);
	return timeFrom(fields.get('startedat'));
}

function firstTold<T>(...values: readonly Told<T>[]): Told<T> {
	return (
		values.find(value => value !== undefined && value !== null) ??
		(values.includes(null) ? null : undefined)
	);
}
