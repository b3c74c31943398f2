import type { Reading } from '../fleet/computers/computer.ts';
import type { Activity } from '../foundation/activity.ts';
import type { Clock } from '../foundation/clock.ts';
import { responseLimits } from './decoding/body.ts';
import {
	computersPageFrom,
	createdReadingFrom,
	detailReadingFrom,
	maxPorts,
	readingFrom,
	statusReadingFrom,
} from './decoding/decode-computer.ts';
import type { WireValue } from './decoding/decode-envelope.ts';
import { pathSegment } from './decoding/path-segment.ts';
import { failureOf, PlatformError } from './decoding/platform-error.ts';
import { type Acknowledgement, acknowledgementFrom, jsonBody } from './json-body.ts';
import { readAllPages } from './paging.ts';
import type { ApiCall, RequestOptions, Transport } from './transport.ts';

export type ComputerEndpoints = {
	listComputers(options: RequestOptions): Promise<ComputerList & { requestCount: number }>;
	readComputer(id: string, options: RequestOptions): Promise<Reading>;
	readStatus(id: string, options: RequestOptions): Promise<Reading>;
	createComputer(
		request: { name?: string; provider?: string },
		options: RequestOptions,
	): Promise<Reading>;
	/** Sends an operation whose path ends with its name, such as `stop`. */
	sendAction(
		id: string,
		action: string,
		options: RequestOptions,
		body?: object,
	): Promise<Acknowledgement>;
	deleteComputer(id: string, options: RequestOptions): Promise<Acknowledgement>;
};

const provider = 'opensandbox';

type ComputerEndpointsOptions = {
	transport: Transport;
	clock: Clock;
	activity?: Activity | undefined;
	/** Resolves in the next turn of the event loop. If absent, a long list is decoded in one turn. */
	nextTurn?: (() => Promise<void>) | undefined;
};

export function computerEndpoints(options: ComputerEndpointsOptions): ComputerEndpoints {
	const { transport, clock, activity, nextTurn } = options;
	const computersPath = '/platform/sandbox';
	const pathOfComputer = (id: string) => `${computersPath}/${pathSegment(id)}`;

	return {
		async listComputers(options) {
			const { fleet: maxBytes } = responseLimits;
			const call = {
				...options,
				scope: 'other',
				method: 'GET',
				jsonIfNotFound: [],
				maxBytes,
			} as const;
			const readPage = (query: string) =>
				transport.send({ ...call, path: `${computersPath}${query}` });
			const { items, requestCount } = await readAllPages(readPage, computersPageFrom);
			const end = activity?.begin();
			try {
				const list = await computerListInSlices(items, clock.now(), async () => {
					await nextTurn?.();
					if (options.signal.aborted) throw new PlatformError(failureOf('cancelled', 'cancelled'));
				});
				return { ...list, requestCount };
			} finally {
				end?.();
			}
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

type ComputerList = {
	computers: readonly Reading[];
	/** The number of unreadable records. A computer that is missing from the list may be one of these. */
	unreadable?: number;
};

/**
 * Reads the records of all pages. An unreadable record, such as one without an id, does not hide the others.
 * This throws if no record can be read.
 */
export function computerListFrom(items: readonly WireValue[], now: number): ComputerList {
	const list = createUnfinishedList();
	for (const item of items) addRecord(list, item, now);
	return finishedList(list);
}

// Decoding this many records takes a fraction of a millisecond, or about ten if all their texts need cleaning.
const recordsPerSlice = 16;

/** Like `computerListFrom`, but pauses after every few records. An error of `pause` ends the decoding. */
export async function computerListInSlices(
	items: readonly WireValue[],
	now: number,
	pause: () => Promise<void>,
): Promise<ComputerList> {
	const list = createUnfinishedList();
	for (const [index, item] of items.entries()) {
		if (index > 0 && index % recordsPerSlice === 0) await pause();
		addRecord(list, item, now);
	}
	return finishedList(list);
}

/**
 * The most ports that are read of a whole list. In the largest supported fleet, that is two ports for each
 * computer. Afterwards, one port of each computer is read.
 */
const maxPortsOfList = 20_000;

type UnfinishedList = {
	computers: Map<string, Reading>;
	portCount: number;
	unreadableCount: number;
	firstError: PlatformError | undefined;
};

const createUnfinishedList = (): UnfinishedList => ({
	computers: new Map(),
	portCount: 0,
	unreadableCount: 0,
	firstError: undefined,
});

function addRecord(list: UnfinishedList, item: WireValue, now: number) {
	try {
		const most = Math.max(1, Math.min(maxPorts, maxPortsOfList - list.portCount));
		const reading = readingFrom(item, now, { most });
		// A computer appears on two pages if another one was created between the two requests.
		list.computers.set(reading.id, reading);
		list.portCount += reading.ports?.length ?? 0;
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		list.unreadableCount += 1;
		list.firstError ??= error;
	}
}

function finishedList({ computers, unreadableCount, firstError }: UnfinishedList): ComputerList {
	if (firstError && computers.size === 0) throw firstError;
	return {
		computers: [...computers.values()],
		...(unreadableCount > 0 && { unreadable: unreadableCount }),
	};
}
