import { describe, expect, onTestFinished, test } from 'vitest';
import type { Failure } from '../../source/foundation/failure.ts';
import type { Fetch } from '../../source/foundation/network.ts';
import { PlatformError } from '../../source/platform/decoding/platform-error.ts';
import { createPlatform } from '../../source/platform/platform.ts';
import { type FaultKind, faultNames } from '../../source/simulator/endpoints/faults.ts';
import { createSimulator } from '../../source/simulator/simulator.ts';
import { createHeldClock } from '../held-clock.ts';
import { createUnlimitedRateLimiter } from '../unlimited-rate-limiter.ts';
import { clients } from './clients.ts';

const options = { signal: new AbortController().signal, priority: 'read' } as const;

/** Sends a read and then a restart to a platform with one fault, and returns how each of them failed. */
async function failuresUnder(kind: FaultKind, fetch: Fetch) {
	const clock = createHeldClock();
	const simulator = await createSimulator({ clock, computers: 1 });
	const platform = createPlatform({
		baseUrl: simulator.baseUrl,
		credentials: {
			kind: 'password',
			authUrl: simulator.authUrl,
			anonKey: simulator.anonKey,
			email: simulator.email,
			password: async () => simulator.password,
		},
		rateLimiter: createUnlimitedRateLimiter(),
		clock,
		fetch,
	});
	onTestFinished(() => {
		platform.close();
		return simulator.close();
	});
	const id = simulator.world.computers()[0]?.id ?? '';
	await platform.readStatus(id, options);
	simulator.setFaults([{ target: '*', kind }]);

	/** Moves the clock past the delay or the timeout of a response that the simulator holds back. */
	async function failureOf(request: Promise<unknown>): Promise<Failure | undefined> {
		let isOver = false;
		const failure = request
			.then(
				() => undefined,
				(error: unknown) => {
					if (error instanceof PlatformError) return error.failure;
					throw error;
				},
			)
			.finally(() => {
				isOver = true;
			});
		while (!isOver) {
			await new Promise(setImmediate);
			if (simulator.heldBackCount > 0) clock.move(1_000);
		}
		return failure;
	}

	return {
		read: await failureOf(platform.release(options)),
		restart: await failureOf(platform.sendAction(id, 'restart', options)),
	};
}

type Expected = {
	/** The failure of a read; absent if the fault only delays the response. */
	read?: readonly [kind: Failure['kind'], message: string];
	/** What is known about a restart after its response. */
	restart: 'accepted' | 'refused' | 'unknown';
};

const expected: Readonly<Record<FaultKind, Expected>> = {
	delay: { restart: 'accepted' },
	hang: { read: ['offline', 'no answer within 15 s'], restart: 'unknown' },
	reset: { read: ['offline', 'the connection broke (ECONNRESET)'], restart: 'unknown' },
	lost: { read: ['offline', 'the connection broke (ECONNRESET)'], restart: 'unknown' },
	truncated: { read: ['offline', 'the connection broke (ECONNRESET)'], restart: 'unknown' },
	500: { read: ['server', 'Internal error'], restart: 'unknown' },
	502: { read: ['server', 'The upstream service did not answer'], restart: 'unknown' },
	503: { read: ['server', 'The service is being maintained'], restart: 'unknown' },
	408: { read: ['server', 'the client took too long'], restart: 'unknown' },
	425: { read: ['server', 'the client took too long'], restart: 'unknown' },
	499: { read: ['server', 'the client took too long'], restart: 'unknown' },
	303: { read: ['unreadable', 'the platform redirects'], restart: 'unknown' },
	'proxy-error': {
		read: ['server', 'a web page instead of an answer: 502 Bad Gateway (status 502)'],
		restart: 'unknown',
	},
	'proxy-page': {
		read: ['unreadable', 'the answer: expected JSON, got a web page'],
		restart: 'unknown',
	},
	crowded: {
		read: ['unreadable', 'the answer: expected at most 400000 values'],
		restart: 'unknown',
	},
	deep: { read: ['unreadable', 'the answer: expected at most 64 levels'], restart: 'unknown' },
	throttle: { read: ['limited', 'Too many requests'], restart: 'refused' },
	unauthorized: {
		read: ['auth', 'The access token is missing or has expired'],
		restart: 'refused',
	},
	// The status says that the restart was accepted, and its body holds nothing that is needed.
	'broken-json': {
		read: ['unreadable', 'the answer: expected JSON, got something else'],
		restart: 'accepted',
	},
	empty: { read: ['unreadable', 'the answer: expected JSON, got nothing'], restart: 'accepted' },
	'wrong-type': { read: ['unreadable', 'the answer: expected an object'], restart: 'accepted' },
	'null-data': { read: ['unreadable', 'data: expected an object'], restart: 'accepted' },
};

describe.each(clients)('$client', ({ fetch }) => {
	test.each(faultNames.kind)(
		'reports the expected failure of a read and of an operation under the fault “%s”',
		async kind => {
			const { read, restart } = await failuresUnder(kind, fetch);
			// The clients have different names for a connection that ends too early.
			const message = read?.message.replace('UND_ERR_SOCKET', 'ECONNRESET');
			expect(read && [read.kind, message]).toEqual(expected[kind].read);
			// The outcome of a read is never unknown.
			expect(read?.isOutcomeUnknown ?? false).toBe(false);
			const known = restart?.isOutcomeUnknown ? 'unknown' : restart ? 'refused' : 'accepted';
			expect(known).toBe(expected[kind].restart);
		},
	);
});
