import { setImmediate } from 'node:timers/promises';
import type { Credits, Model, Release, Subscription } from '../../fleet/computers/account.ts';
import {
	type PublishedPort,
	type Reading,
	type ReadingField,
	type ReadingKind,
	readingFields,
	readingRows,
} from '../../fleet/computers/computer.ts';
import type { ListNotes } from '../../fleet/fact.ts';
import type { AccountReadName, Answers } from '../../fleet/reads.ts';
import type { Clock } from '../../foundation/clock.ts';
import { capitalized } from '../../foundation/letter-case.ts';
import { isSafeForSecrets } from '../../foundation/network.ts';
import { isObject, largestNumber } from '../../foundation/schema.ts';
import { redactionMark, responseLimits } from './answer.ts';
import { cleanText, maxLabelLength, maxTextLength } from './clean.ts';
import { PlatformError, unreadableError } from './platform-error.ts';

/**
 * Null if no field has a value, and one is null. `stageProgress`, `stage_progress` and `StageProgress` are one field.
 */
export type Fields = (...names: readonly string[]) => unknown;

export function fieldsFrom(value: unknown, what = ''): Fields {
	if (!isObject(value)) throw unreadableError(what, 'an object');
	const values: Record<string, unknown> = {};
	for (const key in value) {
		const name = key.replace(/[_-]/g, '').toLowerCase();
		values[name] = values[name] ?? value[key];
	}
	return (...names) => {
		let found: unknown;
		for (const name of names) {
			const value = values[name];
			if (value !== undefined && value !== null) return value;
			if (value === null) found = null;
		}
		return found;
	};
}

export const optionalFieldsFrom = (value: unknown): Fields =>
	fieldsFrom(isObject(value) ? value : {});

/** Null if the response reports no value, undefined if it lacks the field. */
type Maybe<T> = T | null | undefined;

/** Undefined for a whole number beyond 2^53: a rounded id could be that of another computer. */
export const textFrom = (value: unknown) => cleanedFrom(value, maxTextLength);

const labelFrom = (value: unknown) => cleanedFrom(value, maxLabelLength);

function cleanedFrom(value: unknown, maxLength: number): Maybe<string> {
	if (typeof value === 'string') return cleanText(value, maxLength) || null;
	if (value === null || value === undefined) return value;
	if (typeof value === 'boolean') return String(value);
	if (typeof value !== 'number') return undefined;
	return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

export function numberFrom(value: unknown): Maybe<number> {
	if (value === null || value === undefined) return value;
	if (typeof value === 'number') return Math.abs(value) <= largestNumber ? value : undefined;
	if (typeof value !== 'string' || value.length > 40) return undefined;
	const digits = value.trim().replace(/\s*%$/, '');
	const isNumber = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,2})?$/i.test(digits);
	return isNumber ? numberFrom(Number(digits)) : undefined;
}

function integerFrom(value: unknown, min: number, max: number): Maybe<number> {
	const number = numberFrom(value);
	if (number === null || number === undefined) return number;
	const rounded = Math.round(number);
	return rounded >= min && rounded <= max ? rounded : undefined;
}

export function booleanFrom(value: unknown): boolean | undefined {
	if (typeof value === 'boolean') return value;
	if (value === 1 || value === 'true') return true;
	return value === 0 || value === 'false' ? false : undefined;
}

const minTimeMs = Date.UTC(2000, 0);
const maxTimeMs = Date.UTC(2200, 0);

export function timeFrom(value: unknown): Maybe<number> {
	if (value === null) return null;
	const isDate = typeof value === 'string' && /^\d{4}-\d/.test(value);
	const number = isDate ? undefined : numberFrom(value);
	const time =
		typeof number === 'number'
			? number * (number < minTimeMs ? 1000 : 1)
			: timeFromDateText(typeof value === 'string' && value.length <= 40 ? value.trim() : '');
	return time >= minTimeMs && time <= maxTimeMs ? time : undefined;
}

