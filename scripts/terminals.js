// Runs the built program in each installed terminal and multiplexer. Compares its screen with the screen of the same
// program in a terminal emulator.
import { spawn as spawnChild } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildProgram } from './build.js';
import { hosts, isInstalled, openEmulator } from './terminals/hosts.js';

const folder = mkdtempSync(join(tmpdir(), 'crowsnest-terminals-'));
const program = join(folder, 'crowsnest.cjs');
const { TMUX, STY, NO_COLOR, ...inherited } = process.env;
const env = {
	...inherited,
	TERM: 'xterm-256color',
	LANG: 'C.UTF-8',
	LC_ALL: 'C.UTF-8',
	HOME: folder,
	ENV: '/dev/null',
	PS1: 'prompt> ',
	PROGRAM: `${process.execPath} ${program}`,
};
const patience = 15_000;

async function openPlatform() {
	// Two programs share the account, so the platform runs faster to give them enough budget.
	const options = ['simulate', '--computers', '60', '--speed', '4'];
	const child = spawnChild(process.execPath, [program, ...options], {
		stdio: ['ignore', 'pipe', 'ignore'],
		env,
	});
	let output = '';
	child.stdout.on('data', data => {
		output += data;
	});
	while (!output.includes('PASSWORD=')) await sleep(20);
	for (const [, name, value] of output.matchAll(/^export (\w+)=(.*)$/gm)) env[name] = value;
	return child;
}

async function until(what, problemOf) {
	const end = performance.now() + patience;
	for (;;) {
		const problem = await problemOf();
		if (problem === undefined) return;
		if (performance.now() > end) throw new Error(`${what}: ${problem}`);
		await sleep(200);
	}
}

/** Returns the columns of the screen that do not change every second. */
const stablePartOf = text =>
	text
		.trimEnd()
		.split('\n')
		.slice(2, -2)
		.map(line => line.slice(0, 28).trimEnd())
		.join('\n');

async function differenceOf(host, reference) {
	const [screen, expectedScreen] = [await host.text(), await reference.text()];
	if (!expectedScreen.includes('❯')) return 'the emulator shows no fleet';
	const [actual, expected] = [screen, expectedScreen].map(text => stablePartOf(text).split('\n'));
	const at = expected.findIndex((line, place) => line !== actual[place]);
	if (at === -1 && actual.length === expected.length) return undefined;
	const row = at === -1 ? expected.length : at;
	return `row ${row + 3} is “${actual[row]}” and should be “${expected[row]}”`;
}

/** Returns the pids of the programs that run with this state folder. */
function running(state) {
	return readdirSync('/proc').filter(pid => {
		try {
			const isProgram = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program);
			return isProgram && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(state);
		} catch {
			return false;
		}
	});
}

async function tryHost(name) {
	const state = join(folder, `state-${name}`);
	const size = { columns: 120, rows: 30 };
	const setting = { ...size, cwd: folder, env: { ...env, CROWSNEST_STATE_DIR: state } };
	const own = { ...env, CROWSNEST_STATE_DIR: join(folder, 'state') };
	const reference = openEmulator(process.execPath, [program], { ...setting, env: own });
	let host = await hosts[name](setting);
	const { end } = host;
	const sees = (what, pattern) =>
		until(what, async () => {
			const text = await host.text();
			return pattern.test(text) ? undefined : `expected ${pattern} in\n${text}`;
		});
	const same = what => until(what, () => differenceOf(host, reference));
	const results = {};
	const step = async (what, work) => {
		try {
			await work();
			results[what] = 'passed';
		} catch (error) {
			results[what] = `failed: ${error.message}`;
		}
	};
	try {
		await step('screen', async () => {
			await sees('a shell', /prompt>/);
			host.type('echo before $((40 + 2)); $PROGRAM\r');
			await same('screen');
		});
		await step('Ctrl-Z, fg', async () => {
			host.type('\u001A');
			await sees('the shell again', /before 42[\s\S]*prompt>/);
			host.type('fg\r');
			await same('the screen again');
		});
		await step('resize', async () => {
			for (const [columns, rows] of [
				[80, 24],
				[160, 40],
				[100, 28],
			]) {
				for (const each of [host, reference]) each.resize(columns, rows);
				await same(`${columns}×${rows}`);
			}
		});
		if (host.reattach) {
			await step('detach, attach', async () => {
				host = { ...host, ...(await host.reattach({ columns: 100, rows: 28 })) };
				await same('the screen again');
			});
		}
		await step('keys', async () => {
			for (const each of [host, reference]) each.type('jjj');
			await same('three rows down');
		});
		await step('quit', async () => {
			host.type('q');
			// Only the prompt is expected, because the resizes may have moved the earlier output off the screen.
			await sees('the shell again', /prompt> *\n*$/);
			if (/❯|──/.test(await host.text())) throw new Error('a part of the screen stays behind');
		});
		await step('terminal killed', async () => {
			host.type('$PROGRAM\r');
			await until('started again', async () =>
				running(state).length > 0 ? undefined : 'the program does not run',
			);
			await sleep(1500);
			end();
			await until('exit', async () =>
				running(state).length > 0 ? 'the program still runs' : undefined,
			);
		});
	} finally {
		host.close();
		reference.close();
		try {
			end();
		} catch {
			// The terminal may already have exited.
		}
	}
	return results;
}

const platform = await buildProgram({ outfile: program }).then(openPlatform);
let hasPassed = true;
try {
	for (const name of Object.keys(hosts)) {
		if (!isInstalled(name)) {
			process.stdout.write(`${name}: not installed\n`);
			continue;
		}
		process.stdout.write(`${name}\n`);
		for (const [what, result] of Object.entries(await tryHost(name))) {
			hasPassed &&= result === 'passed';
			process.stdout.write(`  ${what.padEnd(16)}${result}\n`);
		}
	}
} finally {
	platform.kill('SIGTERM');
	await sleep(300);
	rmSync(folder, { recursive: true, force: true });
}
process.exit(hasPassed ? 0 : 1);
