// Measures the time from a key to its frame with 5 accounts of 2,000 computers, and how often the lists of four of them
// are read: while all accounts answer, while the fifth does not answer, and while it answers with 60 MB of garbage.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../soak/figures.js';
import { createTable } from './figures.js';
import { keyWalks, measureWalk } from './keys.js';
import { openPromptPlatform } from './platform.js';
import { createHome, openReadySession } from './session.js';

const accountCount = 5;
const computersEach = 2_000;
const freshnessSeconds = 40;
const garbage = Buffer.alloc(60 * 1_048_576, '{},');

/** Opens a server that forwards requests to a platform. It can be switched to leave reads unanswered or to answer garbage. */
async function openFrontOf(origin) {
	/** With `hang`, reads get no answer; with `garbage`, they get 60 MB of it. If undefined, requests are forwarded. */
	let fault;
	const server = createServer(async (request, response) => {
		const pieces = [];
		for await (const piece of request) pieces.push(piece);
		if (fault === 'hang' && request.method === 'GET') return;
		if (fault === 'garbage' && request.method === 'GET') {
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
		setFault: chosen => {
			fault = chosen;
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

const phases = [
	{ fault: undefined, what: 'all accounts answer' },
	{ fault: 'hang', what: 'one account does not answer' },
	{ fault: 'garbage', what: 'one account answers 60 MB of garbage' },
];

/** Returns the times between answers since a start, in milliseconds. */
function gapsBetween(times, start) {
	const since = times.filter(time => time >= start);
	return since.slice(1).map((time, at) => time - since[at]);
}

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
		for (const { fault, what } of phases) {
			front.setFault(fault);
			for (const walk of keyWalks) await measureWalk(table, session, what, walk);
			// The platforms answer in this process, so nothing else is measured in this time.
			const start = performance.now();
			for (let second = 0; second < freshnessSeconds; second++) {
				await sleep(1000);
				for (const { data } of session.take()) void session.show(data);
			}
			const gaps = others.flatMap(({ listTimes }) => gapsBetween(listTimes, start));
			const seconds = share => (percentile(gaps, share) / 1000).toFixed(1);
			table.addRow(
				`lists of the other accounts, ${what}`,
				`${seconds(0.5)}, ${seconds(1)} s apart`,
			);
		}
		await session.close();
	} finally {
		front.close();
		for (const platform of platforms) await platform.close();
		home.remove();
	}
	return table;
}