// Of a date without a zone, Date.parse would assume the local one.
const timeFromDateText = (text: string) =>
	Date.parse(/[T ]\d\d?(:\d\d)+(\.\d+)?$/.test(text) ? `${text}Z` : text);

export function addressFrom(value: unknown): string | undefined {
	if (typeof value !== 'string' || value.length > 2000 || !URL.canParse(value)) return undefined;
	const url = new URL(value);
	return isSafeForSecrets(url) ? cleanText(url.href) : undefined;
}

export function presentFields<T extends object>(
	values: { [K in keyof Required<T>]: T[K] | null | undefined },
): T {
	const present = Object.entries(values).filter(
		([, value]) => value !== undefined && value !== null,
	);
	return Object.fromEntries(present) as T;
}

export const unwrapEnvelope = (body: unknown): unknown =>
	isObject(body) && 'data' in body ? body['data'] : body;

export function unwrapRecord(body: unknown, ...recordNames: readonly string[]): unknown {
	const content = unwrapEnvelope(body);
	const record = optionalFieldsFrom(content)(...recordNames);
	return isObject(record) ? record : content;
}

export type Page = {
	items: readonly unknown[];
	cursor?: string;
};

/** A platform with one computer per account may send one object. Anything else throws; it is never an empty list. */
export function pageFrom(
	body: unknown,
	listNames: readonly string[],
	isItem: (fields: Fields) => boolean = () => false,
): Page {
	const contents = [body, unwrapEnvelope(body)];
	const cursors = contents.map(content =>
		textFrom(optionalFieldsFrom(content)('nextcursor', 'nextpagetoken')),
	);
	const cursor = cursors.find(each => typeof each === 'string');
	for (const content of contents) {
		if (Array.isArray(content)) return { items: content, cursor };
		const fields = optionalFieldsFrom(content);
		if (isItem(fields)) return { items: [content] };
		const list = listNames.map(name => fields(name)).find(Array.isArray);
		if (list) return { items: list, cursor };
	}
	throw unreadableError('', 'a list');
}

export function isPathSegment(text: string): boolean {
	// A lone surrogate cannot be encoded.
	if (/^[\w-]+$/.test(text)) return true;
	if (text === '' || /\p{Cs}/u.test(text)) return false;
	const path = `/one/${encodeURIComponent(text)}/two`;
	return new URL(path, 'https://platform.invalid').pathname === path;
}

// Computers

const idNames = ['sandboxid', 'id', 'computerid'];

