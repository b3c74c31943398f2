// Runs the demo platform in the measuring process, so that a benchmark can change its computers.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from '../build.js';

const clock = {
	now: () => Date.now(),
	after(milliseconds, call) {
		const timer = setTimeout(call, milliseconds);
		return () => clearTimeout(timer);
	},
};

export async function openPlatform(folder, options) {
	const { outputFiles } = await build({
		entryPoints: [`${root}source/simulator/simulator.ts`],
		bundle: true,
		write: false,
		platform: 'node',
		target: 'node20.19',
		format: 'esm',
		logLevel: 'warning',
	});
	const file = join(folder, 'simulator.mjs');
	writeFileSync(file, outputFiles[0].contents);
	const { createSimulator } = await import(pathToFileURL(file).href);
	const simulator = await createSimulator({ clock, ...options });
	const { baseUrl, authUrl, anonKey, email, password } = simulator;
	return {
		world: simulator.world,
		requests: simulator.requests,
		close: simulator.close,
		/** The environment variables that connect the program to this platform. */
		env: {
			CROWSNEST_URL: baseUrl,
			CROWSNEST_AUTH_URL: authUrl,
			CROWSNEST_ANON_KEY: anonKey,
			CROWSNEST_EMAIL: email,
			CROWSNEST_PASSWORD: password,
		},
	};
}

/**
 * Runs the demo platform behind a server that repeats its responses. The demo platform takes as long to answer a list
 * as `node -e 0` takes to start, which would distort a benchmark of the start.
 */
export async function openPromptPlatform(folder, options) {
	const platform = await openPlatform(folder, options);
	const origin = platform.env.CROWSNEST_AUTH_URL;
	const responses = new Map();
	const listTimes = [];

	async function responseTo({ method, url, headers }, body) {
		const { host, connection, 'content-length': length, ...others } = headers;
		const init = { method, headers: others, ...(body.length > 0 && { body }) };
		const response = await fetch(`${origin}${url}`, init);
		const type = response.headers.get('content-type') ?? 'application/json';
		return { status: response.status, type, body: Buffer.from(await response.arrayBuffer()) };
	}

	const server = createServer(async (request, response) => {
		const key = `${request.method} ${request.url}`;
		const pieces = [];
		for await (const piece of request) pieces.push(piece);
		if (!responses.has(key)) responses.set(key, responseTo(request, Buffer.concat(pieces)));
		try {
			const { status, type, body } = await responses.get(key);
			response.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body);
			if (/\/sandbox(\?|$)/.test(request.url)) listTimes.push(performance.now());
		} catch {
			// The platform has closed an idle connection. The error is ignored, because the program reads again.
			responses.delete(key);
			response.destroy();
		}
	});
	await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
	const ownOrigin = `http://127.0.0.1:${server.address().port}`;
	return {
		/** The times at which a list was answered, in milliseconds. */
		listTimes,
		env: {
			...platform.env,
			CROWSNEST_URL: platform.env.CROWSNEST_URL.replace(origin, ownOrigin),
			CROWSNEST_AUTH_URL: ownOrigin,
		},
		async close() {
			server.closeAllConnections();
			server.close();
			await platform.close();
		},
	};
}
