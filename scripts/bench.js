// Measures the goals of the program, prints each with what was measured, and fails if one is missed. Beside them it
// measures the same kind of screen in ncurses, if there is a C compiler, and in Ink as published.
// `npm run bench -- start keys` measures only these parts.
import { execFileSync, spawn as spawnChild } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { build } from 'esbuild';
import { buildProgram, bundle, root } from './build.js';

const [columns, rows] = [120, 40];
const pageDown = '\x1b[6~';
const folder = mkdtempSync(join(tmpdir(), 'crowsnest-bench-'));
let missed = 0;

const percentile = (numbers, part) =>
	numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * part)];
const median = numbers => percentile(numbers, 0.5);

function report(what, value, unit, most) {
	const digits = value < 10 && unit !== 'B' ? 1 : 0;
	const isMet = most === undefined || value <= most;
	if (!isMet) missed += 1;
	const goal = most === undefined ? '' : `≤ ${most} ${unit}`;
	const figure = `${value.toFixed(digits)} ${unit}`;
	process.stdout.write(
		`${what.padEnd(48)}${figure.padStart(12)}   ${goal.padEnd(12)}${isMet ? '' : 'MISSED'}\n`,
	);
}

const title = text => process.stdout.write(`\n${text}\n`);

/** Returns the environment of a program with a home folder of its own. */
function environment(name, more = {}) {
	// Reading extra certificates slows the start of Node itself.
	const { NODE_EXTRA_CA_CERTS, NO_COLOR, TMUX, STY, ...inherited } = process.env;
	const home = join(folder, name);
	const folders = { XDG_CACHE_HOME: 'cache', XDG_STATE_HOME: 'state', XDG_CONFIG_HOME: 'config' };
	for (const [variable, place] of Object.entries(folders)) folders[variable] = join(home, place);
	const terminal = { TERM: 'xterm-256color', LANG: 'C.UTF-8', HOME: home };
	return { ...inherited, ...terminal, ...folders, ...more };
}

/** Runs a program in a real pty with a terminal emulator. */
function open(words, env) {
	const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
	const start = performance.now();
	const [file, ...args] = words;
	const pty = spawn(file, args, { cols: columns, rows, env, encoding: null });
	let pieces = [];
	const ended = new Promise(resolve => pty.onExit(resolve));
	let isGone = false;
	void ended.then(() => {
		isGone = true;
	});
	terminal.onData(data => isGone || pty.write(data));
	pty.onData(data => {
		pieces.push({ at: performance.now(), bytes: data.length });
		terminal.write(data);
	});
	const text = () =>
		Array.from({ length: rows }, (_, y) =>
			terminal.buffer.active.getLine(y)?.translateToString(true),
		).join('\n');
	const session = {
		start,
		pid: pty.pid,
		write: keys => pty.write(keys),
		/** Waits until the screen shows a text, and returns when. */
		async sees(pattern, every = 1) {
			while (!pattern.test(text())) {
				if (performance.now() - start > 60_000) throw new Error(`No ${pattern} in:\n${text()}`);
				await sleep(every);
			}
			return performance.now() - start;
		},
		/** Returns what was written since the last call. */
		take() {
			const taken = pieces;
			pieces = [];
			return taken;
		},
		/** Presses a key, and returns the milliseconds until the first output and the bytes of all of it. */
		async press(key) {
			session.take();
			const at = performance.now();
			pty.write(key);
			await sleep(120);
			const taken = session.take();
			return {
				delay: (taken[0]?.at ?? Number.NaN) - at,
				bytes: taken.reduce((sum, piece) => sum + piece.bytes, 0),
			};
		},
		async end(key) {
			if (key) pty.write(key);
			else if (!isGone) pty.kill('SIGKILL');
			await ended;
		},
	};
	return session;
}

/** Returns a field of a file of /proc in megabytes. */
function memoryOf(pid, file, field) {
	const found = readFileSync(`/proc/${pid}/${file}`, 'utf8').matchAll(
		new RegExp(`${field}:\\s+(\\d+)`, 'g'),
	);
	return [...found].reduce((sum, [, size]) => sum + Number(size), 0) / 1024;
}

/** Returns the processor time of a process in milliseconds. */
function processorTimeOf(pid) {
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
		.replace(/\(.*\)/, '')
		.split(' ');
	return (Number(fields[12]) + Number(fields[13])) * 10;
}

/** Builds the simulator and runs it in this process, where its requests can be counted. */
async function openPlatform(options, speed = 1) {
	const file = join(folder, 'simulator.mjs');
	const { outputFiles } = await build({
		stdin: {
			contents: "export * from './source/simulator/simulator.ts';",
			resolveDir: root,
		},
		bundle: true,
		write: false,
		platform: 'node',
		format: 'esm',
		target: 'node20.19',
	});
	writeFileSync(file, outputFiles[0].contents);
	const { acceleratedClock, createSimulator } = await import(pathToFileURL(file).href);
	const simulator = await createSimulator({
		clock: acceleratedClock(wallClock, speed),
		computers: 1000,
		...options,
	});
	const { baseUrl, authUrl, anonKey, email, password } = simulator;
	return {
		simulator,
		env: {
			CROWSNEST_URL: baseUrl,
			CROWSNEST_AUTH_URL: authUrl,
			CROWSNEST_ANON_KEY: anonKey,
			CROWSNEST_EMAIL: email,
			CROWSNEST_PASSWORD: password,
		},
	};
}

