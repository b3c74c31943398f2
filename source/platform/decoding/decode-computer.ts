import { setImmediate } from 'node:timers/promises';
import {
	type PublishedPort,
	type Reading,
	type ReadingField,
	type ReadingKind,
	readingFields,
	readingRows,
} from '../../fleet/computers/computer.ts';
import type { Clock } from '../../foundation/clock.ts';
import { isObject } from '../../foundation/validate.ts';
import { redactionMark } from './answer.ts';
import {
	addressFrom,
	type Fields,
	fieldsFrom,
	integerFrom,
	isPathSegment,
	labelFrom,
	type Maybe,
	numberFrom,
	optionalFieldsFrom,
	type Page,
	pageFrom,
	presentFields,
	textFrom,
	timeFrom,
	unwrapRecord,
} from './decode.ts';
import { PlatformError, unreadableError } from './platform-error.ts';

const idNames = ['sandboxid', 'id', 'computerid'];

const readers: Readonly<Record<ReadingKind, (value: unknown) => Reading[ReadingField]>> = {
	status: value => labelFrom(value) ?? undefined,
	name: labelFrom,
	label: labelFrom,
	version: labelFrom,
	sentence: labelFrom,
	error: value => textFrom(isObject(value) ? fieldsFrom(value)('message') : value),
	address: labelFrom,
	percent: percentFrom,
	progress: value => integerFrom(value, 0, 100),
	time: timeFrom,
	ports: portsFrom,
};

const wireRows = readingFields.map(field => {
	const { kind, names, isNullNothing } = readingRows[field];
	const sources = [names.record, names.machine, names.metadata].flatMap((known = [], place) =>
		known.map(name => [place, name] as const),
	);
	return { field, sources, read: readers[kind], isNullNothing };
});

export function readingFrom(value: unknown, now: number, knownId?: string): Reading {
	const record = fieldsFrom(value, 'a computer');
	const inner = [record('machineinfo'), record('metadata')].map(optionalFieldsFrom);
	const places = [record, ...inner];
	const reading: Record<string, unknown> = { id: knownId ?? idFrom(record) };
	for (const { field, sources, read, isNullNothing } of wireRows) {
		let content: unknown = field === 'startedAt' ? startFromUptime(record, now) : undefined;
		for (const [place, name] of sources) {
			if (content !== undefined && content !== null) break;
			const told = places[place]?.(name);
			const value = told === undefined || told === null ? told : read(told);
			if (value !== undefined) content = value;
		}
		if (content !== undefined && !(content === null && isNullNothing)) reading[field] = content;
	}
	return reading as Reading;
}

export function statusReadingFrom(body: unknown, id: string, now: number): Reading {
	const reading = readingFrom(unwrapRecord(body), now, id);
	if (reading.status === undefined) throw unreadableError('', 'a status');
	return reading;
}

export function detailReadingFrom(body: unknown, id: string, now: number): Reading {
	const record = unwrapRecord(body, 'sandbox', 'computer');
	const responseId = optionalFieldsFrom(record)(...idNames) ?? id;
	if (textFrom(responseId) !== id) throw unreadableError('', `the computer ${id}, not another`);
	return readingFrom(record, now, id);
}

export const createdReadingFrom = (body: unknown, now: number): Reading =>
	readingFrom(unwrapRecord(body, 'sandbox', 'computer'), now);

export const computersPageFrom = (body: unknown): Page =>
	pageFrom(
		body,
		['sandboxes', 'computers', 'items', 'results'],
		record => record('sandboxid', 'status') !== undefined,
	);

export type ComputerList = {
	computers: readonly Reading[];
	unreadable?: number;
	repeated?: number;
	isCut?: boolean;
};

export const maxRecords = 20_000;

/** A key waits for at most this long while a list is read. */
const maxTurnMs = 10;

