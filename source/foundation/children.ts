import type { ChildProcess, SpawnOptions } from 'node:child_process';
import type { Activity } from './activity.ts';
import type { Clock } from './clock.ts';

/** Starts a process, like `spawn` of `node:child_process`. */
export type Spawn = (file: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

/** A function for each child that runs, which kills it and its group without waiting, because an exiting process cannot wait. */
export type RunningChildren = Set<() => void>;

/** The effects on the outside world that running a child needs, as parameters. */
export type ChildEffects = {
	spawn: Spawn;
	/** Sends a signal, as `process.kill` does: to a process, or to a group if the number is negative. */
	kill: (pid: number, signal: NodeJS.Signals | 0) => unknown;
	clock: Clock;
	/** Counts the child as work under way. */
	activity?: Activity | undefined;
	runningChildren?: RunningChildren | undefined;
};

export type ChildOptions = {
	/** The program and its arguments. No shell reads them. */
	command: readonly string[];
	/** The environment of this program. The child inherits it without the secrets. */
	environment: Environment;
	/** Variables that the child gets in addition. */
	variables?: Environment;
	/** The text on the child's stdin; by default, stdin is empty. */
	input?: string | undefined;
	/**
	 * What the child has of the terminal. By default it has nothing, and leads a session and a group of its own. In all other
	 * cases it stays in the group of this program, because a terminal stops the processes of other groups.
	 *
	 * - `openable`: the child may open the terminal by itself.
	 * - `questions`: it asks there, and its stdout is still read here.
	 * - `all`: it reads and writes there.
	 */
	terminal?: 'openable' | 'questions' | 'all' | undefined;
	/** The time limit in milliseconds; undefined for none. */
	timeoutMs?: number | undefined;
	/** Ends the child and its group when it is aborted. */
	signal?: AbortSignal;
	/** Receives the output as it is written, in whole characters. */
	onOutput?: (text: string, source: 'stdout' | 'stderr') => void;
};

/** How a child process ended. */
export type ChildEnding =
	| { kind: 'exited'; code: number }
	| { kind: 'killed'; signal: string }
	/** The process was not started, for example because there is no such program. */
	| { kind: 'notStarted'; reason: string }
	| { kind: 'timedOut'; timeoutMs: number }
	| { kind: 'aborted' };

/** The output is its end, which says how the work ended. */
export type ChildResult = { ending: ChildEnding; stdout: string; stderr: string };

/** The number of characters that are kept of stdout, and of stderr. */
export const maxOutputLength = 1_000_000;

// Processes that the child left running may keep its output open for ever. Its own output arrives within this time.
const outputTimeoutMs = 500;

const killAfterMs = 2_000;

/** Runs a program without a shell and waits until it has ended. Every problem is a value; the promise never rejects. */
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
		ending = { kind: 'notStarted', reason: startProblemOf(error) };
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

/** Waits until the child and its output have ended. Rejects if the child was not started. */
function endingOf(
	child: ChildProcess,
	{ timeoutMs, signal, terminal }: ChildOptions,
	{ clock, kill, runningChildren }: ChildEffects,
): Promise<ChildEnding> {
	/** Sends a signal to the child and the processes of its group. Returns whether there are any. */
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
		/** Why this program ends the child; undefined while the child runs on its own. */
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

/**
 * Goes on reading the output and drops it, without keeping this program running. Processes that the child left running may
 * still write, and would fail at a closed pipe.
 */
function release(child: ChildProcess) {
	for (const stream of [child.stdout, child.stderr]) {
		if (!stream || stream.destroyed) continue;
		stream.removeAllListeners('data');
		stream.resume();
		if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
	}
}

const problemByCode: Readonly<Record<string, string>> = {
	ENOENT: 'there is no such program',
	EACCES: 'it may not be executed',
	ENOEXEC: 'it is not a program',
	E2BIG: 'its arguments are too long',
	EAGAIN: 'there are too many processes',
	ENOMEM: 'there is not enough memory',
	ERR_INVALID_ARG_VALUE: 'an argument contains a NUL character',
};

/** Returns why a program could not be started. The message of Node would quote the arguments. */
function startProblemOf(error: unknown): string {
	const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
	return problemByCode[code] ?? code;
}

/** The variables of a process, as Node has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Recognises the secrets of this program by their names, so that one of a later version is withheld as well. */
export const isSecretVariable = (name: string) =>
	/^CROWSNEST_.*(PASSW|TOKEN|SECRET|KEY|CREDENTIAL)/i.test(name);

/** A shorter secret may occur in other variables by chance, so those are kept. */
const minSecretLength = 8;

/**
 * Returns the environment for a child without the secrets of this program, and without variables that contain the value of one,
 * such as the variable of a shell from which it was copied.
 */
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