const wallClock = {
	now: () => Date.now(),
	after(milliseconds, call) {
		const timer = setTimeout(call, milliseconds);
		return () => clearTimeout(timer);
	},
};

/** Runs `crowsnest simulate` beside, and returns the variables that connect the program with it. */
async function simulateBeside(computers) {
	const words = [bundle, 'simulate', '--computers', String(computers)];
	const child = spawnChild(process.execPath, words, {
		env: environment('platform'),
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	let output = '';
	child.stdout.on('data', data => {
		output += data;
	});
	while (!output.includes('PASSWORD=')) await sleep(20);
	const variables = [...output.matchAll(/^export (\w+)=(.*)$/gm)];
	const env = Object.fromEntries(variables.map(([, name, value]) => [name, value]));
	return { env, close: () => child.kill() };
}

const monitor = [process.execPath, bundle];
const aFleet = /\n.{3}\w[\w-]* +[●✖◐○]/;
const answersKeys = /q quit/;

/** Runs the monitor until everything has been read and kept, and quits it as a person does. */
async function startOnce(env) {
	const session = open(monitor, env);
	await session.sees(answersKeys);
	await sleep(6000);
	await session.end('q');
}

async function timeOf(words, env) {
	const start = performance.now();
	const child = spawnChild(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'ignore'] });
	child.stdout.resume();
	await new Promise(resolve => child.on('close', resolve));
	return performance.now() - start;
}

async function measureStart() {
	title('Start, with an account of 1,000 computers: times of `node -e 0`');
	const manyRequests = { create: 10_000, status: 10_000, other: 10_000 };
	const { simulator, env: connection } = await openPlatform({ limits: manyRequests });
	const env = environment('start', connection);
	await startOnce(env);
	for (const command of ['list', 'status']) await timeOf([bundle, command], env);
	// A state folder without the log of requests, so that no start waits for the limits.
	const isKept = path => !/\/requests-|\.sock/.test(path);
	const withState = name => {
		const place = join(folder, name);
		cpSync(join(env.XDG_STATE_HOME, 'crowsnest'), place, { recursive: true, filter: isKept });
		// Newer versions of Node give the copy of a folder the usual mode, which others can read.
		execFileSync('chmod', ['-R', 'go=', place]);
		return { ...env, CROWSNEST_STATE_DIR: place };
	};
	const times = { node: [], kept: [], nothing: [], list: [], status: [] };
	for (let run = 0; run < 11; run++) {
		times.node.push(await timeOf(['-e', '0'], env));
		times.list.push(await timeOf([bundle, 'list'], withState(`list-${run}`)));
		times.status.push(await timeOf([bundle, 'status'], env));
		const kept = open(monitor, withState(`kept-${run}`));
		times.kept.push(await kept.sees(answersKeys));
		await kept.end();
		const empty = { ...env, CROWSNEST_STATE_DIR: join(folder, `empty-${run}`) };
		const session = open(monitor, empty);
		times.nothing.push(await session.sees(aFleet));
		await session.end();
	}
	await simulator.close();
	const node = median(times.node);
	const reportRatio = (what, values, most) => report(what, median(values) / node, '×', most);
	report('node -e 0', node, 'ms');
	reportRatio('first picture that answers keys, kept fleet', times.kept, 5);
	reportRatio('rows with nothing kept', times.nothing, 8);
	reportRatio('crowsnest list', times.list, 7);
	reportRatio('crowsnest status', times.status, 3);
}

/** Measures keys, bytes, processor time and memory of a program that shows a fleet. */
async function measureScreen(words, env, goals = {}, isReady = answersKeys) {
	const session = open(words, env);
	await session.sees(isReady, 20);
	await sleep(8000);
	const answers = async (key, count) => {
		const found = [];
		for (let at = 0; at < count; at++) found.push(await session.press(key));
		return found.filter(({ delay }) => !Number.isNaN(delay));
	};
	await answers('j', 10);
	const moves = await answers('j', 20);
	const pages = await answers(pageDown, 12);
	const delays = [...moves, ...(await answers('j', 100)), ...pages].map(({ delay }) => delay);
	report('key to picture: median', median(delays), 'ms', goals.median);
	report('key to picture: 95th percentile', percentile(delays, 0.95), 'ms', goals.slow);
	if (goals.isLarge) {
		report('memory: peak', memoryOf(session.pid, 'status', 'VmHWM'), 'MB', goals.peak);
		return session.end('q');
	}
	report('bytes of a move', median(moves.map(({ bytes }) => bytes)), 'B', goals.move);
	report('bytes of a page', median(pages.map(({ bytes }) => bytes)), 'B', goals.page);
	await sleep(20_000);
	session.take();
	const [seconds, before] = [30, processorTimeOf(session.pid)];
	await sleep(seconds * 1000);
	const bytes = session.take().reduce((sum, piece) => sum + piece.bytes, 0) / seconds;
	report('bytes of a second at rest', bytes, 'B', goals.rest);
	const share = (processorTimeOf(session.pid) - before) / (seconds * 10);
	report('processor time at rest', share, '%', goals.processor);
	report('memory: peak', memoryOf(session.pid, 'status', 'VmHWM'), 'MB', goals.peak);
	const own = memoryOf(session.pid, 'smaps_rollup', 'Private_\\w+');
	report('memory: private', own, 'MB', goals.private);
	return session.end('q');
}

