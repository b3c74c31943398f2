import { Socket } from 'node:net';
import { inspect } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
	connectionFailureFrom,
	failuresBeforeSending,
} from '../../source/platform/connection-failure.ts';
import { PlatformError } from '../../source/platform/decoding/platform-error.ts';
import { serveResponses } from './loopback.ts';
import { failureOf, platformAt, readOptions } from './platform-at.ts';

// A request that may have been carried out is never reported as failed.

test.each([302, 303, 408, 425, 499, 500, 502, 503, 504, 520])(
	'the client reports an unknown outcome for a restart after a status of %d',
	async status => {
		const origin = await serveResponses((_, response) =>
			response.writeHead(status, { location: '/v1/jobs/1' }).end('{"message": "so it is"}'),
		);
		const { platform } = platformAt(origin);
		const restart = await failureOf(platform.sendAction('sb_a', 'restart', readOptions()));
		expect(restart).toMatchObject({ isOutcomeUnknown: true, status });
		const create = await failureOf(platform.createComputer({}, readOptions()));
		expect(create.isOutcomeUnknown).toBe(true);
		// A read changes nothing, so its outcome is never unknown.
		expect((await failureOf(platform.readStatus('sb_a', readOptions()))).isOutcomeUnknown).toBe(
			false,
		);
	},
);

test.each([301, 307, 308, 400, 402, 403, 404, 409, 422, 429])(
	'the client reports a failed restart after a status of %d',
	async status => {
		const origin = await serveResponses((_, response) => response.writeHead(status).end('{}'));
		const failure = await failureOf(
			platformAt(origin).platform.sendAction('sb_a', 'restart', readOptions()),
		);
		expect(failure.isOutcomeUnknown).toBe(false);
	},
);

const systemError = (code: string, syscall?: string) =>
	Object.assign(new Error(`${syscall} ${code}`), { code, ...(syscall && { syscall }) });

/** Wraps an error of the system in the error that fetch throws. */
const thrown = (cause: Error) => new TypeError('fetch failed', { cause });

test.each([
	['ETIMEDOUT', 'read'],
	['ETIMEDOUT', 'write'],
	['EHOSTUNREACH', 'read'],
	['ENETDOWN', 'write'],
	['ENETUNREACH', 'read'],
	['ECONNRESET', 'read'],
	['ECONNREFUSED', 'read'],
	['ETIMEDOUT', 'none'],
	['UND_ERR_SOCKET', 'none'],
	['UND_ERR_HEADERS_TIMEOUT', 'none'],
])(
	'the client reports an unknown outcome when an open connection breaks with the error %s in the system call “%s”',
	(code, syscall) => {
		const failure = connectionFailureFrom(
			thrown(systemError(code, syscall === 'none' ? undefined : syscall)),
		);
		expect(failure).toMatchObject({ kind: 'offline', isOutcomeUnknown: true });
		expect(failure.message).toBe(`the connection broke (${code})`);
	},
);

/** Lets each connection of the program fail in this way before it is made. */
function failConnections(error: Error) {
	const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
		process.nextTick(() => this.destroy(error));
		return this;
	});
	onTestFinished(() => spy.mockRestore());
}

test.each(Object.entries(failuresBeforeSending))(
	'the client takes the error %s of a connection as proof that nothing was sent',
	async (code, { systemCall, message }) => {
		failConnections(systemError(code, systemCall));
		for (const scheme of ['http', 'https']) {
			const { platform } = platformAt(`${scheme}://127.0.0.1:9`);
			const failure = await failureOf(platform.sendAction('sb_a', 'stop', readOptions()));
			expect(failure).toMatchObject({ kind: 'offline', message, code, isOutcomeUnknown: false });
		}
	},
);

test('an error of the HTTP client never leaves the platform, because it may contain the token', async () => {
	failConnections(systemError('ECONNRESET', 'read'));
	const { platform } = platformAt('http://127.0.0.1:9');
	const error: unknown = await platform.credits(readOptions()).catch((reason: unknown) => reason);
	expect(error).toBeInstanceOf(PlatformError);
	expect((error as Error).cause).toBeUndefined();
	expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/secret-token|FetchError/);
});

test('the client reports an unknown outcome unless connecting failed at every network address of the host', () => {
	const several = (...syscalls: string[]) => {
		const errors = syscalls.map(syscall => systemError('ETIMEDOUT', syscall));
		return thrown(Object.assign(new AggregateError(errors), { code: 'ETIMEDOUT' }));
	};
	expect(connectionFailureFrom(several('connect', 'connect')).isOutcomeUnknown).toBe(false);
	expect(connectionFailureFrom(several('connect', 'read')).isOutcomeUnknown).toBe(true);
});
