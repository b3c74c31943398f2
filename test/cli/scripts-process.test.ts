import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, inject, onTestFinished, test } from 'vitest';
import { listening, portOf } from '../platform/loopback.ts';
import { type LiveAccount, startLiveAccount } from '../processes/live-account.ts';

// These tests start real processes, because only a process has pipes that close, signals and an exit code.

const program = inject('program');
const folder = mkdtempSync(join(tmpdir(), 'crowsnest-scripts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const many = await startLiveAccount({ computers: 200 });

const environment = {
	PATH: process.env['PATH'] ?? '',
	HOME: folder,
	XDG_CACHE_HOME: inject('caches').program,
};

async function start({ signedIn }: LiveAccount, line: string, more: Record<string, string> = {}) {
	const env = { ...environment, ...more, LANG: 'C.UTF-8', ...signedIn };
	// Bash reports the exit code of each command in a pipe.
	const script = `crowsnest() { '${process.execPath}' '${program}' "$@"; }; ${line}`;
	const running = promisify(execFile)('bash', ['--norc', '-c', script], { env });
	running.child.stdin?.end();
	const { code = 0, stdout, stderr } = await running.catch(failure => failure);
	return { code, out: stdout, err: stderr };
}

test('with --json a command prints all of its JSON on stdout, and ends without an error when its pipe is closed early', async () => {
	// The output is larger than a pipe can hold, so it would be cut off if the program exited too early.
	const [all, first] = await Promise.all([
		start(many, 'crowsnest list --json | cat'),
		start(many, `crowsnest list --json | head -n 1; exit \${PIPESTATUS[0]}`),
	]);
	expect(all).toMatchObject({ code: 0, err: '' });
	expect(all.out.length).toBeGreaterThan(65_536);
	expect(JSON.parse(all.out)).toHaveLength(200);
	expect(first).toMatchObject({ code: 0, err: '' });
	expect(first.out.split('\n')).toHaveLength(2);
});

test('a command whose time is over ends, although a proxy holds its connection and never answers', async () => {
	const sockets = new Set<Socket>();
	const proxy = await listening(
		createServer(socket => void sockets.add(socket.on('error', () => {}))),
	);
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
		proxy.close();
	});
	const more = { HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}` };
	const line =
		'CROWSNEST_URL=https://api.example/v1 CROWSNEST_AUTH_URL=https://id.example crowsnest list --timeout 1s';
	const { code, err } = await start(many, line, more);
	expect([code, err.trim()]).toEqual([3, 'crowsnest: Timed out after 1 s']);
	expect(sockets.size).toBeGreaterThan(0);
});

test('SIGUSR1 opens no inspector', async () => {
	const child = spawn(process.execPath, [program, 'simulate'], { env: environment });
	const [chunk] = await once(child.stdout, 'data');
	const [, url = ''] = /CROWSNEST_URL=(\S+)/.exec(String(chunk)) ?? [];
	let err = '';
	child.stderr.on('data', text => {
		err += String(text);
	});
	child.kill('SIGUSR1');
	expect((await fetch(`${url}/platform/sandbox`)).status).toBe(401);
	child.kill('SIGTERM');
	await once(child, 'close');
	expect(err).not.toContain('Debugger');
});
