import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createHttp, type HttpRequest } from '../../source/platform/http.ts';
import { createHeldClock } from '../held-clock.ts';
import { clients } from './clients.ts';
import { serveResponses } from './loopback.ts';

const clock = createHeldClock();
const { signal } = new AbortController();
const maxBytes = 100_000;

/** Starts a server that sends this response to every request, and reports whether the client has left. */
async function answering(answer: (response: ServerResponse) => void) {
	let left = () => {};
	const isLeft = new Promise<void>(resolve => {
		left = resolve;
	});
	const url = await serveResponses((_, response) => {
		response.on('close', left);
		answer(response);
	});
	return { url, isLeft };
}

function writeForever(response: ServerResponse) {
	const chunk = 'x'.repeat(10_000);
	const write = () => {
		while (!response.destroyed && response.write(chunk));
	};
	response.on('drain', write);
	write();
}

describe.each(clients)('$client', ({ fetch }) => {
	const exchange = (url: string, request: Partial<HttpRequest> = {}) =>
		createHttp(url, { fetch, clock, timeoutMs: 5000 })({
			method: 'GET',
			path: '/v1',
			signal,
			...request,
		});

	test.each([
		[
			'an event stream',
			(response: ServerResponse) => {
				response.writeHead(200, { 'content-type': 'text/event-stream' });
				response.write('data: hello\n\n');
			},
		],
		['an endless download', writeForever],
		['a response whose body never begins', (response: ServerResponse) => response.flushHeaders()],
	])(
		'returns as soon as the headers have arrived if the body is not needed, even for %s',
		async (_, answer) => {
			const { url, isLeft } = await answering(answer);
			const answered = await exchange(url, { isVisit: true });
			expect(answered).toMatchObject({ status: 200, text: '', json: undefined });
			await isLeft;
			expect(clock.waiting).toBe(0);
		},
	);

	test.each(['GET', 'POST'] as const)(
		'cancels the response body of a %s that exceeds the size limit',
		async method => {
			const { url, isLeft } = await answering(writeForever);
			await expect(exchange(url, { method, maxBytes })).rejects.toMatchObject({
				failure: { kind: 'unreadable', isOutcomeUnknown: method === 'POST' },
			});
			await isLeft;
		},
	);

	test('accepts a response body of the maximum length in chunks of any size', async () => {
		const text = `"${'ö€'.repeat(19_999)}"`;
		const { url } = await answering(response => {
			const bytes = Buffer.from(text);
			for (let at = 0; at < bytes.length; at += 7001) response.write(bytes.subarray(at, at + 7001));
			response.end();
		});
		const answered = await exchange(url, { maxBytes });
		expect(answered.text).toBe(text);
		expect(answered.json).toBe(JSON.parse(text));
	});
});
