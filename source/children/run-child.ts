import type { ChildProcess, SpawnOptions } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Activity } from '../foundation/activity.ts';
import type { Clock } from '../foundation/clock.ts';
import { type Environment, withoutSecrets } from './child-environment.ts';
import { createOutputEnd } from './output-end.ts';
import { createProcessGroup, type Kill } from './process-group.ts';
import type { RunningChildren } from './running-children.ts';

/** Starts a process, like `spawn` of `node:child_process`. */
export type Spawn = (file: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

/** The effects on the outside world that running a child needs, as parameters. */
export type ChildEffects = {
	spawn: Spawn;
	kill: Kill;
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
	 * Whether the child reads and writes the terminal by itself. It then stays in the group of this program, because a
	 * terminal stops the processes of other groups. Otherwise, the child runs in a session of its own without a terminal.
	 */
	hasTerminal?: boolean;
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
	/** The end of the output, at most `maxOutputBytes` bytes each. */
	stdout: string;
	stderr: string;
	/** How many bytes of the output were dropped because there were too many. */
	droppedBytes: number;
	durationMs: number;
};

/** The number of bytes that are kept of stdout, and of stderr. */
export const maxOutputBytes = 1_000_000;

// After the child has ended, other processes that it started may keep its output open for ever. This time is enough
// for the child's own output to arrive.
const pipeTimeoutMs = 500;

/**
 * Runs a program without a shell and waits until it has ended. Every problem is a value; the promise never rejects.
 *
 * ```
 *   running ── exit ──────────────────────────────▶ ended, when its output is read
 *      ├────── timeout, abort: SIGTERM to the group ──▶ SIGKILL after 2 s ──▶ ended
 *      └────── this program exits: SIGKILL to the group
 * ```
 */
export function runChild(options: ChildOptions, effects: ChildEffects): Promise<ChildResult> {
	const { clock, activity } = effects;
	const startedAt = clock.now();
	const stopCounting = activity?.begin() ?? (() => {});
	const outputs = [createOutputEnd(maxOutputBytes), createOutputEnd(maxOutputBytes)] as const;
	const [stdout, stderr] = outputs;
	const resultOf = (ending: ChildEnding): ChildResult => ({
		ending,
		stdout: stdout.text(),
		stderr: stderr.text(),
		droppedBytes: stdout.droppedBytes() + stderr.droppedBytes(),
		durationMs: clock.now() - startedAt,
	});

	const child = startChild(options, effects);
	if ('kind' in child) {
		stopCounting();
		return Promise.resolve(resultOf(child));
	}
	const { onOutput } = options;
	for (const [index, source] of (['stdout', 'stderr'] as const).entries()) {
		collect(child[source], chunk => outputs[index]?.add(chunk), onOutput, source);
	}
	// A child that does not read its input may close it early.
	child.stdin?.on('error', () => {});
	child.stdin?.end(options.input ?? '');
	return endingOf(child, options, effects).then(ending => {
		// The pipe stays open, because processes that the child left running may still write, and would fail at a
		// closed pipe.
		for (const stream of [child.stdout, child.stderr]) releaseStream(stream);
		stopCounting();
		return resultOf(ending);
	});
}

function startChild(options: ChildOptions, { spawn }: ChildEffects): ChildProcess | ChildEnding {
	const { command, environment, variables, input, hasTerminal = false } = options;
	const [file = '', ...args] = command;
	const piped = [input === undefined ? ('ignore' as const) : ('pipe' as const), 'pipe', 'pipe'];
	try {
		return spawn(file, args, {
			env: { ...withoutSecrets(environment), ...variables },
			shell: false,
			stdio: hasTerminal ? 'inherit' : (piped as SpawnOptions['stdio']),
			// A new session has no controlling terminal, so the child cannot open /dev/tty either.
			detached: !hasTerminal,
			windowsHide: true,
		});
	} catch (error) {
		// Node throws for a NUL character, which no argument can contain.
		return { kind: 'notStarted', reason: startProblemOf(error) };
	}
}

function endingOf(
	child: ChildProcess,
	{ timeoutMs, signal, hasTerminal = false }: ChildOptions,
	{ clock, kill, runningChildren }: ChildEffects,
): Promise<ChildEnding> {
	const hasOwnGroup = !hasTerminal;
	const group = createProcessGroup({ child, hasOwnGroup, kill, clock, runningChildren });
	return new Promise(resolve => {
		let cancelTimer = () => {};
		/** Why this program ends the child; undefined while the child runs on its own. */
		let reason: ChildEnding | undefined;
		let isOver = false;

		const end = (ending: ChildEnding) => {
			isOver = true;
			cancelTimer();
			group.close();
			signal?.removeEventListener('abort', abort);
			resolve(ending);
		};
		const terminate = (why: ChildEnding) => {
			if (reason || isOver) return;
			reason = why;
			cancelTimer();
			group.terminate(() => end(why));
		};
		const abort = () => terminate({ kind: 'aborted' });
		if (timeoutMs !== undefined)
			cancelTimer = clock.after(timeoutMs, () => terminate({ kind: 'timedOut', timeoutMs }));
		child.on('error', error => {
			// Node also reports a signal that it could not send as an error.
			if (child.pid === undefined) end({ kind: 'notStarted', reason: startProblemOf(error) });
		});
		child.on('exit', (code, killedBy) => {
			if (isOver) return;
			const ending: ChildEnding =
				reason ??
				(code === null ? { kind: 'killed', signal: killedBy ?? '' } : { kind: 'exited', code });
			// The rest of the group has the same time to end as its leader had.
			if (reason && !hasTerminal && group.isAlive()) return;
			isOver = true;
			cancelTimer();
			group.close();
			child.on('close', () => end(ending));
			cancelTimer = clock.after(pipeTimeoutMs, () => end(ending));
		});
		if (signal?.aborted) abort();
		signal?.addEventListener('abort', abort, { once: true });
	});
}

function collect(
	stream: Readable | null,
	add: (chunk: Buffer) => void,
	onOutput: ChildOptions['onOutput'],
	source: 'stdout' | 'stderr',
) {
	const decoder = new StringDecoder('utf8');
	stream?.on('data', (chunk: Buffer) => {
		add(chunk);
		const text = onOutput ? decoder.write(chunk) : '';
		if (text !== '') onOutput?.(text, source);
	});
}

/** Goes on reading a stream and drops the data, without keeping this program running. */
function releaseStream(stream: Readable | null) {
	if (!stream || stream.destroyed) return;
	stream.removeAllListeners('data');
	stream.resume();
	if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
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
export function startProblemOf(error: unknown): string {
	const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
	return problemByCode[code] ?? code;
}
