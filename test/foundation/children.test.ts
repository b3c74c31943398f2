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
	const kill = process.kill.bind(process);
	const effects = { spawn, kill, clock, activity };
	return { clock, activity, result: runChild({ command, environment, ...options }, effects) };
}

const shell = (script: string, options: Partial<ChildOptions> = {}) =>
	run(['sh', '-c', script], options);

const pause = () => new Promise(resolve => setTimeout(resolve, 10));

/** Waits until a child has written a file, and returns its text. */
async function writtenTo(path: string): Promise<string> {
	while (!existsSync(path) || readFileSync(path, 'utf8') === '') await pause();
	return readFileSync(path, 'utf8').trim();
}

function temporaryFile(): string {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-child-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	return join(folder, 'written');
}

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

test('the ending of a child contains its exit code, its signal, or why it was not started', async () => {
	const endingOf = async (command: readonly string[]) => (await run(command).result).ending;
	expect(await endingOf(['sh', '-c', 'exit 7'])).toEqual({ kind: 'exited', code: 7 });
	expect(await endingOf(['sh', '-c', 'kill -9 $$'])).toEqual({ kind: 'killed', signal: 'SIGKILL' });
	const notStarted = (reason: string) => ({ kind: 'notStarted', reason });
	expect(await endingOf(['no-such-program'])).toEqual(notStarted('no such file or directory'));
	expect(await endingOf(['/etc/passwd'])).toEqual(notStarted('permission denied'));
	expect(await endingOf(['echo', 'a\0b'])).toEqual(notStarted('ERR_INVALID_ARG_VALUE'));
	expect(await endingOf(['echo', 'a'.repeat(200_000)])).toEqual(
		notStarted('argument list too long'),
	);
	expect(await endingOf([])).toMatchObject({ kind: 'notStarted' });
});

test('a child that does not read its input causes no error', async () => {
	const { ending } = await run(['true'], { input: 'x'.repeat(1_000_000) }).result;
	expect(ending).toEqual({ kind: 'exited', code: 0 });
});

test('a child has no terminal and leads a group of its own', async () => {
	const { stdout } = await shell(
		'ps -o pgid= -p $$; echo $$; cat </dev/tty 2>/dev/null || echo none',
	).result;
	const [group, pid, terminal] = stdout.trim().split(/\s+/);
	expect(group).toBe(pid);
	expect(terminal).toBe('none');
});

test('a child that takes too long is ended together with the processes that it started', async () => {
	const file = temporaryFile();
	const { result, clock } = shell(`sleep 60 & echo $! > ${file}; wait`, { timeoutMs: 10_000 });
	const pid = Number(await writtenTo(file));
	clock.move(9_999);
	expect(isProcessRunning(pid)).toBe(true);
	clock.move(1);
	while (isProcessRunning(pid)) await pause();
	clock.move(2_000);
	expect((await result).ending).toEqual({ kind: 'timedOut', timeoutMs: 10_000 });
	expect(clock.waiting).toBe(0);
});

test('processes that ignore SIGTERM are ended two seconds later', async () => {
	const file = temporaryFile();
	const stubborn = `trap '' TERM; sleep 60 & echo $! > ${file}; wait; wait`;
	const controller = new AbortController();
	const { result, clock } = shell(stubborn, { signal: controller.signal });
	const pid = Number(await writtenTo(file));
	controller.abort();
	clock.move(1_999);
	await pause();
	expect(isProcessRunning(pid)).toBe(true);
	clock.move(1);
	expect((await result).ending).toEqual({ kind: 'aborted' });
	while (isProcessRunning(pid)) await pause();
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

test('the result does not wait for processes that a child has left running, and does not end them', async () => {
	const { result, clock } = shell('sleep 60 & echo $!');
	let left = 0;
	const ended = result.then(({ ending, stdout }) => {
		expect(ending).toEqual({ kind: 'exited', code: 0 });
		left = Number(stdout);
	});
	while (left === 0) {
		clock.move(100);
		await pause();
	}
	await ended;
	expect(isProcessRunning(left)).toBe(true);
	process.kill(left);
});

test('only the end of a long output is kept', async () => {
	const script = 'head -c 3000000 /dev/zero | tr "\\0" x; printf "…end"; echo problem >&2';
	const { stdout, stderr } = await shell(script).result;
	expect(stdout).toMatch(/^x+…end$/);
	expect(stdout).toHaveLength(maxOutputLength);
	expect(stderr).toBe('problem\n');
});

test('the output arrives while the child runs, in whole characters', async () => {
	const file = temporaryFile();
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

test('when the program exits, no process of a running group survives, even if it ignores SIGTERM', async () => {
	const file = temporaryFile();
	const runningChildren = new Set<() => void>();
	const effects = { spawn, kill: process.kill.bind(process), clock: createHeldClock() };
	const script = `trap '' TERM INT; sleep 60 & echo $! > ${file}; while :; do wait; done`;
	const command = ['sh', '-c', script];
	const result = runChild({ command, environment }, { ...effects, runningChildren });
	const pid = Number(await writtenTo(file));
	for (const kill of runningChildren) kill();
	expect((await result).ending).toEqual({ kind: 'killed', signal: 'SIGKILL' });
	while (isProcessRunning(pid)) await pause();
});

test('a process that a finished child left in the background runs on when the program exits', async () => {
	const runningChildren = new Set<() => void>();
	const effects = { spawn, kill: process.kill.bind(process), clock: createHeldClock() };
	const command = ['sh', '-c', 'sleep 60 >/dev/null 2>&1 & echo $!'];
	const { stdout } = await runChild({ command, environment }, { ...effects, runningChildren });
	for (const kill of runningChildren) kill();
	await pause();
	expect(isProcessRunning(Number(stdout))).toBe(true);
	process.kill(Number(stdout), 'SIGKILL');
});