async function measureFleet(computers, goals) {
	title(`The monitor, ${computers.toLocaleString('en')} computers on ${columns}×${rows}`);
	const platform = await simulateBeside(computers);
	const env = environment(`fleet-${computers}`, platform.env);
	await startOnce(env);
	await measureScreen(monitor, env, goals);
	platform.close();
}

async function measureOthers() {
	title('The same kind of screen in Ink as published');
	const env = { ...environment('others'), NODE_ENV: 'production' };
	const isReady = /computer-20/;
	await measureScreen([process.execPath, `${root}scripts/bench/ink.js`], env, {}, isReady);
	const program = join(folder, 'ncurses');
	try {
		const words = ['-O2', '-o', program, `${root}scripts/bench/ncurses.c`, '-lncursesw', '-ltinfo'];
		execFileSync('cc', words, { stdio: 'ignore' });
	} catch {
		return title('No C compiler, or no ncurses: not compared with ncurses');
	}
	title('The same kind of screen in ncurses');
	return measureScreen([program], env, {}, isReady);
}

/** Returns the largest share of a limit that was used in any minute from a time on. */
function shareUsed({ requests }, from) {
	const limits = { status: 60, other: 30 };
	const shares = Object.entries(limits).flatMap(([scope, limit]) => {
		const times = requests
			.filter(each => each.arrivedAt >= from && each.scope === scope)
			.map(({ arrivedAt }) => arrivedAt);
		return times.map(at => times.filter(t => t >= at && t < at + 60_000).length / limit);
	});
	return Math.max(0, ...shares) * 100;
}

async function measureHour() {
	title('An hour of work, and what is used of the limits, with a clock of 20 times the speed');
	const speed = 20;
	const minute = 60_000 / speed;
	const program = join(folder, 'fast.cjs');
	await buildProgram({ entry: `${root}test/processes/fast/main.ts`, outfile: program });
	const { simulator, env: connection } = await openPlatform({}, speed);
	const env = environment('hour', connection);
	const session = open([process.execPath, program], env);
	await session.sees(answersKeys);
	await sleep(2 * minute);
	const calmFrom = simulator.world.now();
	const keys = ['j', 'j', pageDown, 'k', '\x1b[5~', 'G', 'g', '>', '<', '2', '1', '5', '1'];
	const resident = [];
	for (let passed = 0; passed < 60; passed++) {
		for (let press = 0; press < 10; press++) {
			session.write(keys[(passed * 10 + press) % keys.length]);
			await sleep(minute / 10);
		}
		resident.push(memoryOf(session.pid, 'status', 'VmRSS'));
	}
	const late = median(resident.slice(-10));
	report('limits used: calm', shareUsed(simulator, calmFrom), '%', 50);
	report('memory after an hour of work', late, 'MB', 190);
	report('growth since the first half hour', late - median(resident.slice(20, 30)), 'MB', 25);
	// The last key still counts as attention for five minutes.
	await sleep(7 * minute);
	const unattendedFrom = simulator.world.now();
	await sleep(10 * minute);
	report('limits used: unattended', shareUsed(simulator, unattendedFrom), '%', 25);
	await session.end();
	await simulator.close();
}

const parts = {
	start: measureStart,
	fleet: () =>
		measureFleet(1000, {
			median: 6,
			slow: 14,
			move: 600,
			page: 6000,
			rest: 500,
			processor: 3,
			peak: 150,
			private: 105,
		}),
	large: () => measureFleet(10_000, { median: 20, slow: 60, peak: 240, isLarge: true }),
	hour: measureHour,
	others: measureOthers,
};

const chosen = process.argv.slice(2);
const unknown = chosen.find(name => !Object.hasOwn(parts, name));
if (unknown) throw new Error(`No part ${unknown}. Choose from ${Object.keys(parts).join(', ')}.`);
await buildProgram();
const machine = `${cpus().length} cores of ${cpus()[0].model.trim()}, ${process.platform}`;
process.stdout.write(`Node ${process.version}, ${machine}\n`);
try {
	for (const [name, measure] of Object.entries(parts))
		if (chosen.length === 0 || chosen.includes(name)) await measure();
} finally {
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
title(missed === 0 ? 'All goals met' : `Goals missed: ${missed}`);
process.exit(missed === 0 ? 0 : 1);
