import type { Credits, Model, Release, Subscription } from '../fleet/computers/account.ts';
import type { PublishedPort, Reading } from '../fleet/computers/computer.ts';
import type { Clock } from '../foundation/clock.ts';
import { isObject } from '../foundation/validate.ts';
import type { Priority, Scope } from '../limits/limits.ts';
import { responseLimits, sizeText } from './decoding/answer.ts';
import {
	booleanFrom,
	fieldsFrom,
	isPathSegment,
	type Page,
	presentFields,
	textFrom,
	unwrapEnvelope,
	unwrapRecord,
	type WireValue,
} from './decoding/decode.ts';
import {
	creditsFrom,
	modelFrom,
	modelsPageFrom,
	type PaymentPage,
	paymentPageFrom,
	releaseFrom,
	subscriptionFrom,
} from './decoding/decode-account.ts';
import {
	type ComputerList,
	claimedIdOf,
	computersFrom,
	computersPageFrom,
	createdReadingFrom,
	detailReadingFrom,
	maxRecords,
	portFrom,
	statusReadingFrom,
} from './decoding/decode-computer.ts';
import { createFailure, PlatformError, unreadableError } from './decoding/platform-error.ts';
import type { HttpRequest, HttpResponse } from './http.ts';

const provider = 'opensandbox';

const computersPath = '/platform/sandbox';
const pathOf = (id: string) => `${computersPath}/${pathSegment(id)}`;
const publicPath = (id: string, port: number) => `/p/${pathSegment(id)}/${port}`;

export type RequestOptions = {
	signal: AbortSignal;
	priority: Priority;
	/** Called when the rate limiter lets a request be sent: for each page and each retry. */
	onSent?: () => void;
	onUnsent?: () => void;
};

export type ApiCall = RequestOptions &
	Omit<HttpRequest, 'headers' | 'onResponse'> & {
		scope: Scope;
		/** A customer's application must not receive the token, and its rate limit headers describe other limits. */
		isVisit?: boolean;
	};

export type Send = (call: ApiCall) => Promise<HttpResponse>;

export function createEndpoints(
	send: Send,
	baseUrl: string,
	clock: Clock,
	nextTurn: () => Promise<void>,
) {
	const call = (
		method: ApiCall['method'],
		path: string,
		options: RequestOptions,
		more: Partial<ApiCall> = {},
	) => send({ scope: 'other', method, path, ...options, ...more });
	const read = async (path: string, options: RequestOptions, more?: Partial<ApiCall>) =>
		jsonBody(await call('GET', path, options, more));
	/** Any body confirms success, except a web page, which did not come from the platform. */
	async function change(
		method: ApiCall['method'],
		path: string,
		options: RequestOptions,
		body?: object,
	): Promise<unknown> {
		const response = await call(method, path, options, { body });
		if (!isWebPage(response)) return response.json;
		throw withUnknownOutcome(unreadableError('', 'JSON, got a web page'));
	}
	const { catalog, fleet } = responseLimits;
	const addressOf = (path: string) => `${baseUrl.replace(/\/+$/, '')}${path}`;

	return {
		async listComputers(options: RequestOptions): Promise<ComputerList & { requestCount: number }> {
			const more = { jsonIfNotFound: [], maxBytes: fleet };
			const { pages, requestCount, isCut } = await readAllPages(
				query => call('GET', `${computersPath}${query}`, options, more),
				computersPageFrom,
			);
			return {
				...(await computersFrom(pages, clock, nextTurn)),
				...(isCut && { isCut }),
				requestCount,
			};
		},

		async readComputer(id: string, options: RequestOptions): Promise<Reading> {
			return detailReadingFrom(await read(pathOf(id), options), id, clock.now());
		},

		async readStatus(id: string, options: RequestOptions): Promise<Reading> {
			const json = await read(`${pathOf(id)}/status`, options, { scope: 'status' });
			return statusReadingFrom(json, id, clock.now());
		},

		async createComputer(
			request: { name?: string; provider?: string },
			options: RequestOptions,
		): Promise<Reading> {
			const more = { scope: 'create', body: { provider, ...request } } as const;
			const response = await call('POST', computersPath, options, more);
			try {
				return createdReadingFrom(jsonBody(response), clock.now());
			} catch (error) {
				// The platform accepted the request, but its response does not identify the new computer.
				throw error instanceof PlatformError ? withUnknownOutcome(error) : error;
			}
		},

		async sendAction(
			id: string,
			action: string,
			options: RequestOptions,
			body?: object,
		): Promise<Acknowledgement> {
			const path = `${pathOf(id)}/${pathSegment(action)}`;
			return acknowledgementFrom(await change('POST', path, options, body));
		},

		async deleteComputer(id: string, options: RequestOptions): Promise<void> {
			await change('DELETE', pathOf(id), options);
		},

		async publishPort(id: string, port: number, options: RequestOptions): Promise<PublishedPort> {
			const json = await change('POST', `${pathOf(id)}/preview/start`, options, { port });
			const { value } = unwrapRecord(json, 'preview', 'publication');
			return portFrom(isObject(value) ? { ...value, port } : port) ?? { port };
		},

		async unpublishPort(id: string, port: number, options: RequestOptions): Promise<void> {
			await change('POST', `${pathOf(id)}/preview/stop`, options, { port });
		},

		async visitPort(id: string, port: number, options: RequestOptions): Promise<VisitResult> {
			const { status } = await call('GET', publicPath(id, port), options, { isVisit: true });
			return { status, hasAnswered: status < 500 && status !== 404 && status !== 401 };
		},

		publicAddress: (id: string, port: number): string => addressOf(publicPath(id, port)),
		shareAddress: (token: string): string => addressOf(`/p/share/${pathSegment(token)}`),

		async models(options: RequestOptions): Promise<readonly Model[]> {
			const { pages, isCut } = await readAllPages(
				query => call('GET', `/models${query}`, options, { maxBytes: catalog }),
				modelsPageFrom,
			);
			if (isCut) throw unreadableError('next_cursor', 'a list that ends');
			return pages.flat().map(modelFrom);
		},

		async release(options: RequestOptions): Promise<Release> {
			const path = `${computersPath}/version/latest`;
			return releaseFrom(await read(path, options, { maxBytes: catalog }));
		},

		async initializeBilling(options: RequestOptions): Promise<Acknowledgement> {
			return acknowledgementFrom(await change('POST', '/billing/setup/initialize', options, {}));
		},

		async openPayment(request: { plan?: string }, options: RequestOptions): Promise<PaymentPage> {
			const response = await call('POST', '/billing/checkout', options, { body: request });
			return paymentPageFrom(jsonBody(response));
		},

		async subscription(options: RequestOptions): Promise<Subscription | null> {
			return subscriptionFrom(
				await read('/billing/subscription', options, { jsonIfNotFound: null }),
			);
		},

		async credits(options: RequestOptions): Promise<Credits> {
			return creditsFrom(await read('/billing/credits', options));
		},
	};
}

