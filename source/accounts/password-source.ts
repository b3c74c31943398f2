import {
	type ChildEffects,
	childProblemText,
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

export async function passwordFromCommand(
	{
		command,
		terminal,
		...options
	}: {
		command: PasswordCommand;
		environment: Environment;
		terminal: TerminalAccess;
		timeoutMs?: number;
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
	const failure = isTooLong ? 'printed too much' : childProblemText(ending);
	if (failure === undefined && password !== '') return password;
	const said = password === '' ? stderr : stderr.replaceAll(password, '…');
	// Cut only now: a cut within a password would leave a part of it.
	const quoted = said.trim().slice(-maxQuotedLength);
	const message = `the password command ${failure ?? 'printed nothing'}`;
	throw new PasswordError(quoted === '' ? message : `${message}: ${quoted}`);
}

// Without GPG_TTY, the agent of gpg would ask where it was started, perhaps here.
const withoutTerminal: Environment = { SSH_TTY: undefined, GPG_TTY: '/dev/null' };

type PasswordSource = (signal: AbortSignal, refusal?: { message: string }) => Promise<string>;

type PasswordSourceOptions = {
	configured?:
		| {
				origin?: string;
				/** What to do when it is refused. */
				advice?: string;
				read: (signal: AbortSignal) => Promise<string>;
		  }
		| undefined;
	ask?: (signal: AbortSignal, problem: string | undefined) => Promise<string>;
};

/** A refused password is never sent again, which could lock the account. A typed one is kept while the program runs. */
export function createPasswordSource({ ask, configured }: PasswordSourceOptions): PasswordSource {
	let isConfiguredRefused = false;
	let typed: string | undefined;
	let last: string | undefined;

	async function typedBy(signal: AbortSignal, problem: string | undefined, refused?: string) {
		if (!ask || signal.aborted) throw noPasswordError();
		let answer = await ask(signal, problem);
		while (answer === refused) answer = await ask(signal, samePasswordText);
		return answer;
	}

	return async (signal, refusal) => {
		const refused = refusal && last;
		let problem = refusal && new PasswordError(refusal.message);
		let hint = '';
		if (refusal && configured && typed === undefined) {
			isConfiguredRefused = true;
			const { origin, advice } = configured;
			if (origin !== undefined) {
				const message = `the password from ${origin} was refused: ${refusal.message}`;
				problem = new PasswordError(message, advice);
				hint = `. Type the right one, and correct ${origin}`;
			}
		}
		if (refusal) typed = undefined;
		last = typed;
		if (last !== undefined) return last;
		try {
			if (configured && !isConfiguredRefused) {
				last = await configured.read(signal);
				return last;
			}
		} catch (error) {
			if (!(error instanceof PasswordError)) throw error;
			problem = error;
		}
		try {
			typed = await typedBy(signal, problem && `${problem.message}${hint}`, refused);
		} catch (error) {
			throw problem && error instanceof PasswordError ? problem : error;
		}
		last = typed;
		return typed;
	};
}

const samePasswordText =
	'the same password as before, so it was not sent again; check the e-mail address as well';

export const noPasswordError = () =>
	new PasswordError(
		'no password: type it in a terminal, set CROWSNEST_PASSWORD, or configure a passwordCommand',
	);
