import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import type { Simulator } from '../../source/simulator/simulator.ts';
import { startLiveSimulator } from '../live-simulator.ts';

// These tests start real processes, because only a process has pipes that close, signals and an exit code.

const program = inject('program');
const folder = mkdtempSync(join(tmpdir(), 'crowsnest-scripts-'));
afterAll(() => rmSync(folder, { recursive: true }));

function start(simulator: Simulator, line: string) {
	const env = {
		PATH: process.env['PATH'] ?? '',
		HOME: folder,
		LANG: 'C.UTF-8',
		XDG_CACHE_HOME: inject('caches').program,
		CROWSNEST_URL: simulator.baseUrl,
		CROWSNEST_AUTH_URL: simulator.authUrl,
		CROWSNEST_ANON_KEY: simulator.anonKey,
		CROWSNEST_EMAIL: simulator.email,
		CROWSNEST_PASSWORD: simulator.password,
	};
	// Bash reports the exit code of each command in a pipe.
	const script = `crowsnest() { '${process.execPath}' '${program}' "$@"; }; ${line}`;
	const child = spawn('bash', ['--norc', '-c', script], { env });
	let [out, err] = ['', ''];
	child.stdout.on('data', chunk => {
		out += String(chunk);
	});
	child.stderr.on('data', chunk => {
		err += String(chunk);
	});
	child.stdin.end();
	const ended = new Promise<{ code: number | null; out: string; err: string }>(resolve =>
		child.on('close', code => resolve({ code, out, err })),
	);
	return { child, ended, out: () => out };
}

test('with --json a command prints all of its JSON on stdout and only errors on stderr, and exits with the right code', async () => {
	// More than a pipe holds, so an exit that came too early would cut the output off.
	const simulator = await startLiveSimulator({ computers: 300 });
	const { code, out, err } = await start(simulator, 'crowsnest list --json | cat').ended;
	expect({ code, err }).toEqual({ code: 0, err: '' });
	expect(out.length).toBeGreaterThan(65_536);
	expect(JSON.parse(out)).toHaveLength(300);
	const wrong = await start(simulator, 'crowsnest stop nobody --yes --json').ended;
	expect(wrong).toMatchObject({ code: 2, out: '' });
	expect(JSON.parse(wrong.err).error.kind).toBe('usage');
});

test.each([
	['list --json', 300],
	['man', 0],
] as const)(
	'crowsnest %s ends without an error when its pipe is closed early',
	async (command, computers) => {
		const simulator = await startLiveSimulator({ computers });
		const line = `crowsnest ${command} | head -n 1; exit \${PIPESTATUS[0]}`;
		const { code, out, err } = await start(simulator, line).ended;
		expect({ code, err }).toEqual({ code: 0, err: '' });
		expect(out.split('\n')).toHaveLength(2);
	},
);

test('crowsnest watch ends when the reader closes the pipe', async () => {
	const simulator = await startLiveSimulator();
	const { ended, out } = start(
		simulator,
		`crowsnest watch --json | head -n 1; echo \${PIPESTATUS[0]}`,
	);
	const names = ['atlas', 'borealis', 'atlas', 'borealis'];
	const change = setInterval(() => {
		const name = names.shift() ?? 'atlas';
		simulator.world.find(simulator.world.get(name).id)?.state === 'active'
			? simulator.world.fail(name)
			: simulator.world.wake(name);
	}, 1_500);
	const { err } = await ended.finally(() => clearInterval(change));
	const [first, code] = out().split('\n');
	expect(JSON.parse(first ?? '')).toMatchObject({ event: 'status' });
	expect(code).toBe('0');
	expect(
		err
			.split('\n')
			.filter(Boolean)
			.map(line => Object.keys(JSON.parse(line))),
	).toEqual([['notice']]);
});
