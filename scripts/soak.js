// Runs the built program in a real pty with a busy platform, a bad network and a simulated person, and
// prints whether its memory or other resources grow. The platform runs in a process of its own, so that
// only the program's memory is measured. A proxy between the two counts requests and cuts connections.
import { spawn as spawnChild } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { buildProgram } from './build.js';
import { openNetwork } from './soak/network.js';
import { createPerson, createRandom } from './soak/person.js';
import { processFiguresOf } from './soak/process-figures.js';
import { reportOf } from './soak/report.js';

const usualFaults = [
	...['*:delay:40ms:0.3', '*:503:0.02', '*:reset:0.02', '*:lost:0.01', '*:truncated:0.01'],
	...[
		'*:proxy-page:0.01',
		'status:unauthorized:0.01',
		'list:unauthorized:0.01',
		'status:hang:0.003',
		'list:broken-json:0.02',
	],
	'credits:throttle:0.05',
].join(',');

const { values } = parseArgs({
	options: {
		minutes: { type: 'string', default: '10' },
		computers: { type: 'string', default: '200' },
		// The platform's clock runs this much faster, so its rate limits are looser. The proxy checks the documented
		// limits.
		speed: { type: 'string', default: '20' },
		seed: { type: 'string', default: '1' },
		faults: { type: 'string', default: usualFaults },
	},
});
const minute = 60_000;
const lasts = Number(values.minutes) * minute;
const warmUp = Math.min(3 * minute, lasts / 3);
// Afterwards the person rests for this long.
const rests = minute;
const folder = mkdtempSync(join(tmpdir(), 'crowsnest-soak-'));
const program = join(folder, 'crowsnest.cjs');
const notes = join(folder, 'notes');
const random = createRandom(Number(values.seed));
let began = 0;
const passed = () => performance.now() - began;

async function openPlatform() {
	const options = ['--computers', values.computers, '--speed', values.speed];
	const child = spawnChild(
		process.execPath,
		[program, 'simulate', ...options, '--seed', values.seed, '--faults', values.faults],
		{ stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, HOME: folder } },
	);
	let output = '';
	child.stdout.on('data', data => {
		output += data;
	});
	while (!output.includes('PASSWORD=')) await sleep(20);
	const settings = Object.fromEntries(
		[...output.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
	);
	return { settings, close: () => child.kill('SIGTERM') };
}

function openProgram(settings) {
	const { NO_COLOR, TMUX, STY, ...inherited } = process.env;
	let [columns, rows] = [120, 40];
	const probe = fileURLToPath(new URL('soak/probe.js', import.meta.url));
	const pty = spawn(process.execPath, ['--import', probe, program], {
		cols: columns,
		rows,
		env: {
			...inherited,
			...settings,
			TERM: 'xterm-256color',
			LANG: 'C.UTF-8',
			HOME: folder,
			XDG_CACHE_HOME: join(folder, 'cache'),
			XDG_CONFIG_HOME: join(folder, 'config'),
			CROWSNEST_STATE_DIR: join(folder, 'state'),
			CROWSNEST_SOAK_NOTES: notes,
		},
	});
	const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
	let bytes = 0;
	let exit;
	terminal.onData(data => exit === undefined && pty.write(data));
	pty.onData(data => {
		bytes += data.length;
		terminal.write(data);
	});
	pty.onExit(event => {
		exit = event;
	});
	return {
		pid: pty.pid,
		terminal,
		bytes: () => bytes,
		exit: () => exit,
		press: keys => exit === undefined && pty.write(keys),
		resize(nextColumns, nextRows) {
			if (exit !== undefined) return;
			[columns, rows] = [nextColumns, nextRows];
			pty.resize(columns, rows);
			terminal.resize(columns, rows);
		},
		text: () =>
			Array.from({ length: rows }, (_, y) =>
				terminal.buffer.active.getLine(y)?.translateToString(true),
			).join('\n'),
		kill: () => exit === undefined && pty.kill('SIGKILL'),
	};
}

