import type { PublishedPort, Reading } from '../fleet/computers/computer.ts';
import type { FactBody } from '../fleet/fact.ts';
import type { OperationSpec } from '../fleet/operations/operation.ts';
import type { OperationDetails } from '../fleet/operations/operation-row.ts';
import { operationIds } from '../fleet/operations/operation-table.ts';
import {
	type AccountReadName,
	type Answered,
	type Answers,
	isAccountRead,
	type ReadName,
} from '../fleet/reads.ts';
import { isSafeAddress } from '../foundation/network.ts';
import { isObject } from '../foundation/schema.ts';
import type { Priority, RateLimiter, Scope } from '../limits/limits.ts';
import { responseLimits, sizeText } from './decoding/answer.ts';
import {
	accountRequests,
	booleanFrom,
	type ComputerList,
	claimedIdOf,
	computersFrom,
	computersPageFrom,
	createdReadingFrom,
	detailReadingFrom,
	isPathSegment,
	maxRecords,
	optionalFieldsFrom,
	type Page,
	type PaymentPage,
	paymentPageFrom,
	portFrom,
	presentFields,
	statusReadingFrom,
	textFrom,
	unwrapEnvelope,
	unwrapRecord,
} from './decoding/decode.ts';
import { createFailure, PlatformError, unreadableError } from './decoding/platform-error.ts';
import { createHttp, type HttpRequest, type HttpResponse } from './http.ts';
import { createSignIn, type SignInOptions } from './sign-in.ts';

export type RequestOptions = {
	signal: AbortSignal;
	priority: Priority;
	/** For each page and each retry. */
	onSent?: () => void;
	onUnsent?: () => void;
};

type ApiRequest = RequestOptions & Omit<HttpRequest, 'headers' | 'onResponse'> & { scope: Scope };

type Wish = Pick<OperationSpec, 'operation' | 'computer' | 'version'> & OperationDetails;

export type Acceptance = { reading?: Reading; published?: PublishedPort };

type Acknowledgement = { message?: string; hasStarted?: boolean };

export type Platform = ReturnType<typeof createPlatform>;

export type PlatformOptions = SignInOptions & {
	baseUrl: string;
	rateLimiter: RateLimiter;
};

const defaultProvider = 'opensandbox';
const computersPath = '/platform/sandbox';
const pathOf = (id: string) => `${computersPath}/${pathSegment(id)}`;
const publicPath = (id: string, port: number) => `/p/${pathSegment(id)}/${port}`;

