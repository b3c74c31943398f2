import { spawn } from 'node:child_process';
import type { Clock } from '../fleet/clock.ts';
import type { Environment } from './environment.ts';
import type { PasswordCommand } from './setting-values.ts';

/** No password came. Says why, and never says it. */
export class PasswordError extends Error {}

const mostBytes = 65_536;

// What the command started may hold its pipes open; what it wrote itself is there by then.
const patience = 500;

/**
 * Runs the command and takes the first line that it prints. What it writes to stderr is told when it
 * fails. It gets no input: one that asks a person does so by the terminal or a window of its own.
 */
export function passwordFromCommand(options: {
	command: PasswordCommand;
	environment: Environment;
	clock: Clock;
	/** Milliseconds. */
	timeout: number;
	signal: AbortSignal;
}): Promise<string> {
	const { command, environment, clock, timeout, signal } = options;
	const [file, words] =
		'shell' in command ? ['/bin/sh', ['-c', command.shell]] : [command[0] ?? '', command.slice(1)];

	return new Promise((resolve, reject) => {
		const child = spawn(file, words, {
			env: { ...environment },
			shell: false,
			stdio: ['ignore', 'pipe', 'pipe'],
			windowsHide: true,
		});
		const printed = collect(child.stdout);
		const complained = collect(child.stderr);

		const end = (settle: () => void) => {
			callOff();
			signal.removeEventListener('abort', abort);
			child.kill('SIGKILL');
			child.stdout.destroy();
			child.stderr.destroy();
			settle();
		};
		const fail = (why: string) =>
			end(() => {
				const password = firstLine(printed());
				const said = withoutPassword(complained().trim().slice(-500), password);
				reject(new PasswordError(`the password command ${why}${said && `: ${said}`}`));
			});
		const abort = () => fail('was called off');
		const seconds = Math.round(timeout / 1000);
		let callOff = clock.after(timeout, () => fail(`took more than ${seconds} s`));

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
			callOff = clock.after(patience, finish);
		});
	});
}

function collect(stream: NodeJS.ReadableStream): () => string {
	const chunks: Buffer[] = [];
	let length = 0;
	stream.on('data', (chunk: Buffer) => {
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
