import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { AccountSettings } from '../accounts/account-settings.ts';
import { cleanText } from '../platform/clean.ts';
import { Interrupted } from '../session/host.ts';
import type { Program } from '../terminal/terminal.ts';

export type Prompt = {
	/** Resolves with the line that the person types. A hidden answer is not shown on the screen. */
	ask(question: string, options?: { isHidden?: boolean }): Promise<string>;
	/** A signal that Ctrl-C aborts, even while no question is open. */
	readonly signal: AbortSignal;
	close(): void;
};

export function isAtTerminal({ stdin }: Program): boolean {
	return stdin.isTTY === true;
}

/**
 * Asks questions on the terminal, with the line editing of Node's readline. For a hidden answer, the echo of
 * readline is dropped. Long, because all events of readline concern the one question that is open.
 */
export function createPrompt({ stdin, stdout, stderr }: Program): Prompt {
	const screen = stdout.isTTY ? stdout : stderr;
	let isEchoing = false;
	const echo = new Writable({
		write(chunk, _encoding, done) {
			if (isEchoing) screen.write(chunk);
			done();
		},
	});
	const lineReader = createInterface({
		input: stdin,
		output: Object.assign(echo, { columns: screen.columns }),
		terminal: true,
		historySize: 0,
	});
	// Lines that arrive before their question is shown, for example because several lines were pasted at
	// once.
	const earlyLines: string[] = [];
	let openQuestion: { resolve: (line: string) => void; reject: (error: Error) => void } | undefined;
	const interruption = new AbortController();

	lineReader.on('line', line => {
		const answeredQuestion = openQuestion;
		openQuestion = undefined;
		isEchoing = false;
		if (answeredQuestion) answeredQuestion.resolve(line);
		else earlyLines.push(line);
	});
	const interrupt = () => {
		interruption.abort();
		openQuestion?.reject(new Interrupted('interrupted'));
	};
	// After Ctrl-Z and fg, readline reads no key, not even Ctrl-C, until the prompt is shown again.
	let hiddenQuestion = '';
	lineReader.on('SIGCONT', () => {
		screen.write(hiddenQuestion);
		lineReader.prompt(true);
	});
	lineReader.on('SIGINT', interrupt);
	lineReader.on('close', interrupt);

	return {
		signal: interruption.signal,
		async ask(question, { isHidden = false } = {}) {
			hiddenQuestion = isHidden ? question : '';
			isEchoing = !isHidden;
			screen.write(hiddenQuestion);
			try {
				return await new Promise<string>((resolve, reject) => {
					openQuestion = { resolve, reject };
					if (interruption.signal.aborted) return interrupt();
					lineReader.setPrompt(isHidden ? '' : question);
					lineReader.prompt();
					const line = earlyLines.shift();
					if (line !== undefined) resolve(line);
				});
			} finally {
				openQuestion = undefined;
				isEchoing = false;
				if (isHidden || interruption.signal.aborted) screen.write('\n');
			}
		},
		close() {
			lineReader.close();
		},
	};
}

/**
 * Returns a function that asks for an account's password on the terminal, or undefined if there is no
 * terminal.
 */
export function createPasswordAsker(
	program: Program,
	{ credentials }: Pick<AccountSettings, 'credentials'>,
) {
	if (!isAtTerminal(program) || credentials.kind === 'token') return undefined;
	const { host } = new URL(credentials.authUrl);
	const question = `Password of ${cleanText(credentials.email)} for ${host} (not shown): `;
	return async (signal: AbortSignal, reason: string | undefined): Promise<string> => {
		const prompt = createPrompt(program);
		signal.addEventListener('abort', prompt.close, { once: true });
		try {
			return await prompt.ask(reason ? `${cleanText(reason)}\n${question}` : question, {
				isHidden: true,
			});
		} finally {
			signal.removeEventListener('abort', prompt.close);
			prompt.close();
		}
	};
}
