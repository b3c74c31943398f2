import type { ChildProcess, SpawnOptions } from 'node:child_process';
import type { Activity } from '../foundation/activity.ts';
import type { Clock } from '../foundation/clock.ts';
import { type Environment, withoutSecrets } from './child-environment.ts';

/** Starts a process, like `spawn` of `node:child_process`. */
export type Spawn = (file: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

/** The children that run. */
export type RunningChildren = ReturnType<typeof createRunningChildren>;

export function createRunningChildren() {
	const kills = new Set<() => void>();
	return {
		/** Adds a child. Returns a function that removes it, to be called when the child has ended. */
		add(kill: () => void): () => void {
			kills.add(kill);
			return () => void kills.delete(kill);
		},
		/** Ends all children and their groups without waiting, because the exiting process cannot wait. */
		killAll() {
			for (const kill of kills) kill();
			kills.clear();
		},
	};
}

/** The effects on the outside world that running a child needs, as parameters. */
export type ChildEffects = {
	spawn: Spawn;
	/** Sends a signal, as `process.kill` does: to a process, or to a group if the number is negative. */
	kill: (pid: number, signal: NodeJS.Signals | 0) => unknown;
	clock: Clock;
	/** Counts the child as work under way. */
	activity?: Activity | undefined;
	/** Receives the child while it runs. */
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

export type ChildResult = {
	ending: ChildEnding;
	/** The end of the output, because it says how the work ended. */
	stdout: string;
	stderr: string;
};

/** The number of characters that are kept of stdout, and of stderr. */
export const maxOutputLength = 1_000_000;

// After the child has ended, other processes that it started may keep its output open for ever. This time is enough
// for the child's own output to arrive.
const pipeTimeoutMs = 500;

/** The time between SIGTERM and SIGKILL. */
const terminationGraceMs = 2_000;

/**
 * Runs a program without a shell and waits until it has ended. Every problem is a value; the promise never rejects.
 *
 * ```
 *   running ── exit ──────────────────────────────▶ ended, when its output is read
 *      ├────── timeout, abort: SIGTERM to the group ──▶ SIGKILL after 2 s ──▶ ended
 *      └────── this program exits: SIGKILL to the group
 * ```
 */
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
	} catch (error) {
		// Node throws for a NUL character, which no argument can contain.
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
		shell: false,
		stdio: terminal === 'all' ? 'inherit' : piped,
		// A new session has no controlling terminal, so the child cannot open /dev/tty either.
		detached: terminal === undefined,
		windowsHide: true,
	});
	// A child that does not read its input may close it early.
	child.stdin?.on('error', () => {});
	child.stdin?.end(input ?? '');
	return child;
}

/** Waits until the child and its output have ended. */
function endingOf(
	child: ChildProcess,
	{ timeoutMs, signal, terminal }: ChildOptions,
	{ clock, kill, runningChildren }: ChildEffects,
): Promise<ChildEnding> {
	const hasOwnGroup = terminal === undefined;

	/** Sends a signal to the child and the processes of its group. Returns whether there are any. */
	function send(signalName: NodeJS.Signals | 0): boolean {
		const isRunning = () => child.exitCode === null && child.signalCode === null;
		if (child.pid === undefined) return false;
		if (!hasOwnGroup) return isRunning() && child.kill(signalName);
		try {
			kill(-child.pid, signalName);
			return true;
		} catch {
			// No process of the group is left, or the system has no groups.
			return isRunning() && child.kill(signalName);
		}
	}

	return new Promise(resolve => {
		const remove = runningChildren?.add(() => void send('SIGKILL'));
		let cancelTimer = () => {};
		/** Why this program ends the child; undefined while the child runs on its own. */
		let reason: ChildEnding | undefined;
		let hasExited = false;

		const end = (ending: ChildEnding) => {
			hasExited = true;
			cancelTimer();
			remove?.();
			signal?.removeEventListener('abort', abort);
			// The pipes stay open, because processes that the child left running may still write, and would fail at a
			// closed pipe.
			release(child);
			resolve(ending);
		};
		const terminate = (why: ChildEnding) => {
			if (reason || hasExited) return;
			reason = why;
			cancelTimer();
			send('SIGTERM');
			cancelTimer = clock.after(terminationGraceMs, () => {
				send('SIGKILL');
				end(why);
			});
		};
		const abort = () => terminate({ kind: 'aborted' });
		if (timeoutMs !== undefined)
			cancelTimer = clock.after(timeoutMs, () => terminate({ kind: 'timedOut', timeoutMs }));
		child.on('error', error => {
			// Node also reports a signal that it could not send as an error.
			if (child.pid === undefined) end({ kind: 'notStarted', reason: startProblemOf(error) });
		});
		child.on('exit', (code, killedBy) => {
			if (hasExited) return;
			// The rest of the group has the same time to end as its leader had.
			if (reason && hasOwnGroup && send(0)) return;
			hasExited = true;
			remove?.();
			cancelTimer();
			const own: ChildEnding =
				code === null ? { kind: 'killed', signal: killedBy ?? '' } : { kind: 'exited', code };
			child.on('close', () => end(reason ?? own));
			cancelTimer = clock.after(pipeTimeoutMs, () => end(reason ?? own));
		});
		if (signal?.aborted) abort();
		signal?.addEventListener('abort', abort, { once: true });
	});
}

/** Goes on reading the output of a child and drops it, without keeping this program running. */
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
