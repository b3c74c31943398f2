import type { PublishedPort, Reading } from '../fleet/computers/computer.ts';
import { createReadingReuse } from '../fleet/computers/unchanged-readings.ts';
import type { Clock } from '../foundation/clock.ts';
import { responseLimits } from './decoding/body.ts';
import { unwrapRecord } from './decoding/decode.ts';
import {
	createdReadingFrom,
	detailReadingFrom,
	portFrom,
	statusReadingFrom,
} from './decoding/decode-computer.ts';
import { type ComputerList, createListDecoder } from './decoding/decode-list.ts';
import { isObject } from './decoding/fields.ts';
import { pathSegment } from './decoding/path-segment.ts';
import { PlatformError } from './decoding/platform-error.ts';
import { type Acknowledgement, acknowledgementFrom, jsonBody, readAllPages } from './json-body.ts';
import type { ApiCall, RequestOptions, Transport } from './transport.ts';

export type ComputerEndpoints = {
	listComputers(options: RequestOptions): Promise<ComputerList & { requestCount: number }>;
	readComputer(id: string, options: RequestOptions): Promise<Reading>;
	readStatus(id: string, options: RequestOptions): Promise<Reading>;
	createComputer(
		request: { name?: string; provider?: string },
		options: RequestOptions,
	): Promise<Reading>;
	/** Sends an operation whose name is the end of the path, such as `stop`. */
	sendAction(
		id: string,
		action: string,
		options: RequestOptions,
		body?: object,
	): Promise<Acknowledgement>;
	deleteComputer(id: string, options: RequestOptions): Promise<Acknowledgement>;
};

const provider = 'opensandbox';

/** A list of fewer computers is handled in a few milliseconds. */
const longList = 2_000;

/** Returns the requests about computers. */
export function computerEndpoints(
	transport: Transport,
	clock: Clock,
	/** Resolves in the next turn of the event loop. */
	endTurn: () => Promise<void> = () => Promise.resolve(),
): ComputerEndpoints {
	const computersPath = '/platform/sandbox';
	const pathOfComputer = (id: string) => `${computersPath}/${pathSegment(id)}`;

	let before: readonly Reading[] = [];

	return {
		async listComputers(options) {
			const { fleet: maxBytes } = responseLimits;
			const decoder = createListDecoder(clock.now, createReadingReuse(before));
			const call = {
				...options,
				scope: 'other',
				method: 'GET',
				jsonIfNotFound: [],
				maxBytes,
				convertElement: decoder.decodeElement,
			} as const;
			const readPage = (query: string) =>
				transport.send({ ...call, path: `${computersPath}${query}` });
			const { items, requestCount } = await readAllPages(readPage, decoder.pageFrom);
			// Each step with a long list is in a turn of its own, so that no key waits for several of them.
			const isLong = items.length >= longList;
			if (isLong) await endTurn();
			const list = decoder.listFrom(items);
			before = list.computers;
			if (isLong) await endTurn();
			return { ...list, requestCount };
		},

		async readComputer(id, options) {
			const call = { ...options, scope: 'other', method: 'GET', path: pathOfComputer(id) } as const;
			return detailReadingFrom(jsonBody(await transport.send(call)), id, clock.now());
		},

		async readStatus(id, options) {
			const path = `${pathOfComputer(id)}/status`;
			const call = { ...options, scope: 'status', method: 'GET', path } as const;
			return statusReadingFrom(jsonBody(await transport.send(call)), id, clock.now());
		},

		async createComputer(request, options) {
			const body = { provider, ...request };
			const call = {
				...options,
				scope: 'create',
				method: 'POST',
				path: computersPath,
				body,
			} as const;
			const response = await transport.send(call);
			try {
				return createdReadingFrom(jsonBody(response), clock.now());
			} catch (error) {
				throw error instanceof PlatformError ? withUnknownOutcome(error) : error;
			}
		},

		async sendAction(id, action, options, body) {
			const path = `${pathOfComputer(id)}/${pathSegment(action)}`;
			const call: ApiCall = { ...options, scope: 'other', method: 'POST', path };
			return acknowledgementFrom(await transport.send(body ? { ...call, body } : call));
		},
		async deleteComputer(id, options) {
			const call = {
				...options,
				scope: 'other',
				method: 'DELETE',
				path: pathOfComputer(id),
			} as const;
			return acknowledgementFrom(await transport.send(call));
		},
	};
}

/**
 * Marks the outcome as unknown: the platform accepted the request, but its response does not identify the new
 * computer.
 */
function withUnknownOutcome(error: PlatformError): PlatformError {
	return new PlatformError({ ...error.failure, isOutcomeUnknown: true });
}

export type VisitResult = { status: number; hasAnswered: boolean };

export type PublicationEndpoints = {
	publishPort(id: string, port: number, options: RequestOptions): Promise<PublishedPort>;
	unpublishPort(id: string, port: number, options: RequestOptions): Promise<Acknowledgement>;
	/** Requests the public address itself, to find out whether an application answers there. */
	visitPort(id: string, port: number, options: RequestOptions): Promise<VisitResult>;
	publicAddress(id: string, port: number): string;
	shareAddress(token: string): string;
};

export function publicationEndpoints(transport: Transport, baseUrl: string): PublicationEndpoints {
	const previewPath = (id: string, action: 'start' | 'stop') =>
		`/platform/sandbox/${pathSegment(id)}/preview/${action}`;
	const publicPath = (id: string, port: number) => `/p/${pathSegment(id)}/${port}`;
	const addressOf = (path: string) => `${baseUrl.replace(/\/+$/, '')}${path}`;

	return {
		async publishPort(id, port, options) {
			const path = previewPath(id, 'start');
			const call = { ...options, scope: 'other', method: 'POST', path, body: { port } } as const;
			const response = await transport.send(call);
			acknowledgementFrom(response);
			const { value } = unwrapRecord(response.json, 'preview', 'publication');
			return portFrom(isObject(value) ? { ...value, port } : port) ?? { port };
		},
		async unpublishPort(id, port, options) {
			const path = previewPath(id, 'stop');
			const call = { ...options, scope: 'other', method: 'POST', path, body: { port } } as const;
			return acknowledgementFrom(await transport.send(call));
		},
		async visitPort(id, port, options) {
			const path = publicPath(id, port);
			const call = {
				...options,
				scope: 'other',
				method: 'GET',
				path,
				isApplicationVisit: true,
			} as const;
			const { status } = await transport.sendWithAnyStatus(call);
			return { status, hasAnswered: status < 500 && status !== 404 && status !== 401 };
		},
		publicAddress: (id, port) => addressOf(publicPath(id, port)),
		shareAddress: token => addressOf(`/p/share/${pathSegment(token)}`),
	};
}
