import type { ChildProcess, SpawnOptions } from 'node:child_process';
import type { Activity } from './activity.ts';
import type { Clock } from './clock.ts';
import { durationText } from './duration.ts';
import { systemReasonOf } from './error.ts';

export type Spawn = (file: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

/** Each kills a running child and its group without waiting, because an exiting process cannot wait. */
export type RunningChildren = Set<() => void>;

export type ChildEffects = {
	spawn: Spawn;
	kill: (pid: number, signal: NodeJS.Signals | 0) => unknown;
	clock: Clock;
	activity?: Activity | undefined;
	runningChildren?: RunningChildren | undefined;
};

export type ChildOptions = {
	command: readonly string[];
	environment: Environment;
	variables?: Environment;
	input?: string | undefined;
	/**
	 * By default the child leads a session of its own. Otherwise it stays in the group of this program, because a terminal
	 * stops others.
	 *
	 * - `openable`: the child may open the terminal by itself.
	 * - `questions`: it asks there, and its stdout is still read here.
	 * - `all`: it reads and writes there.
	 */
	terminal?: 'openable' | 'questions' | 'all' | undefined;
	timeoutMs?: number | undefined;
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

// Processes that the child left running may keep its output open for ever.
const outputTimeoutMs = 500;

const killAfterMs = 2_000;

/** Every problem is a value; the promise never rejects. */
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
		// A new session has no controlling terminal, so the child cannot open /dev/tty either.
		detached: terminal === undefined,
	});
	// A child that does not read its input may close it early.
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

/** Processes that the child left running would fail at a closed pipe, so their output is read and dropped. */
function release(child: ChildProcess) {
	for (const stream of [child.stdout, child.stderr]) {
		if (!stream || stream.destroyed) continue;
		stream.removeAllListeners('data');
		stream.resume();
		if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
	}
}

/** Undefined if the child has succeeded. */
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

/** The message of Node would quote the arguments. */
const codeOf = (error: unknown) =>
	error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Recognises the secrets of this program by their names, so that one of a later version is withheld as well. */
export const isSecretVariable = (name: string) =>
	/^CROWSNEST_.*(PASSW|TOKEN|SECRET|KEY|CREDENTIAL)/i.test(name);

/** A shorter secret may occur in other variables by chance, so those are kept. */
const minSecretLength = 8;

/** Variables that contain the value of a secret are withheld too, such as one of a shell from which it was copied. */
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
