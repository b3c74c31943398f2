import {
	type ChildEffects,
	type ChildEnding,
	type Environment,
	maxOutputLength,
	runChild,
} from '../foundation/children.ts';
import type { PasswordCommand } from './setting-values.ts';

export class PasswordError extends Error {
	readonly advice: string | undefined;

	constructor(message: string, advice?: string) {
		super(message);
		this.advice = advice;
	}
}

const maxQuotedLength = 500;

/** `none` is a session of its own, so that a command that asks a person fails at once. In `shared`, no screen is drawn. */
type TerminalAccess = 'none' | 'shared' | 'lent';

/** If the command fails, the error quotes its stderr. */
export async function passwordFromCommand(
	{
		command,
		terminal,
		...options
	}: {
		command: PasswordCommand;
		environment: Environment;
		terminal: TerminalAccess;
		timeoutMs?: number | undefined;
		signal: AbortSignal;
	},
	effects: ChildEffects,
): Promise<string> {
	const { ending, stdout, stderr } = await runChild(
		{
			...options,
			command: 'shell' in command ? ['/bin/sh', '-c', command.shell] : command,
			terminal: terminal === 'lent' ? 'questions' : terminal === 'shared' ? 'openable' : undefined,
			variables: terminal === 'none' ? withoutTerminal : {},
		},
		effects,
	);
	const [password = ''] = stdout.split(/\r?\n/, 1);
	// Of too long an output, the first line is lost.
	const isTooLong = stdout.length === maxOutputLength;
	const failure = isTooLong ? 'printed too much' : failureText(ending);
	if (failure === undefined && password !== '') return password;
	const said = password === '' ? stderr : stderr.replaceAll(password, '…');
	// The text is cut only now, because a cut within a password would leave a part of it.
	const quoted = said.trim().slice(-maxQuotedLength);
	const message = `the password command ${failure ?? 'printed nothing'}`;
	throw new PasswordError(quoted === '' ? message : `${message}: ${quoted}`);
}

function failureText(ending: ChildEnding): string | undefined {
	switch (ending.kind) {
		case 'exited':
			return ending.code === 0 ? undefined : `ended with code ${ending.code}`;
		case 'killed':
			return `ended with ${ending.signal}`;
		case 'notStarted':
			return `cannot be run: ${ending.reason}`;
		case 'timedOut':
			return `took more than ${Math.round(ending.timeoutMs / 1000)} s`;
		case 'aborted':
			return 'was cancelled';
	}
}

// Without GPG_TTY, the agent of gpg would ask where it was started, perhaps here. With a file that is no terminal, it
// fails.
const withoutTerminal: Environment = { SSH_TTY: undefined, GPG_TTY: '/dev/null' };