export function createPlatform(settings: PlatformOptions) {
	const { baseUrl, credentials, clock } = settings;
	refuseUnsafeAddress(baseUrl);
	if (credentials.kind === 'password') refuseUnsafeAddress(credentials.authUrl);
	const signIn = createSignIn(settings);
	const send = createSend(settings, signIn);

	const call = (
		method: HttpRequest['method'],
		path: string,
		options: RequestOptions,
		more: Partial<ApiRequest> = {},
	) => send({ scope: 'other', method, path, ...options, ...more });

	const read = async (path: string, options: RequestOptions, more?: Partial<ApiRequest>) =>
		jsonBody(await call('GET', path, options, more));

	/** Any body confirms success, except a web page, which did not come from the platform. */
	async function change(
		method: HttpRequest['method'],
		path: string,
		options: RequestOptions,
		body?: object,
	): Promise<unknown> {
		const response = await call(method, path, options, { body });
		if (!isWebPage(response)) return response.json;
		throw withUnknownOutcome(unreadableError('', 'JSON, got a web page'));
	}

	const addressOf = (path: string) => `${baseUrl.replace(/\/+$/, '')}${path}`;
	return {
		async listComputers(options: RequestOptions): Promise<ComputerList & { requestCount: number }> {
			const more = { jsonIfNotFound: [], maxBytes: responseLimits.fleet };
			const { pages, requestCount, isCut } = await readAllPages(
				query => call('GET', `${computersPath}${query}`, options, more),
				computersPageFrom,
			);
			const list = await computersFrom(pages, clock);
			return { ...list, ...(isCut && { isCut }), requestCount };
		},

		async readComputer(id: string, options: RequestOptions): Promise<Reading> {
			return detailReadingFrom(await read(pathOf(id), options), id, clock.now());
		},

		async readStatus(id: string, options: RequestOptions): Promise<Reading> {
			const json = await read(`${pathOf(id)}/status`, options, { scope: 'status' });
			return statusReadingFrom(json, id, clock.now());
		},

		/** An operation without a case of its own is a POST to its name, below the computer. */
		async operate(
			{ operation, computer = '', name, provider, port = 0, version }: Wish,
			options: RequestOptions,
		): Promise<Acceptance> {
			switch (operation) {
				case 'create': {
					const body = { provider: provider || defaultProvider, ...(name && { name }) };
					const more = { scope: 'create', body } as const;
					const response = await call('POST', computersPath, options, more);
					try {
						return { reading: createdReadingFrom(jsonBody(response), clock.now()) };
					} catch (error) {
						// The platform accepted the request, and does not say which computer is new.
						throw error instanceof PlatformError ? withUnknownOutcome(error) : error;
					}
				}
				case 'update': {
					// Only some platforms require it.
					const body = version === undefined ? {} : { version };
					const json = await change('POST', `${pathOf(computer)}/update`, options, body);
					const { hasStarted, message } = acknowledgementFrom(json);
					if (hasStarted !== false) return {};
					const why = message ?? 'the platform did not start the update';
					throw new PlatformError(createFailure('conflict', why));
				}
				case 'delete':
					await change('DELETE', pathOf(computer), options);
					return {};
				case 'publish': {
					const path = `${pathOf(computer)}/preview/start`;
					const json = await change('POST', path, options, { port });
					const record = unwrapRecord(json, 'preview', 'publication');
					return { published: portFrom(isObject(record) ? { ...record, port } : port) ?? { port } };
				}
				case 'unpublish':
					await change('POST', `${pathOf(computer)}/preview/stop`, options, { port });
					return {};
				default:
					// Such as an own command that was removed.
					if (!operationIds().includes(operation))
						throw new PlatformError(createFailure('invalid', `no request for ${operation}`));
					await change('POST', `${pathOf(computer)}/${pathSegment(operation)}`, options);
					return {};
			}
		},

		/** Whether an application answers there. */
		async visitPort(id: string, port: number, options: RequestOptions): Promise<boolean> {
			const { status } = await call('GET', publicPath(id, port), options, { isVisit: true });
			return status < 500 && status !== 404 && status !== 401;
		},

		publicAddress: (id: string, port: number): string => addressOf(publicPath(id, port)),
		shareAddress: (token: string): string => addressOf(`/p/share/${pathSegment(token)}`),

		async readAccount<Name extends AccountReadName>(
			name: Name,
			options: RequestOptions,
		): Promise<Answers[Name]> {
			const { path, answerFrom, pageFrom, ...more } = accountRequests[name];
			if (!pageFrom) return answerFrom(await read(path, options, more));
			const readPage = (query: string) => call('GET', `${path}${query}`, options, more);
			const { pages, isCut } = await readAllPages(readPage, pageFrom);
			if (isCut) throw unreadableError('next_cursor', 'a list that ends');
			return answerFrom(pages.flat());
		},

		async initializeBilling(options: RequestOptions): Promise<Acknowledgement> {
			return acknowledgementFrom(await change('POST', '/billing/setup/initialize', options, {}));
		},

		async openPayment(options: RequestOptions): Promise<PaymentPage> {
			return paymentPageFrom(
				jsonBody(await call('POST', '/billing/checkout', options, { body: {} })),
			);
		},

		endSignInWait: signIn.endWait,
		signOut: signIn.signOut,
		close: signIn.close,
	};
}

export type ReadFact = Extract<FactBody, { type: 'listRead' | 'computerRead' | 'answered' }>;

export type ReadResult = { fact: ReadFact; requestCount: number };

export type ReadApi = Pick<
	Platform,
	'listComputers' | 'readStatus' | 'readComputer' | 'readAccount' | 'endSignInWait'
>;

export async function sendRead(
	platform: ReadApi,
	name: ReadName,
	options: RequestOptions,
	id = '',
): Promise<ReadResult> {
	if (isAccountRead(name)) {
		const answered = { read: name, answer: await platform.readAccount(name, options) } as Answered;
		return { fact: { type: 'answered', ...answered }, requestCount: 1 };
	}
	switch (name) {
		case 'list': {
			const { requestCount, ...list } = await platform.listComputers(options);
			return { fact: { type: 'listRead', ...list }, requestCount };
		}
		case 'status':
		case 'detail': {
			const send = name === 'status' ? platform.readStatus : platform.readComputer;
			const computer = await send(id, options);
			return { fact: { type: 'computerRead', read: name, computer }, requestCount: 1 };
		}
	}
}