/** No encoding protects `.` and `..`: deleting the computer `..` would send DELETE to the address of all computers. */
function pathSegment(text: string): string {
	if (isPathSegment(text)) return encodeURIComponent(text);
	throw new PlatformError(createFailure('invalid', 'the id would change the path of the request'));
}

type VisitResult = { status: number; hasAnswered: boolean };

type Acknowledgement = { message?: string; hasStarted?: boolean };

function acknowledgementFrom(body: unknown): Acknowledgement {
	const { value } = unwrapEnvelope(body);
	const fields = fieldsFrom(isObject(value) ? value : {});
	return presentFields<Acknowledgement>({
		message: textFrom(fields.get('message')),
		hasStarted: booleanFrom(fields.get('started')),
	});
}

const withUnknownOutcome = ({ failure }: PlatformError) =>
	new PlatformError({ ...failure, isOutcomeUnknown: true });

function jsonBody(response: HttpResponse): unknown {
	if (response.json !== undefined) return response.json;
	const got = isWebPage(response)
		? 'a web page'
		: response.text.trim() === ''
			? 'nothing'
			: 'something else';
	throw unreadableError('', `JSON, got ${got}`);
}

/** Such as the error page of a proxy, which may arrive with any status. */
const isWebPage = ({ text }: HttpResponse) => /^\s*</.test(text);

// They keep an endless list from occupying the program forever or filling its memory.
const maxPages = 500;
const maxBytes = 2 * responseLimits.fleet;
/** So many pages with at most one record may come before the last page. */
const maxSmallPages = 2;

type Pages = {
	pages: readonly (readonly WireValue[])[];
	requestCount: number;
	/** The list goes on, but its pages repeat or never end, so the rest was not read. */
	isCut: boolean;
};

async function readAllPages(
	readPage: (query: string) => Promise<HttpResponse>,
	pageFrom: (body: unknown) => Page,
): Promise<Pages> {
	const pages: (readonly WireValue[])[] = [];
	const cursors = new Set<string>();
	const knownIds = new Set<string>();
	let query = '';
	let [bytes, records, smallPages, repetitivePages] = [0, 0, 0, 0];
	for (let requestCount = 1; ; requestCount += 1) {
		const response = await readPage(query);
		const { items, cursor } = pageFrom(jsonBody(response));
		bytes += response.byteCount;
		records += items.length;
		if (bytes > maxBytes) throw unreadableError('the list', `at most ${sizeText(maxBytes)}`);
		if (records > maxRecords) throw unreadableError('the list', `at most ${maxRecords} records`);
		const ids = items.map(claimedIdOf);
		const newCount = ids.filter(id => id === undefined || !knownIds.has(id)).length;
		for (const id of ids) if (id !== undefined) knownIds.add(id);
		const isRepetition = items.length > 0 && newCount === 0;
		if (!isRepetition || cursor === undefined) pages.push(items);
		if (cursor === undefined) return { pages, requestCount, isCut: false };
		if (items.length <= 1) smallPages += 1;
		repetitivePages = newCount * 10 < items.length ? repetitivePages + 1 : 0;
		const isRepeating = isRepetition || repetitivePages === 2 || cursors.has(cursor);
		const isEndless = smallPages > maxSmallPages || requestCount === maxPages;
		if (isRepeating || isEndless) return { pages, requestCount, isCut: true };
		cursors.add(cursor);
		query = `?cursor=${encodeURIComponent(cursor)}`;
	}
}
