import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type HookEvent, runHook } from '../../source/journal/hooks.ts';
import { createHeldClock } from '../held-clock.ts';
import { isProcessRunning } from '../processes/running.ts';
import { hookOn, temporaryFolder } from './hooked-fleet.ts';

const event: HookEvent = {
	account: 'work',
	kind: 'computerFailed',
	operation: null,
	merged: 0,
	time: '2026-11-21T08:00:00.000Z',
	computer: { id: 'sb_1', name: '$(touch x); "nova" `id`\n', address: '198.18.0.7' },
	from: 'active',
	to: 'error',
	reason: 'disk is full',
};

function run(script: string, path: string, environment: NodeJS.ProcessEnv = {}) {
	const clock = createHeldClock();
	const { signal } = new AbortController();
	const kill = process.kill.bind(process);
	const hook = hookOn(['computerFailed'], { command: ['sh', '-c', script, 'hook', path] });
	const failure = runHook(
		hook,
		event,
		{ PATH: process.env['PATH'], ...environment },
		{ spawn, kill, clock, signal },
	);
	return { clock, failure };
}

test('a hook gets the event as JSON and in its environment, and no secret', async () => {
	const path = join(temporaryFolder(), 'written');
	const script = 'cat > "$1"; env >> "$1"';
	const { failure } = run(script, path, {
		CROWSNEST_PASSWORD: 'correct horse',
		CROWSNEST_TOKEN: 'ey.token.value',
		COPY: 'ey.token.value',
		HOME: '/home/user',
	});
	expect(await failure).toBeUndefined();
	const [json = '', ...environment] = readFileSync(path, 'utf8').split('\n');
	expect(JSON.parse(json)).toEqual({
		kind: 'computerFailed',
		account: 'work',
		operation: null,
		merged: 0,
		computer: { id: 'sb_1', name: event.computer?.name, address: '198.18.0.7' },
		from: 'active',
		to: 'error',
		reason: 'disk is full',
		time: '2026-11-21T08:00:00.000Z',
	});
	expect(environment).toEqual(
		expect.arrayContaining([
			'CROWSNEST_EVENT=computerFailed',
			'CROWSNEST_COMPUTER_ID=sb_1',
			'CROWSNEST_REASON=disk is full',
			'HOME=/home/user',
		]),
	);
	expect(environment.join('\n')).not.toMatch(/correct horse|token\.value/);
});

test('a hook that takes too long is ended with everything that it started', async () => {
	const path = join(temporaryFolder(), 'pids');
	const script = 'sleep 600 & echo $! > "$1"; echo stuck >&2; wait';
	const { clock, failure } = run(script, path);
	await expect.poll(() => readPid(path)).toBeGreaterThan(0);
	clock.move(10_000);
	await expect.poll(() => isProcessRunning(readPid(path))).toBe(false);
	// Two seconds later, the rest of the group is killed.
	clock.move(3_000);
	expect(await failure).toMatchObject({
		kind: expect.stringContaining('took longer than 10'),
	});
});

test('a hook that cannot be started or fails says why, with its last line', async () => {
	const missing = runHook(
		hookOn(['computerFailed'], { command: ['/nowhere/program'] }),
		event,
		{},
		{ spawn, kill: () => true, clock: createHeldClock(), signal: new AbortController().signal },
	);
	expect((await missing)?.kind).toBe('was not started: there is no such program');
	const { failure } = run('echo one >&2; echo two >&2; exit 3', '');
	expect(await failure).toEqual({ kind: 'ended with code 3', said: ': two' });
});

function readPid(path: string): number {
	try {
		return Number(readFileSync(path, 'utf8'));
	} catch {
		return 0;
	}
}
