import type { Clock } from '../fleet/clock.ts';
import type { Reading } from '../fleet/computer.ts';
import { byteBounds } from './body.ts';
import {
	type ComputerList,
	computerListFrom,
	computersPageFrom,
	createdReadingFrom,
	detailReadingFrom,
	statusReadingFrom,
} from './decode-computer.ts';
import { type Acknowledgement, acknowledgementFrom, jsonBody } from './json-body.ts';
import { readAll } from './paging.ts';
import { pathSegment } from './path-segment.ts';
import { PlatformError } from './platform-error.ts';
import type { ApiCall, RequestOptions, Transport } from './transport.ts';

export type ComputerEndpoints = {
	listComputers(asking: RequestOptions): Promise<ComputerList & { requests: number }>;
	readComputer(id: string, asking: RequestOptions): Promise<Reading>;
	readStatus(id: string, asking: RequestOptions): Promise<Reading>;
	createComputer(
		wish: { name?: string; provider?: string },
		asking: RequestOptions,
	): Promise<Reading>;
	startComputer(id: string, asking: RequestOptions): Promise<Acknowledgement>;
	stopComputer(id: string, asking: RequestOptions): Promise<Acknowledgement>;
	restartComputer(id: string, asking: RequestOptions): Promise<Acknowledgement>;
	/** Sends the wanted version along: some services require it, the others do not mind. */
	updateComputer(
		id: string,
		version: string | undefined,
		asking: RequestOptions,
	): Promise<Acknowledgement>;
	deleteComputer(id: string, asking: RequestOptions): Promise<Acknowledgement>;
};

const provider = 'opensandbox';

export function computerEndpoints(transport: Transport, clock: Clock): ComputerEndpoints {
	const computers = '/platform/sandbox';
	const one = (id: string) => `${computers}/${pathSegment(id)}`;

	const order = async (path: string, asking: RequestOptions, body?: object) => {
		const call: ApiCall = { ...asking, scope: 'other', method: 'POST', path };
		return acknowledgementFrom(await transport.send(body ? { ...call, body } : call));
	};

	return {
		async listComputers(asking) {
			const { fleet: mostBytes } = byteBounds;
			const call = { ...asking, scope: 'other', method: 'GET', notFoundAs: [], mostBytes } as const;
			const read = (query: string) => transport.send({ ...call, path: `${computers}${query}` });
			const { items, requests } = await readAll(read, computersPageFrom);
			return { ...computerListFrom(items, clock.now()), requests };
		},

		async readComputer(id, asking) {
			const call = { ...asking, scope: 'other', method: 'GET', path: one(id) } as const;
			return detailReadingFrom(jsonBody(await transport.send(call)), id, clock.now());
		},

		async readStatus(id, asking) {
			const path = `${one(id)}/status`;
			const call = { ...asking, scope: 'status', method: 'GET', path } as const;
			return statusReadingFrom(jsonBody(await transport.send(call)), id, clock.now());
		},

		async createComputer(wish, asking) {
			const body = { provider, ...wish };
			const call = { ...asking, scope: 'create', method: 'POST', path: computers, body } as const;
			const answer = await transport.send(call);
			try {
				return createdReadingFrom(jsonBody(answer), clock.now());
			} catch (error) {
				throw error instanceof PlatformError ? asUnknown(error) : error;
			}
		},

		startComputer: async (id, asking) => order(`${one(id)}/start`, asking),
		stopComputer: async (id, asking) => order(`${one(id)}/stop`, asking),
		restartComputer: async (id, asking) => order(`${one(id)}/restart`, asking),
		updateComputer: async (id, version, asking) =>
			order(`${one(id)}/update`, asking, version === undefined ? {} : { version }),
		async deleteComputer(id, asking) {
			const call = { ...asking, scope: 'other', method: 'DELETE', path: one(id) } as const;
			return acknowledgementFrom(await transport.send(call));
		},
	};
}

// The platform took the create on, but which computer it made cannot be read.
function asUnknown(error: PlatformError): PlatformError {
	return new PlatformError({ ...error.failure, isOutcomeUnknown: true });
}