const sampleOf = pid => ({
	at: passed(),
	isAtRest: passed() >= lasts + rests / 2,
	...processFiguresOf(pid),
});

/** Starts the program once, so that its compiled code is kept, as on every day but the first. */
async function startOnce(settings) {
	const session = openProgram(settings);
	try {
		await sleep(8000);
		for (const key of ['q', 'y']) {
			session.press(key);
			await sleep(1000);
		}
	} finally {
		session.kill();
	}
	rmSync(notes, { force: true });
}

/** Cuts the network for a while at random times. */
async function cutAtRandom(network) {
	while (passed() < lasts) {
		await sleep(20_000 + random() * 40_000);
		network.cut();
		await sleep(random() < 0.3 ? 15_000 : 200);
		network.restore();
	}
}

/** Leaves the program alone for a while, as in the evening of a day, and then quits it. */
async function restAndQuit(session, samples) {
	const pressEach = async keys => {
		for (const key of keys) {
			session.press(key);
			await sleep(400);
		}
	};
	session.resize(120, 40);
	await pressEach(['\x1b', '\x1b', '\x1b', '\x1b', '1']);
	while (passed() < lasts + rests && session.exit() === undefined) {
		samples.push(sampleOf(session.pid));
		await sleep(2000);
	}
	await pressEach(['\x1b', '1', 'q', 'y']);
	const until = performance.now() + 5000;
	while (session.exit() === undefined && performance.now() < until) await sleep(50);
	await sleep(300);
}

async function main() {
	await buildProgram({ outfile: program });
	const platform = await openPlatform();
	const network = await openNetwork(new URL(platform.settings.CROWSNEST_URL).origin);
	const settings = {
		...platform.settings,
		CROWSNEST_URL: `${network.origin}/v1`,
		CROWSNEST_AUTH_URL: network.origin,
	};
	await startOnce(settings);
	began = performance.now();
	const session = openProgram(settings);
	const person = createPerson({ ...session, random, wait: sleep });
	const samples = [];
	let [silence, onlineAt] = [0, 0];
	try {
		while (!/\d+ computers/.test(session.text()) && passed() < minute) await sleep(50);
		void cutAtRandom(network);
		let actions = 0;
		let nextSample = 0;
		while (passed() < lasts && session.exit() === undefined) {
			if (passed() >= nextSample) {
				samples.push(sampleOf(session.pid));
				// If the window is too small to show the connection, the program counts as online.
				if (!/✖ (offline|not|platform)/.test(session.text())) onlineAt = passed();
				silence = Math.max(silence, passed() - onlineAt);
				nextSample = passed() + 2000;
			}
			await person.act();
			actions += 1;
			await sleep(30 + random() * 250);
		}
		await restAndQuit(session, samples);
		const reports = join(folder, 'state', 'reports');
		const rows = reportOf({
			notes: readFileSync(notes, 'utf8')
				.trim()
				.split('\n')
				.map(line => JSON.parse(line)),
			samples,
			seen: network.seen,
			silence,
			reports: existsSync(reports) ? readdirSync(reports).length : 0,
			exit: session.exit(),
			screen: session.terminal.buffer.active.type === 'normal' ? 'restored' : 'not restored',
			lasts,
			warmUp,
		});
		const drawn = `${(session.bytes() / 1e6).toFixed(1)} MB of output`;
		process.stdout.write(`${actions} actions, ${network.seen.length} requests, ${drawn}\n\n`);
		for (const { what, figure, goal, isGood } of rows) {
			const sign = isGood ? ' ' : '✖';
			process.stdout.write(`${sign} ${what.padEnd(38)}${figure.padEnd(54)}${goal}\n`);
		}
		return rows.every(({ isGood }) => isGood);
	} finally {
		session.kill();
		network.close();
		platform.close();
	}
}

let isGood = false;
try {
	isGood = await main();
} finally {
	rmSync(folder, { recursive: true, force: true });
}
process.exit(isGood ? 0 : 1);