/** An unreadable record, such as one without an id, does not hide the others. Throws if no record can be read. */
export async function computersFrom(
	pages: readonly (readonly unknown[])[],
	clock: Pick<Clock, 'now'>,
): Promise<ComputerList> {
	const computers = new Map<string, Reading>();
	const now = clock.now();
	let turnBeganAt = now;
	let unreadable = 0;
	let repeated = 0;
	let firstError: unknown;
	for (const page of pages) {
		const ids = new Set<string>();
		for (const record of page) {
			if (clock.now() - turnBeganAt > maxTurnMs) {
				await setImmediate();
				turnBeganAt = clock.now();
			}
			try {
				const reading = readingFrom(record, now);
				const earlier = computers.get(reading.id);
				// A computer appears on two pages if another one was created between the two requests.
				const isSameComputer = !ids.has(reading.id) && earlier?.name === reading.name;
				if (earlier && !isSameComputer) repeated += 1;
				ids.add(reading.id);
				computers.set(reading.id, reading);
			} catch (error) {
				if (!(error instanceof PlatformError)) throw error;
				firstError ??= error;
				unreadable += 1;
			}
		}
	}
	if (firstError !== undefined && computers.size === 0) throw firstError;
	return {
		computers: [...computers.values()],
		...(unreadable > 0 && { unreadable }),
		...(repeated > 0 && { repeated }),
	};
}

export const claimedIdOf = (record: unknown): string | undefined =>
	textFrom(optionalFieldsFrom(record)(...idNames)) ?? undefined;

// Cleaning or redaction could make it the id of another computer, and another id could change the path of a request.
function idFrom(record: Fields): string {
	const responseId = record(...idNames);
	const id = textFrom(responseId);
	const isChanged =
		(typeof responseId === 'string' && responseId !== id) || id?.includes(redactionMark);
	if (!id || isChanged || !isPathSegment(id)) throw unreadableError('sandbox_id', 'an id');
	return id;
}

/** A number over 100 is in an unknown unit, so it is ignored. */
function percentFrom(value: unknown): Maybe<number> {
	if (isObject(value)) {
		const field = fieldsFrom(value);
		const percent = percentFrom(field('percent', 'percentage', 'usage'));
		if (typeof percent === 'number') return percent;
		const used = numberFrom(field('used'));
		const total = numberFrom(field('total', 'limit', 'max'));
		if (typeof used !== 'number' || typeof total !== 'number' || total <= 0) return undefined;
		return percentFrom((used / total) * 100);
	}
	const number = numberFrom(value);
	if (typeof number !== 'number') return number;
	return number >= 0 && number <= 100 ? number : undefined;
}

function startFromUptime(record: Fields, now: number): number | undefined {
	const uptime = numberFrom(record('uptime', 'uptimeseconds'));
	const uptimeMs = typeof uptime === 'number' ? uptime * 1000 : Number.NaN;
	return uptimeMs >= 0 && uptimeMs <= now ? Math.round(now - uptimeMs) : undefined;
}

const maxPorts = 100;

function portsFrom(value: unknown): Maybe<readonly PublishedPort[]> {
	if (!Array.isArray(value)) return undefined;
	const ports = value.slice(0, maxPorts).flatMap(port => portFrom(port) ?? []);
	const last = ports.pop();
	if (!last) return value.length > maxPorts ? undefined : [];
	const omitted = value.length - maxPorts;
	return [...ports, omitted > 0 ? { ...last, omittedAfter: omitted } : last];
}

export function portFrom(value: unknown): PublishedPort | undefined {
	const field = fieldsFrom(isObject(value) ? value : { port: value });
	const port = integerFrom(field('port', 'containerport'), 1, 65_535);
	if (!port) return undefined;
	return presentFields<Omit<PublishedPort, 'isOurs' | 'omittedAfter'>>({
		port,
		url: addressFrom(field('url', 'publicurl', 'previewurl')),
		shareToken: textFrom(field('sharetoken', 'token')),
	});
}
