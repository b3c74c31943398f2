import { spawn } from 'node:child_process';
import type { Clock } from '../fleet/clock.ts';
import { type Environment, withoutSecrets } from './environment.ts';
import type { PasswordCommand } from './setting-values.ts';

/** No password came. Says why, and never says it. */
export class PasswordError extends Error {}

const mostBytes = 65_536;

// What the command started may hold its pipes open; what it wrote itself is there by then.
const pipeTimeout = 500;

/**
 * What the command has of the terminal:
 *
 * - `none`: nothing. It is in a session of its own, so one that would ask a person there fails at once.
 * - `shared`: it may ask at the terminal by itself. No screen is taken.
 * - `lent`: the terminal is its own until it ends, and a person who does not want to go on presses Ctrl-C.
 */
export type TerminalAccess = 'none' | 'shared' | 'lent';

/**
 * Runs the command and takes the first line that it prints. When it fails, the error says what it wrote
 * to stderr.
 */
export function passwordFromCommand(options: {
	command: PasswordCommand;
	environment: Environment;
	terminal: TerminalAccess;
	clock: Clock;
	/** Milliseconds; without it the command may take as long as it likes. */
	timeout?: number;
	signal: AbortSignal;
}): Promise<string> {
	const { command, terminal, clock, timeout, signal } = options;
	const environment = withoutSecrets(options.environment);
	const [file, words] =
		'shell' in command ? ['/bin/sh', ['-c', command.shell]] : [command[0] ?? '', command.slice(1)];
	const isLent = terminal === 'lent';

	return new Promise((resolve, reject) => {
		const child = spawn(file, words, {
			env: terminal === 'none' ? withoutTerminal(environment) : { ...environment },
			shell: false,
			stdio: [isLent ? 'inherit' : 'ignore', 'pipe', isLent ? 'inherit' : 'pipe'],
			// A new session has no controlling terminal, so /dev/tty cannot be opened either.
			detached: terminal === 'none',
			windowsHide: true,
		});
		const printed = collect(child.stdout);
		const complained = collect(child.stderr);

		const end = (settle: () => void) => {
			callOff();
			signal.removeEventListener('abort', abort);
			child.kill('SIGKILL');
			child.stdout?.destroy();
			child.stderr?.destroy();
			settle();
		};
		const fail = (why: string) =>
			end(() => {
				const password = firstLine(printed());
				const said = withoutPassword(complained().trim().slice(-500), password);
				reject(new PasswordError(`the password command ${why}${said && `: ${said}`}`));
			});
		const abort = () => fail('was called off');
		let callOff = () => {};
		if (timeout !== undefined) {
			const seconds = Math.round(timeout / 1000);
			callOff = clock.after(timeout, () => fail(`took more than ${seconds} s`));
		}

		if (signal.aborted) abort();
		signal.addEventListener('abort', abort, { once: true });
		child.on('error', error => fail(`cannot be run (${codeOf(error)})`));
		child.on('exit', (code, killedBy) => {
			const finish = () => {
				const password = firstLine(printed());
				if (code !== 0) fail(`ended with ${killedBy ?? `code ${code}`}`);
				else if (password === '') fail('printed nothing');
				else end(() => resolve(password));
			};
			child.on('close', finish);
			callOff();
			callOff = clock.after(pipeTimeout, finish);
		});
	});
}

// gpg tells its agent where to ask. Left to itself the agent asks at the terminal that it was started
// from, which may be this one; a place that is no terminal makes it fail at once.
function withoutTerminal({ SSH_TTY: _, ...environment }: Environment): Environment {
	return { ...environment, GPG_TTY: '/dev/null' };
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
	const chunks: Buffer[] = [];
	let length = 0;
	stream?.on('data', (chunk: Buffer) => {
		if (length < mostBytes) chunks.push(chunk);
		length += chunk.length;
	});
	return () => Buffer.concat(chunks).toString('utf8').slice(0, mostBytes);
}

const firstLine = (text: string) => text.split(/\r?\n/)[0] ?? '';

const withoutPassword = (text: string, password: string) =>
	password === '' ? text : text.replaceAll(password, '…');

const codeOf = (error: Error) =>
	'code' in error && typeof error.code === 'string' ? error.code : error.message;
