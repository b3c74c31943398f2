// Runs the built program inside the terminals and multiplexers that are installed here, and compares
// what they show with what the same program shows in an emulator of its own at the same time.
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
	// Two at once look at it: faster than time its limits are wide enough for both.
	const options = ['simulate', '--computers', '60', '--speed', '4'];
	const child = spawnChild(process.execPath, [program, ...options], {
		stdio: ['ignore', 'pipe', 'ignore'],
		env,
	});
	let told = '';
	child.stdout.on('data', data => {
		told += data;
	});
	while (!told.includes('PASSWORD=')) await sleep(20);
	for (const [, name, value] of told.matchAll(/^export (\w+)=(.*)$/gm)) env[name] = value;
	return child;
}

async function until(what, isSo) {
	const end = performance.now() + patience;
	for (;;) {
		const why = await isSo();
		if (why === undefined) return;
		if (performance.now() > end) throw new Error(`${what}: ${why}`);
		await sleep(200);
	}
}

/** Names, phases and rules of all rows; the numbers between them change by the second. */
const partOf = text =>
	text
		.trimEnd()
		.split('\n')
		.slice(2, -2)
		.map(line => line.slice(0, 28).trimEnd())
		.join('\n');

async function differenceOf(host, reference) {
	const [seen, wanted] = [await host.text(), await reference.text()];
	if (!wanted.includes('❯')) return 'the reference shows nothing';
	const [seenPart, wantedPart] = [partOf(seen), partOf(wanted)];
	if (seenPart === wantedPart) return undefined;
	const lines = wantedPart.split('\n');
	const at = seenPart.split('\n').findIndex((line, place) => line !== lines[place]);
	return `row ${at + 3} is “${seenPart.split('\n')[at]}” and should be “${lines[at]}”`;
}

/** The pids of the program where it runs with that folder for its state. */
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
			return pattern.test(text) ? undefined : `not seen: ${pattern} in\n${text}`;
		});
	const same = what => until(what, () => differenceOf(host, reference));
	const results = {};
	const step = async (what, work) => {
		try {
			await work();
			results[what] = 'right';
		} catch (error) {
			results[what] = `wrong: ${error.message}`;
		}
	};
	try {
		await step('picture', async () => {
			await sees('a shell', /prompt>/);
			host.type('echo before $((40 + 2)); $PROGRAM\r');
			await same('picture');
		});
		await step('Ctrl-Z, fg', async () => {
			host.type('\u001A');
			await sees('the shell again', /before 42[\s\S]*prompt>/);
			host.type('fg\r');
			await same('the picture again');
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
				await same('the picture again');
			});
		}
		await step('keys', async () => {
			for (const each of [host, reference]) each.type('jjj');
			await same('three rows down');
		});
		await step('quit', async () => {
			host.type('q');
			// What stood above may have left the screen with the resizes.
			await sees('the shell again', /prompt> *\n*$/);
			if (/❯|──/.test(await host.text())) throw new Error('a part of the picture stays');
		});
		await step('terminal killed', async () => {
			host.type('$PROGRAM\r');
			await until('started again', async () =>
				running(state).length > 0 ? undefined : 'not there',
			);
			await sleep(1500);
			end();
			await until('its end', async () => (running(state).length > 0 ? 'it runs on' : undefined));
		});
	} finally {
		host.close();
		reference.close();
		try {
			end();
		} catch {
			// It is gone already.
		}
	}
	return results;
}

const platform = await buildProgram({ outfile: program }).then(openPlatform);
let isAllRight = true;
try {
	for (const name of Object.keys(hosts)) {
		if (!isInstalled(name)) {
			process.stdout.write(`${name}: not installed here\n`);
			continue;
		}
		process.stdout.write(`${name}\n`);
		for (const [what, result] of Object.entries(await tryHost(name))) {
			isAllRight &&= result === 'right';
			process.stdout.write(`  ${what.padEnd(16)}${result}\n`);
		}
	}
} finally {
	platform.kill('SIGTERM');
	await sleep(300);
	rmSync(folder, { recursive: true, force: true });
}
process.exit(isAllRight ? 0 : 1);