const readers: Readonly<Record<ReadingKind, (value: unknown) => Reading[ReadingField]>> = {
	status: value => labelFrom(value) ?? undefined,
	label: labelFrom,
	sentence: labelFrom,
	error: value => textFrom(isObject(value) ? fieldsFrom(value)('message') : value),
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

export type ComputerList = ListNotes & { computers: readonly Reading[] };

export const maxRecords = 20_000;

const maxTurnMs = 10;

/** An unreadable record does not hide the others. */
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

// The account

type AccountRequest<Answer> = {
	path: string;
	answerFrom: (body: unknown) => Answer;
	/** Where the answer may have several pages, whose records together are one body. */
	pageFrom?: (body: unknown) => Page;
	jsonIfNotFound?: unknown;
	maxBytes?: number;
};

export const accountRequests: {
	readonly [Name in AccountReadName]: AccountRequest<Answers[Name]>;
} = {
	credits: { path: '/billing/credits', answerFrom: creditsFrom },
	subscription: {
		path: '/billing/subscription',
		answerFrom: subscriptionFrom,
		jsonIfNotFound: null,
	},
	release: {
		path: '/platform/sandbox/version/latest',
		answerFrom: releaseFrom,
		maxBytes: responseLimits.catalog,
	},
	models: {
		path: '/models',
		answerFrom: body => modelsPageFrom(body).items.map(modelFrom),
		pageFrom: body => modelsPageFrom(body),
		maxBytes: responseLimits.catalog,
	},
};

function creditsFrom(body: unknown): Credits {
	const record = unwrapRecord(body, 'credits');
	const field = fieldsFrom(isObject(record) ? record : { balance: record });
	const amounts = presentFields<Omit<Credits, 'balance'>>({
		daily: numberFrom(field('daily')),
		monthly: numberFrom(field('monthly')),
		extra: numberFrom(field('extra')),
		expiring: numberFrom(field('expiring')),
		nonExpiring: numberFrom(field('nonexpiring')),
		canRun: booleanFrom(field('canrun')),
	});
	const balance = numberFrom(field('balance', 'total', 'credits', 'remaining')) ?? null;
	if (balance === null && Object.keys(amounts).length === 0) throw unreadableError('', 'a balance');
	return { balance, ...amounts };
}

function subscriptionFrom(body: unknown): Subscription | null {
	const content = unwrapEnvelope(body);
	if (content === null || fieldsFrom(content)('subscription') === null) return null;
	const field = fieldsFrom(unwrapRecord(body, 'subscription'));
	const key = textFrom(field('tierkey', 'plan', 'tier', 'plankey'));
	const name = textFrom(field('tierdisplayname', 'planname', 'displayname')) ?? key;
	if (!name) throw unreadableError('', 'a plan');
	return presentFields<Subscription>({
		plan: (key ?? name).toLowerCase(),
		planName: name === key ? capitalized(name) : name,
		status: textFrom(field('status')),
		periodEndsAt: timeFrom(field('currentperiodend')),
		endsWithPeriod: booleanFrom(field('cancelatperiodend')),
	});
}

export type PaymentPage = { url: string; session?: string };

export function paymentPageFrom(body: unknown): PaymentPage {
	const field = fieldsFrom(unwrapRecord(body, 'session', 'checkout'));
	const url = addressFrom(field('url', 'checkouturl'));
	if (!url) throw unreadableError('', 'the https address of a payment page');
	return presentFields<PaymentPage>({ url, session: textFrom(field('sessionid', 'id')) });
}

function releaseFrom(body: unknown): Release {
	const field = fieldsFrom(unwrapRecord(body, 'latest', 'release'));
	const changelog = optionalFieldsFrom(field('changelog'));
	const version = textFrom(field('version'));
	if (!version) throw unreadableError('version', 'a version');
	const changes = changelog('changes') ?? field('changes');
	return presentFields<Release>({
		version,
		channel: textFrom(field('channel')),
		releasedAt: timeFrom(field('date', 'releasedat', 'createdat')),
		title: textFrom(field('title')) ?? textFrom(changelog('title')),
		description: textFrom(field('description')) ?? textFrom(changelog('description')),
		changes: Array.isArray(changes) ? changes.flatMap(releaseChangeFrom) : [],
	});
}

function releaseChangeFrom(value: unknown): { type: string; text: string }[] {
	const field = fieldsFrom(isObject(value) ? value : { text: value });
	const text = textFrom(field('text', 'description', 'title'));
	return text ? [{ type: textFrom(field('type')) ?? 'change', text }] : [];
}

const modelsPageFrom = (body: unknown): Page => pageFrom(body, ['models', 'items', 'results']);

function modelFrom(value: unknown): Model {
	const field = fieldsFrom(typeof value === 'string' ? { id: value } : value, 'a model');
	const prices = optionalFieldsFrom(field('pricing', 'prices', 'price'));
	const id = textFrom(field('id', 'name', 'model'));
	if (!id) throw unreadableError('id', 'the name of a model');
	return presentFields<Model>({
		id,
		owner: textFrom(field('ownedby', 'owner', 'provider')),
		contextWindow: numberFrom(field('contextwindow', 'contextlength')),
		inputPrice: numberFrom(prices('input', 'prompt') ?? field('inputprice')),
		outputPrice: numberFrom(prices('output', 'completion') ?? field('outputprice')),
	});
}
