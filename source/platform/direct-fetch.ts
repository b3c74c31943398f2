import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import type { Clock } from '../foundation/clock.ts';
import type { Fetch, FetchResponse } from '../foundation/network.ts';

// Servers close older connections, and then nobody knows whether a request that is just being sent was carried out.
const idleTimeoutMs = 4_000;

// Shorter than the limit of a request, so that the failure can say that nothing was sent.
const connectTimeoutMs = 10_000;

/**
 * Compiling Node's global `fetch` takes longer than all else that `crowsnest list` does, and its WebAssembly more memory
 * than the whole screen.
 */
export function createDirectFetch(clock: Clock, userAgent: string): Fetch {
	const plainAgent = new Agent({ keepAlive: true, timeout: idleTimeoutMs });
	const secureAgent = new SecureAgent({ keepAlive: true, timeout: idleTimeoutMs });

	return async (address, { method, headers, body, signal }) => {
		const url = new URL(address);
		return new Promise((resolve, reject) => {
			const options = {
				method,
				signal,
				headers: {
					'user-agent': userAgent,
					'accept-encoding': 'gzip',
					...headers,
					...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
				},
			};
			const request =
				url.protocol === 'https:'
					? httpsRequest(url, { ...options, agent: secureAgent })
					: httpRequest(url, { ...options, agent: plainAgent });
			limitConnecting(request, clock);
			request.once('response', response => resolve(responseFrom(response)));
			request.once('upgrade', (_, socket) => {
				socket.destroy();
				reject(new Error('the server switches to another protocol'));
			});
			request.on('error', reject);
			request.end(body);
		});
	};
}

/** The error has the code that undici uses. */
function limitConnecting(request: ClientRequest, clock: Clock): void {
	request.once('socket', socket => {
		if (!socket.connecting) return;
		const cancel = clock.after(connectTimeoutMs, () => {
			const error = new Error('no connection in time');
			request.destroy(Object.assign(error, { code: 'UND_ERR_CONNECT_TIMEOUT' }));
		});
		socket.once('encrypted' in socket ? 'secureConnect' : 'connect', cancel);
		request.once('close', cancel);
	});
}

function responseFrom(response: IncomingMessage): FetchResponse {
	const { statusCode = 0, headersDistinct } = response;
	const stream = decoded(response);
	// Without a listener, an error before the first read would end the program.
	stream.on('error', () => {});
	return {
		status: statusCode,
		headers: { get: name => headersDistinct[name]?.join(', ') ?? null },
		body: {
			[Symbol.asyncIterator]: () => stream[Symbol.asyncIterator](),
			async cancel() {
				stream.destroy();
			},
		},
	};
}

// If compressed data ends too early, the beginning is decoded. Its JSON is then incomplete and refused.
const lenient = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };

function decoded(response: IncomingMessage): Readable {
	const isCompressed = /^(x-)?gzip$/i.test(response.headers['content-encoding'] ?? '');
	return isCompressed ? pipeline(response, createGunzip(lenient), () => {}) : response;
}