function refuseUnsafeAddress(address: string): void {
	if (isSafeAddress(address)) return;
	const message = `${URL.canParse(address) ? new URL(address).origin : 'the address'} is not https`;
	const advice = 'Use https. Credentials are sent over http only to this machine.';
	throw new PlatformError(createFailure('invalid', message, { advice }));
}

/** No encoding protects `.` and `..`: deleting the computer `..` would send DELETE to the address of all computers. */
function pathSegment(text: string): string {
	if (isPathSegment(text)) return encodeURIComponent(text);
	throw new PlatformError(createFailure('invalid', 'the id would change the path of the request'));
}

function createSend(options: PlatformOptions, signIn: ReturnType<typeof createSignIn>) {
	const { baseUrl, rateLimiter } = options;
	const http = createHttp(baseUrl, options);

	async function sendOnce(
		{ scope, priority, onSent, onUnsent: _, ...request }: ApiRequest,
		headers: HttpRequest['headers'] = {},
	): Promise<HttpResponse> {
		const { signal, isVisit } = request;
		const slot = await rateLimiter.acquire(scope, { priority, signal }).catch(error => {
			throw signal.aborted ? cancelledError() : error;
		});
		// `onSent` may hold the request back.
		if (!signal.aborted) onSent?.();
		if (signal.aborted) {
			slot.end('notSent');
			throw cancelledError();
		}
		try {
			return await http({
				...request,
				headers,
				onResponse(response) {
					if (!isVisit) slot.end(response);
				},
			});
		} finally {
			slot.end('noResponse');
		}
	}

	const authorized = (token: string) => ({ authorization: `Bearer ${token}` });

	return async (request: ApiRequest): Promise<HttpResponse> => {
		// A customer's application must not receive the token, and its headers describe other limits.
		if (request.isVisit) return sendOnce(request);
		const { signal, priority } = request;
		const token = await signIn.getToken(signal, priority);
		try {
			return await sendOnce(request, authorized(token));
		} catch (error) {
			if (!(error instanceof PlatformError) || error.failure.status !== 401) throw error;
			request.onUnsent?.();
			return sendOnce(request, authorized(await signIn.renewToken(token, signal, priority)));
		}
	};
}

const cancelledError = () => new PlatformError(createFailure('cancelled', 'cancelled'));

const withUnknownOutcome = ({ failure }: PlatformError) =>
	new PlatformError({ ...failure, isOutcomeUnknown: true });

function acknowledgementFrom(body: unknown): Acknowledgement {
	const field = optionalFieldsFrom(unwrapEnvelope(body));
	return presentFields<Acknowledgement>({
		message: textFrom(field('message')),
		hasStarted: booleanFrom(field('started')),
	});
}

function jsonBody(response: HttpResponse): unknown {
	if (response.json !== undefined) return response.json;
	const other = response.text.trim() === '' ? 'nothing' : 'something else';
	throw unreadableError('', `JSON, got ${isWebPage(response) ? 'a web page' : other}`);
}

/** Such as the error page of a proxy, with any status. */
const isWebPage = ({ text }: HttpResponse) => /^\s*</.test(text);

const maxPages = 500;
const maxBytes = 2 * responseLimits.fleet;
/** Pages with hardly a new record. */
const maxPoorPages = 2;

async function readAllPages(
	readPage: (query: string) => Promise<HttpResponse>,
	pageFrom: (body: unknown) => Page,
) {
	const pages: (readonly unknown[])[] = [];
	const cursors = new Set<string>();
	const knownIds = new Set<string>();
	let query = '';
	let [bytes, records, poorPages] = [0, 0, 0];
	for (let requestCount = 1; ; requestCount += 1) {
		const response = await readPage(query);
		const { items, cursor } = pageFrom(jsonBody(response));
		bytes += response.byteCount;
		records += items.length;
		if (bytes > maxBytes) throw unreadableError('the list', `at most ${sizeText(maxBytes)}`);
		if (records > maxRecords) throw unreadableError('the list', `at most ${maxRecords} records`);
		pages.push(items);
		if (cursor === undefined) return { pages, requestCount, isCut: false };
		const ids = items.map(claimedIdOf);
		const newCount = ids.filter(id => id === undefined || !knownIds.has(id)).length;
		for (const id of ids) if (id !== undefined) knownIds.add(id);
		if (newCount <= Math.max(1, items.length / 10)) poorPages += 1;
		// Its pages repeat or never end.
		const isCut = poorPages > maxPoorPages || cursors.has(cursor) || requestCount === maxPages;
		if (isCut) return { pages, requestCount, isCut };
		cursors.add(cursor);
		query = `?cursor=${encodeURIComponent(cursor)}`;
	}
}
