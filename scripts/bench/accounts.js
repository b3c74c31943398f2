// Measures the time from a key to its frame with 5 accounts of 2,000 computers, while all of them answer and while
// one of them answers each read with 60 MB of garbage.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createTable } from './figures.js';
import { keyWalks, measureWalk } from './keys.js';
import { openPromptPlatform } from './platform.js';
import { createHome, openReadySession } from './session.js';

const accountCount = 5;
const computersEach = 2_000;
const garbage = Buffer.alloc(60 * 1_048_576, '{},');

/**
 * Opens a server that forwards requests to a platform. After `turnHostile` is called, it answers every read with
 * garbage.
 */
async function openFrontOf(origin) {
	let isHostile = false;
	const server = createServer(async (request, response) => {
		const pieces = [];
		for await (const piece of request) pieces.push(piece);
		if (isHostile && request.method === 'GET') {
			response.writeHead(200, { 'content-type': 'application/json' }).end(garbage);
			return;
		}
		const { host, connection, 'content-length': length, ...headers } = request.headers;
		const body = pieces.length > 0 ? Buffer.concat(pieces) : undefined;
		try {
			const { method } = request;
			const answer = await fetch(`${origin}${request.url}`, { method, headers, body });
			const text = Buffer.from(await answer.arrayBuffer());
			response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
		} catch {
			// The platform has closed an idle connection. The error is ignored, because the program reads again.
			response.destroy();
		}
	});
	await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
	return {
		origin: `http://127.0.0.1:${server.address().port}`,
		turnHostile: () => {
			isHostile = true;
		},
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}

const profile = (name, { CROWSNEST_URL, CROWSNEST_AUTH_URL, ...env }) =>
	[
		`[profiles.${name}]`,
		`url = "${CROWSNEST_URL}"`,
		`authUrl = "${CROWSNEST_AUTH_URL}"`,
		`anonKey = "${env.CROWSNEST_ANON_KEY}"`,
		`email = "${env.CROWSNEST_EMAIL}"`,
		`passwordCommand = ["printf", "%s", "${env.CROWSNEST_PASSWORD}"]`,
		'',
	].join('\n');

export async function measureAccounts(program) {
	const table = createTable(`Keys with ${accountCount} accounts of 2,000 computers`);
	const home = createHome();
	const platforms = [];
	for (let at = 0; at < accountCount; at += 1) {
		platforms.push(
			await openPromptPlatform(home.folder, { computers: computersEach, seed: at + 1 }),
		);
	}
	const [first, ...others] = platforms;
	const front = await openFrontOf(first.env.CROWSNEST_AUTH_URL);
	const own = {
		...first.env,
		CROWSNEST_URL: `${front.origin}/v1`,
		CROWSNEST_AUTH_URL: front.origin,
	};
	try {
		mkdirSync(join(home.folder, 'config', 'crowsnest'), { recursive: true });
		const profiles = [own, ...others.map(({ env }) => env)].map((env, at) =>
			profile(`account${at + 1}`, env),
		);
		const config = join(home.folder, 'config', 'crowsnest', 'config.toml');
		writeFileSync(config, profiles.join('\n'), { mode: 0o600 });
		const session = await openReadySession([program, '--all-profiles'], home.env);
		for (const walk of keyWalks) await measureWalk(table, session, 'all accounts answer', walk);
		front.turnHostile();
		for (const walk of keyWalks) {
			await measureWalk(table, session, 'one account answers 60 MB of garbage', walk);
		}
		await session.close();
	} finally {
		front.close();
		for (const platform of platforms) await platform.close();
		home.remove();
	}
	return table;
}
