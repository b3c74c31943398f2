import { spawn } from 'node:child_process';
import { type Environment, withoutSecrets } from '../children/child-environment.ts';
import { startProblemOf } from '../children/run-child.ts';
import type { Clock } from '../foundation/clock.ts';
import type { PasswordCommand } from './setting-values.ts';

/** Explains why there is no password. The message itself never contains a password. */
export class PasswordError extends Error {
	/** Advice for a person, if it differs from the usual advice. */
	readonly advice: string | undefined;

	constructor(message: string, advice?: string) {
		super(message);
		this.advice = advice;
	}
}

const maxOutputBytes = 65_536;

// After the password command has ended, other processes that it started may keep its output open for ever. This
// time is enough for the command's own output to arrive.
const pipeTimeoutMs = 500;

/**
 * How the command may use the terminal:
 *
 * - `none`: not at all. The command runs in a session of its own, so it fails at once if it asks a person.
 * - `shared`: the command may ask in the terminal by itself, because no screen is drawn there.
 * - `lent`: the terminal belongs to the command until the command ends. Ctrl-C ends the command.
 */
type TerminalAccess = 'none' | 'shared' | 'lent';

/**
 * Runs the command and returns the first line that it prints. If the command fails, the error quotes its
 * stderr.
 */
export async function passwordFromCommand(options: {
	command: PasswordCommand;
	environment: Environment;
	terminal: TerminalAccess;
	clock: Clock;
	/** The time limit in milliseconds; undefined for none. */
	timeoutMs?: number;
	signal: AbortSignal;
}): Promise<string> {
	const { command, environment, terminal, clock, timeoutMs, signal } = options;
	const child = spawnCommand(command, withoutSecrets(environment), terminal);
	const stdout = collectText(child.stdout);
	const stderr = collectText(child.stderr);

	try {
		const failure = await failureWhenEnded(child, { clock, timeoutMs, signal });
		const password = firstLine(stdout());
		if (failure === undefined && password !== '') return password;
		const quotedStderr = withoutPassword(stderr(), password).trim().slice(-500);
		const message = `the password command ${failure ?? 'printed nothing'}`;
		throw new PasswordError(quotedStderr === '' ? message : `${message}: ${quotedStderr}`);
	} finally {
		child.kill('SIGKILL');
		child.stdout?.destroy();
		child.stderr?.destroy();
	}
}

function spawnCommand(
	command: PasswordCommand,
	environment: Environment,
	terminal: TerminalAccess,
) {
	const [file, args] =
		'shell' in command ? ['/bin/sh', ['-c', command.shell]] : [command[0] ?? '', command.slice(1)];
	const isLent = terminal === 'lent';
	return spawn(file, args, {
		env: terminal === 'none' ? withoutTerminal(environment) : { ...environment },
		shell: false,
		stdio: [isLent ? 'inherit' : 'ignore', 'pipe', isLent ? 'inherit' : 'pipe'],
		// A new session has no controlling terminal, so the command cannot open /dev/tty either.
		detached: terminal === 'none',
		windowsHide: true,
	});
}

/**
 * Waits until the command and its output have ended. Returns the reason if the command failed, otherwise
 * undefined.
 */
function failureWhenEnded(
	child: ReturnType<typeof spawn>,
	{
		clock,
		timeoutMs,
		signal,
	}: { clock: Clock; timeoutMs: number | undefined; signal: AbortSignal },
): Promise<string | undefined> {
	return new Promise(resolve => {
		let cancelTimer = () => {};
		const end = (failure?: string) => {
			cancelTimer();
			signal.removeEventListener('abort', abort);
			resolve(failure);
		};
		const abort = () => end('was cancelled');
		if (timeoutMs !== undefined) {
			const seconds = Math.round(timeoutMs / 1000);
			cancelTimer = clock.after(timeoutMs, () => end(`took more than ${seconds} s`));
		}
		if (signal.aborted) abort();
		signal.addEventListener('abort', abort, { once: true });
		child.on('error', error => end(`cannot be run: ${startProblemOf(error)}`));
		child.on('exit', (code, killedBy) => {
			const finish = () => end(code === 0 ? undefined : `ended with ${killedBy ?? `code ${code}`}`);
			child.on('close', finish);
			cancelTimer();
			cancelTimer = clock.after(pipeTimeoutMs, finish);
		});
	});
}

// GPG_TTY names the terminal in which the agent of gpg asks for a passphrase. If the variable were unset, the
// agent would ask in the terminal where the agent was started, perhaps in this one. If the variable names a
// file that is not a terminal, gpg fails at once.
function withoutTerminal({ SSH_TTY: _, ...environment }: Environment): Environment {
	return { ...environment, GPG_TTY: '/dev/null' };
}

function collectText(stream: NodeJS.ReadableStream | null): () => string {
	const chunks: Buffer[] = [];
	let length = 0;
	stream?.on('data', (chunk: Buffer) => {
		if (length < maxOutputBytes) chunks.push(chunk);
		length += chunk.length;
	});
	return () => Buffer.concat(chunks).toString('utf8').slice(0, maxOutputBytes);
}

/** Removes the password from a text, and also its beginning where the text was cut off. */
function withoutPassword(text: string, password: string): string {
	if (password === '') return text;
	const rest = text.replaceAll(password, '…');
	if (Buffer.byteLength(text) < maxOutputBytes) return rest;
	for (let length = password.length - 1; length > 0; length -= 1) {
		if (rest.endsWith(password.slice(0, length))) return `${rest.slice(0, -length)}…`;
	}
	return rest;
}

const firstLine = (text: string) => text.split(/\r?\n/)[0] ?? '';
