import type { ChildProcess, SpawnOptions } from 'node:child_process';
import type { Activity } from './activity.ts';
import type { Clock } from './clock.ts';
import { durationText } from './duration.ts';
import { systemReasonOf } from './error.ts';

export type Spawn = (file: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

export type RunningChildren = Set<() => void>;

export type ChildEffects = {
	spawn: Spawn;
	kill: (pid: number, signal: NodeJS.Signals | 0) => unknown;
	clock: Clock;
	activity?: Activity;
	runningChildren?: RunningChildren;
};

export type ChildOptions = {
	command: readonly string[];
	environment: Environment;
	variables?: Environment;
	input?: string;
	/**
	 * By default the child leads a session of its own. With `openable` it may open the terminal by itself, with
	 * `questions` its stdout is still read here, and with `all` it has the whole terminal.
	 */
	terminal?: 'openable' | 'questions' | 'all';
	timeoutMs?: number;
	signal?: AbortSignal;
	onOutput?: (text: string, source: 'stdout' | 'stderr') => void;
};

export type ChildEnding =
	| { kind: 'exited'; code: number }
	| { kind: 'killed'; signal: string }
	| { kind: 'notStarted'; reason: string }
	| { kind: 'timedOut'; timeoutMs: number }
	| { kind: 'aborted' };

export type ChildResult = { ending: ChildEnding; stdout: string; stderr: string };

export const maxOutputLength = 1_000_000;

// What the child left running may keep its output open for ever.
const outputTimeoutMs = 500;

const killAfterMs = 2_000;

export async function runChild(options: ChildOptions, effects: ChildEffects): Promise<ChildResult> {
	const stopCounting = effects.activity?.begin();
	const output = { stdout: '', stderr: '' };
	let ending: ChildEnding;
	try {
		const child = startChild(options, effects.spawn);
		for (const source of ['stdout', 'stderr'] as const) {
			child[source]?.setEncoding('utf8').on('data', (text: string) => {
				output[source] += text;
				if (output[source].length > 2 * maxOutputLength) output[source] = endOf(output[source]);
				options.onOutput?.(text, source);
			});
		}
		ending = await endingOf(child, options, effects);
		release(child);
	} catch (error) {
		ending = { kind: 'notStarted', reason: systemReasonOf(error) ?? codeOf(error) };
	}
	stopCounting?.();
	return { ending, stdout: endOf(output.stdout), stderr: endOf(output.stderr) };
}

const endOf = (text: string) => text.slice(-maxOutputLength);

function startChild(options: ChildOptions, spawn: Spawn): ChildProcess {
	const { command, environment, variables, input, terminal } = options;
	const [file = '', ...args] = command;
	const stdin = input === undefined ? 'ignore' : 'pipe';
	const piped: SpawnOptions['stdio'] =
		terminal === 'questions' ? ['inherit', 'pipe', 'inherit'] : [stdin, 'pipe', 'pipe'];
	const child = spawn(file, args, {
		env: { ...withoutSecrets(environment), ...variables },
		stdio: terminal === 'all' ? 'inherit' : piped,
		// A new session has no controlling terminal, which the child could open as /dev/tty. One that has the terminal
		// stays in the group of this program, because a terminal stops others.
		detached: terminal === undefined,
	});
	child.stdin?.on('error', () => {});
	child.stdin?.end(input ?? '');
	return child;
}

function endingOf(
	child: ChildProcess,
	{ timeoutMs, signal, terminal }: ChildOptions,
	{ clock, kill, runningChildren }: ChildEffects,
): Promise<ChildEnding> {
	function send(signalName: NodeJS.Signals | 0): boolean {
		if (child.pid === undefined) return false;
		if (terminal !== undefined) return child.kill(signalName);
		try {
			kill(-child.pid, signalName);
			return true;
		} catch {
			return false;
		}
	}

	return new Promise((resolve, reject) => {
		const killNow = () => void send('SIGKILL');
		let reason: ChildEnding | undefined;
		let hasExited = false;
		let cancelTimer = () => {};

		function clean() {
			hasExited = true;
			cancelTimer();
			runningChildren?.delete(killNow);
			signal?.removeEventListener('abort', abort);
		}
		function end(ending: ChildEnding) {
			clean();
			resolve(ending);
		}
		function terminate(why: ChildEnding) {
			if (reason || hasExited) return;
			reason = why;
			cancelTimer();
			send('SIGTERM');
			cancelTimer = clock.after(killAfterMs, () => {
				killNow();
				end(why);
			});
		}
		const abort = () => terminate({ kind: 'aborted' });

		runningChildren?.add(killNow);
		if (timeoutMs !== undefined)
			cancelTimer = clock.after(timeoutMs, () => terminate({ kind: 'timedOut', timeoutMs }));
		child.on('error', error => {
			// Node also reports a signal that it could not send as an error.
			if (child.pid !== undefined) return;
			clean();
			reject(error);
		});
		child.on('exit', (code, killedBy) => {
			if (hasExited) return;
			// The rest of the group has the same time to end as its leader had.
			if (reason && terminal === undefined && send(0)) return;
			clean();
			const own: ChildEnding =
				code === null ? { kind: 'killed', signal: killedBy ?? '' } : { kind: 'exited', code };
			child.on('close', () => end(reason ?? own));
			cancelTimer = clock.after(outputTimeoutMs, () => end(reason ?? own));
		});
		signal?.addEventListener('abort', abort, { once: true });
		if (signal?.aborted) abort();
	});
}

/** What the child left running would fail at a closed pipe. */
function release(child: ChildProcess) {
	for (const stream of [child.stdout, child.stderr]) {
		if (!stream || stream.destroyed) continue;
		stream.removeAllListeners('data');
		stream.resume();
		if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
	}
}

export function childProblemText(ending: ChildEnding): string | undefined {
	switch (ending.kind) {
		case 'exited':
			return ending.code === 0 ? undefined : `ended with code ${ending.code}`;
		case 'killed':
			return `was ended by ${ending.signal}`;
		case 'notStarted':
			return `did not start: ${ending.reason}`;
		case 'timedOut':
			return `took longer than ${durationText(ending.timeoutMs)} and was ended`;
		case 'aborted':
			return 'was cancelled';
	}
}

const codeOf = (error: unknown) =>
	error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';

export type Environment = Readonly<Record<string, string | undefined>>;

/** By the name, so that a secret of a later version is withheld as well. */
export const isSecretVariable = (name: string) =>
	/^CROWSNEST_.*(PASSW|TOKEN|SECRET|KEY|CREDENTIAL)/i.test(name);

const minSecretLength = 8;

/** Also without variables that contain the value of a secret, such as one of a shell from which it was copied. */
export function withoutSecrets(environment: Environment): Environment {
	const entries = Object.entries(environment);
	const secrets = entries
		.filter(([name]) => isSecretVariable(name))
		.flatMap(([, value]) => (value && value.length >= minSecretLength ? [value] : []));
	const isHarmless = ([name, value]: readonly [string, string | undefined]) =>
		value !== undefined &&
		!isSecretVariable(name) &&
		!secrets.some(secret => value.includes(secret));
	return Object.fromEntries(entries.filter(isHarmless));
}
