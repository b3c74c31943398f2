// Checks that the program and the unit tests run on every supported version of Node. The binaries come
// from the npm package `node` and are installed into a temporary folder.
//
//   npm run versions                    checks all versions
//   npm run versions -- 22              checks one version
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
/** The tests take much less time than this, even on a busy machine. */
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
		'the fleet in a pipe': () => expectText(run(node, [bundle, '--demo'], env), /atlas/),
		'the monitor in a terminal': () => openMonitor(node, env),
		'simulate and list': () => list(node, env),
		'the unit tests': () => test(node),
	};
	for (const [what, step] of Object.entries(steps)) {
		say(`${name}  ${what} … `);
		await step();
		say('ok\n');
	}
}

/** Installs the newest release of this Node version, and returns the path of its binary. */
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
	if (!pattern.test(text)) throw new Error(`Expected ${pattern} in:\n${text}`);
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
			if (left < 0) throw new Error(`The monitor did not show the fleet:\n${text()}`);
			await sleep(50);
		}
		pty.write('q');
		const code = await Promise.race([ended, sleep(limit, undefined, { ref: false })]);
		if (code !== 0)
			throw new Error(`The monitor did not exit cleanly after q (exit code ${code}):\n${text()}`);
	} finally {
		pty.kill();
	}
}

/** Runs `crowsnest list` against `crowsnest simulate`, each in its own process. */
async function list(node, env) {
	const platform = spawn(node, [bundle, 'simulate'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
	try {
		const account = await accountFrom(platform.stdout);
		expectText(run(node, [bundle, 'list', '--json'], { ...env, ...account }), /"atlas"/);
	} finally {
		platform.kill();
	}
}

/** Reads the environment variables that the simulator prints. */
async function accountFrom(stream) {
	let text = '';
	for await (const chunk of stream.setEncoding('utf8')) {
		text += chunk;
		const pairs = [...text.matchAll(/(CROWSNEST_\w+)='?([^'\s]+)'?/g)];
		if (pairs.some(([, name]) => name === 'CROWSNEST_PASSWORD')) {
			return Object.fromEntries(pairs.map(([, name, value]) => [name, value]));
		}
	}
	throw new Error(`The simulator exited early:\n${text}`);
}

/** Prints the output of the tests only if they fail or exceed the time limit. */
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
