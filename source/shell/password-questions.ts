import type { AccountSettings } from '../accounts/account-settings.ts';
import { noPasswordError } from '../accounts/password-source.ts';
import { cleanText } from '../platform/decoding/clean.ts';
import type { Program } from '../terminal/terminal.ts';
import { createPrompt, isAtTerminal } from './prompt.ts';

/** Asks a person for a password. `reason` says why the previous password was not accepted. */
export type AskForPassword = (signal: AbortSignal, reason: string | undefined) => Promise<string>;

/** The questions for the passwords of several accounts, which share one terminal. */
export type PasswordQuestions = {
	/**
	 * Returns a function that asks for the password of an account. The question of another account waits until
	 * this one is answered. Without a terminal, the function throws. Returns undefined for an account that signs in with a
	 * token.
	 */
	askFor(account: Pick<AccountSettings, 'name' | 'credentials'>): AskForPassword | undefined;
	/** Writes lines to standard output, and then writes an open question again below these lines. */
	write(lines: string): void;
};

/** `namesAccounts` says whether there are several accounts, so that each question names its own. */
export function createPasswordQuestions(
	program: Program,
	namesAccounts: boolean,
): PasswordQuestions {
	let lastAnswer: Promise<unknown> = Promise.resolve();
	let openQuestion: string | undefined;

	async function ask(question: string, signal: AbortSignal): Promise<string> {
		signal.throwIfAborted();
		const prompt = createPrompt(program);
		signal.addEventListener('abort', prompt.close, { once: true });
		openQuestion = question;
		try {
			return await prompt.ask(question, { isHidden: true });
		} finally {
			openQuestion = undefined;
			signal.removeEventListener('abort', prompt.close);
			prompt.close();
		}
	}

	return {
		askFor({ name, credentials }) {
			if (credentials.kind === 'token') return undefined;
			return async (signal, reason) => {
				// Looking for a terminal loads a module of Node, which takes longer than opening the account.
				if (!isAtTerminal(program)) throw noPasswordError();
				const { host } = new URL(credentials.authUrl);
				const email = cleanText(credentials.email);
				const user = namesAccounts ? `${name} (${email})` : email;
				const question = `Password of ${user} for ${host} (not shown): `;
				const text = reason ? `${cleanText(reason)}\n${question}` : question;
				const answer = lastAnswer.then(() => ask(text, signal));
				lastAnswer = answer.catch(() => undefined);
				return answer;
			};
		},
		write(lines) {
			const { stdout } = program;
			const isOnScreen = openQuestion !== undefined && stdout.isTTY;
			stdout.write(isOnScreen ? `\n${lines}${openQuestion}` : lines);
		},
	};
}
