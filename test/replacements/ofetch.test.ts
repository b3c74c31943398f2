import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import type * as ofetch from 'ofetch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../properties/runs.ts';
import { loadBoth } from './both.ts';

const { original, replaced } = await loadBoth<typeof ofetch>('ofetch/dist/node.mjs');

// Answers with the requested status and the received request.
const server = createServer((request, response) => {
	let body = '';
	request.setEncoding('utf8').on('data', text => {
		body += text;
	});
	request.on('end', () => {
		const status = Number(/\/(\d+)/.exec(request.url ?? '')?.[1]);
		const { method, url, headers } = request;
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(
			JSON.stringify({ method, url, body, accept: headers.accept, type: headers['content-type'] }),
		);
	});
});

let address = '';

beforeAll(async () => {
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const request = fc.record({
	path: fc.constantFrom('/200', '/201', '/404', '/422', '/503'),
	options: fc.record(
		{
			method: fc.constantFrom('GET', 'POST', 'DELETE'),
			query: fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), fc.string({ maxLength: 5 })),
			headers: fc.constantFrom({}, { accept: 'text/plain' }),
			ignoreResponseError: fc.boolean(),
			retry: fc.constantFrom<false | 0>(false, 0),
		},
		{ requiredKeys: ['retry'] },
	),
	body: fc.option(fc.record({ name: fc.string({ maxLength: 5 }) }), { nil: undefined }),
	way: fc.constantFrom('plain', 'raw', 'created', 'native'),
});

type RequestOptions = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

async function answerOf(module: typeof ofetch, { path, options, body, way }: RequestOptions) {
	const client = module.createFetch({ fetch });
	const all = { ...options, ...(options.method && options.method !== 'GET' && { body }) };
	const url = `${address}${path}`;
	try {
		if (way === 'plain') return await client(url, all);
		if (way === 'created') return await client.create({ baseURL: address })(path, all);
		if (way === 'native') return (await client.native(url)).status;
		const { status, _data } = await client.raw(url, all);
		return { status, _data };
	} catch (error) {
		if (!(error instanceof module.FetchError)) throw error;
		const { name, message, status, data } = error;
		return { name, message, status, data };
	}
}

test('the replacement of ofetch sends the same requests, and returns the same responses and errors, as the original', async () => {
	await fc.assert(
		fc.asyncProperty(request, async request => {
			expect(await answerOf(replaced, request)).toEqual(await answerOf(original, request));
		}),
		runs(40),
	);
});

test('the replacement of ofetch fails as the original does when no server answers', async () => {
	const failing = async () => {
		throw new TypeError('fetch failed');
	};
	const failureOf = (module: typeof ofetch) =>
		module
			.createFetch({ fetch: failing })
			.raw('http://nowhere.test/', { retry: false })
			.catch(({ name, message, status }) => ({ name, message, status }));
	expect(await failureOf(replaced)).toEqual(await failureOf(original));
	expect(await failureOf(replaced)).toMatchObject({ name: 'FetchError' });
});
