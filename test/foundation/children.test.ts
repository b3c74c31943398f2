import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createActivity } from '../../source/foundation/activity.ts';
import { type ChildOptions, maxOutputLength, runChild } from '../../source/foundation/children.ts';
import { createHeldClock } from '../held-clock.ts';
import { isProcessRunning } from '../processes/running.ts';

const environment = { PATH: process.env['PATH'] };

function run(command: readonly string[], options: Partial<ChildOptions> = {}) {
	const clock = createHeldClock();
	const activity = createActivity();
	const runningChildren = new Set<() => void>();
	const kill = process.kill.bind(process);
	const effects = { spawn, kill, clock, activity, runningChildren };
	const result = runChild({ command, environment, ...options }, effects);
	return { clock, activity, runningChildren, result };
}

const shell = (script: string, options: Partial<ChildOptions> = {}) =>
	run(['sh', '-c', script], options);

const pause = () => new Promise(resolve => setTimeout(resolve, 10));

/** Runs a script that starts a process and tells its id with `$TELL`. */
async function runWithGrandchild(script: string, options: Partial<ChildOptions> = {}) {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-child-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const file = join(folder, 'written');
	const child = shell(script.replace('TELL', `echo $! > ${file}`), options);
	while (!existsSync(file) || readFileSync(file, 'utf8') === '') await pause();
	const pid = Number(readFileSync(file, 'utf8'));
	async function untilEnded() {
		while (isProcessRunning(pid)) await pause();
	}
	return { ...child, pid, untilEnded };
}

const stubborn = "trap '' TERM INT; sleep 60 & TELL; while :; do wait; done";

test('a child gets its arguments unchanged, the text on its stdin, and additional variables', async () => {
	const { result, activity } = run(
		['sh', '-c', 'printf "<%s>" "$@"; cat; printf "%s" "$GREETING" >&2', 'sh', '$(id)', 'a b', ''],
		{ input: '{"name":"nova"}', variables: { GREETING: 'hello' } },
	);
	expect(activity.pendingCount).toBe(1);
	expect(await result).toEqual({
		ending: { kind: 'exited', code: 0 },
		stdout: '<$(id)><a b><>{"name":"nova"}',
		stderr: 'hello',
	});
	expect(activity.pendingCount).toBe(0);
});

const notStarted = (reason: string) => ({ kind: 'notStarted', reason });

test.each<[readonly string[], object]>([
	[['sh', '-c', 'exit 7'], { kind: 'exited', code: 7 }],
	[['sh', '-c', 'kill -9 $$'], { kind: 'killed', signal: 'SIGKILL' }],
	[['no-such-program'], notStarted('no such file or directory')],
	[['/etc/passwd'], notStarted('permission denied')],
	[['echo', 'a\0b'], notStarted('ERR_INVALID_ARG_VALUE')],
	[['echo', 'a'.repeat(200_000)], notStarted('argument list too long')],
	[[], { kind: 'notStarted' }],
])('the command %j ends as %j', async (command, ending) => {
	expect((await run(command).result).ending).toMatchObject(ending);
});

test('a child that does not read its input causes no error', async () => {
	const { ending } = await run(['true'], { input: 'x'.repeat(1_000_000) }).result;
	expect(ending).toEqual({ kind: 'exited', code: 0 });
});

test('a child gets no secret of the program', async () => {
	const secrets = { CROWSNEST_NEW_TOKEN: 'secret-value', COPY: 'x secret-value' };
	const { stdout } = await run(['env'], { environment: { ...environment, ...secrets } }).result;
	expect(stdout).toContain('PATH=');
	expect(stdout).not.toContain('secret-value');
});

test('a child has no terminal and leads a group of its own', async () => {
	const script = 'ps -o pgid= -p $$; echo $$; cat </dev/tty 2>/dev/null || echo none';
	const [group, pid, terminal] = (await shell(script).result).stdout.trim().split(/\s+/);
	expect([group, terminal]).toEqual([pid, 'none']);
});

test('a child that takes too long is ended together with the processes that it started', async () => {
	const script = 'sleep 60 & TELL; wait';
	const { result, clock, pid, untilEnded } = await runWithGrandchild(script, { timeoutMs: 10_000 });
	clock.move(9_999);
	expect(isProcessRunning(pid)).toBe(true);
	clock.move(1);
	await untilEnded();
	clock.move(2_000);
	expect((await result).ending).toEqual({ kind: 'timedOut', timeoutMs: 10_000 });
	expect(clock.waiting).toBe(0);
});

test('processes that ignore SIGTERM are ended two seconds after a child is aborted', async () => {
	const controller = new AbortController();
	const { signal } = controller;
	const { result, clock, pid, untilEnded } = await runWithGrandchild(stubborn, { signal });
	controller.abort();
	clock.move(1_999);
	await pause();
	expect(isProcessRunning(pid)).toBe(true);
	clock.move(1);
	expect((await result).ending).toEqual({ kind: 'aborted' });
	await untilEnded();
	expect(clock.waiting).toBe(0);
});

test('a child whose signal is already aborted is ended at once', async () => {
	const { result, clock } = run(['sleep', '60'], { signal: AbortSignal.abort() });
	while (clock.waiting > 0) {
		clock.move(100);
		await pause();
	}
	expect((await result).ending).toEqual({ kind: 'aborted' });
});

test('when the program exits, no process of a running group survives, even if it ignores SIGTERM', async () => {
	const { result, runningChildren, untilEnded } = await runWithGrandchild(stubborn);
	for (const kill of runningChildren) kill();
	expect((await result).ending).toEqual({ kind: 'killed', signal: 'SIGKILL' });
	await untilEnded();
});

test.each(['sleep 60 & echo $!', 'sleep 60 >/dev/null 2>&1 & echo $!'])(
	'what a finished child left in the background (%s) is neither awaited nor ended, also at exit',
	async script => {
		const { result, clock, runningChildren } = shell(script);
		let left = 0;
		void result.then(({ stdout }) => {
			left = Number(stdout);
		});
		while (left === 0) {
			clock.move(100);
			await pause();
		}
		expect((await result).ending).toEqual({ kind: 'exited', code: 0 });
		for (const kill of runningChildren) kill();
		await pause();
		expect(isProcessRunning(left)).toBe(true);
		process.kill(left, 'SIGKILL');
	},
);

test('only the end of a long output is kept', async () => {
	const script = 'head -c 3000000 /dev/zero | tr "\\0" x; printf "…end"; echo problem >&2';
	const { stdout, stderr } = await shell(script).result;
	expect(stdout).toMatch(/^x+…end$/);
	expect(stdout).toHaveLength(maxOutputLength);
	expect(stderr).toBe('problem\n');
});

test('the output arrives while the child runs, in whole characters', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-child-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const file = join(folder, 'received');
	const received: string[] = [];
	// The child writes the rest only after the beginning has arrived.
	const onOutput: ChildOptions['onOutput'] = (text, source) => {
		received.push(`${source}: ${text}`);
		writeFileSync(file, 'go on');
	};
	const untilReceived = `while [ ! -e '${file}' ]; do sleep 0.01; done`;
	const script = `printf 'na\\303'; ${untilReceived}; printf '\\257ve'; printf oh >&2`;
	expect((await shell(script, { onOutput }).result).stdout).toBe('naïve');
	expect(received.filter(text => text.startsWith('stdout')).join('')).toBe('stdout: nastdout: ïve');
	expect(received).toContain('stderr: oh');
});
