// Whether the program and the tests that start no process run on each version of Node that is supported. The versions
// come as binaries of the npm package `node`, into a folder that is thrown away.
//
//   npm run versions                    all of them
//   npm run versions -- 22              one of them
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn as openPty } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { buildProgram, bundle, root } from './build.js';

const supported = ['20.19', '22', '24'];
const limit = 60_000;
/** Far more than the tests take on a busy machine. */
const testLimit = 30 * 60_000;

const chosen = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'crowsnest-versions-'));
const say = text => process.stdout.write(text);

try {
	await buildProgram();
	for (const version of chosen.length > 0 ? chosen : supported) await check(version);
} catch (error) {
	say(`\n${error.message}\n`);
	process.exitCode = 1;
} finally {
	rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

async function check(version) {
	const node = installed(version);
	const name = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
	const home = join(folder, `home-${version}`);
	const env = {
		PATH: process.env.PATH,
		HOME: home,
		TERM: 'xterm-256color',
		LANG: 'C.UTF-8',
	};
	const steps = {
		'--version': () => expectText(run(node, [bundle, '--version'], env), /^crowsnest \d/),
		'the fleet into a pipe': () => expectText(run(node, [bundle, '--demo'], env), /atlas/),
		'the monitor in a terminal': () => openMonitor(node, env),
		'simulate and list': () => list(node, env),
		'the tests that start no process': () => test(node),
	};
	for (const [what, step] of Object.entries(steps)) {
		say(`${name}  ${what} … `);
		await step();
		say('ok\n');
	}
}

/** Where the binary of the newest Node of this version lies. */
function installed(version) {
	const prefix = join(folder, version);
	const options = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
	execFileSync('npm', ['install', '--prefix', prefix, ...options, `node@${version}`], {
		stdio: ['ignore', 'ignore', 'inherit'],
	});
	return join(prefix, 'node_modules', 'node', 'bin', 'node');
}

function run(node, words, env) {
	return execFileSync(node, words, { encoding: 'utf8', env, timeout: limit });
}

function expectText(text, pattern) {
	if (!pattern.test(text)) throw new Error(`This has nothing like ${pattern}:\n${text}`);
}

async function openMonitor(node, env) {
	const terminal = new headless.Terminal({ cols: 120, rows: 36, allowProposedApi: true });
	const pty = openPty(node, [bundle, '--demo'], { cols: 120, rows: 36, env });
	const ended = new Promise(resolve => pty.onExit(({ exitCode }) => resolve(exitCode)));
	pty.onData(data => terminal.write(data));
	terminal.onData(data => pty.write(data));
	const text = () =>
		Array.from({ length: terminal.rows }, (_, y) =>
			terminal.buffer.active.getLine(y)?.translateToString(true),
		).join('\n');
	try {
		for (let left = limit; !text().includes('atlas'); left -= 50) {
			if (left < 0) throw new Error(`The fleet was not shown:\n${text()}`);
			await sleep(50);
		}
		pty.write('q');
		const code = await Promise.race([ended, sleep(limit, undefined, { ref: false })]);
		if (code !== 0) throw new Error(`q did not end the monitor (${code}):\n${text()}`);
	} finally {
		pty.kill();
	}
}

/** The demo platform as a process of its own, and the list as a program that talks to it. */
async function list(node, env) {
	const platform = spawn(node, [bundle, 'simulate'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
	try {
		const account = await accountFrom(platform.stdout);
		expectText(run(node, [bundle, 'list', '--json'], { ...env, ...account }), /"atlas"/);
	} finally {
		platform.kill();
	}
}

/** The variables that the simulator prints for those who want to talk to it. */
async function accountFrom(stream) {
	let text = '';
	for await (const chunk of stream.setEncoding('utf8')) {
		text += chunk;
		const pairs = [...text.matchAll(/(CROWSNEST_\w+)='?([^'\s]+)'?/g)];
		if (pairs.some(([, name]) => name === 'CROWSNEST_PASSWORD')) {
			return Object.fromEntries(pairs.map(([, name, value]) => [name, value]));
		}
	}
	throw new Error(`The simulator ended:\n${text}`);
}

/** Prints what the tests wrote only if they fail, or if one of them never ends. */
function test(node) {
	const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
	return new Promise((resolve, reject) => {
		const tests = spawn(node, [vitest, 'run', '--project', 'unit'], { cwd: root });
		let output = '';
		for (const stream of [tests.stdout, tests.stderr]) {
			stream.setEncoding('utf8').on('data', text => {
				output += text;
			});
		}
		const timer = setTimeout(() => {
			tests.kill();
			output += `The tests did not end within ${testLimit / 60_000} minutes.\n`;
		}, testLimit);
		tests.on('close', code => {
			clearTimeout(timer);
			if (code === 0) resolve();
			else reject(new Error(output));
		});
	});
}
