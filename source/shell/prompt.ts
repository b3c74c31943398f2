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
	const lines = createInterface({
		input: stdin,
		output: Object.assign(echo, { columns: screen.columns }),
		terminal: true,
		historySize: 0,
	});
	// Lines that arrive before their question is shown, for example because several lines were pasted at
	// once.
	const early: string[] = [];
	let waiting: { resolve: (line: string) => void; reject: (error: Error) => void } | undefined;
	const ended = new AbortController();

	lines.on('line', line => {
		const answered = waiting;
		waiting = undefined;
		isEchoing = false;
		if (answered) answered.resolve(line);
		else early.push(line);
	});
	const end = () => {
		ended.abort();
		waiting?.reject(new Interrupted('interrupted'));
	};
	// After Ctrl-Z and fg, readline reads no key, not even Ctrl-C, until the prompt is shown again.
	let hidden = '';
	lines.on('SIGCONT', () => {
		screen.write(hidden);
		lines.prompt(true);
	});
	lines.on('SIGINT', end);
	lines.on('close', end);

	return {
		signal: ended.signal,
		async ask(question, { isHidden = false } = {}) {
			hidden = isHidden ? question : '';
			isEchoing = !isHidden;
			screen.write(hidden);
			try {
				return await new Promise<string>((resolve, reject) => {
					waiting = { resolve, reject };
					if (ended.signal.aborted) return end();
					lines.setPrompt(isHidden ? '' : question);
					lines.prompt();
					const line = early.shift();
					if (line !== undefined) resolve(line);
				});
			} finally {
				waiting = undefined;
				isEchoing = false;
				if (isHidden || ended.signal.aborted) screen.write('\n');
			}
		},
		close() {
			lines.close();
		},
	};
}

/**
 * Returns a function that asks for an account's password on the terminal, or undefined if there is no
 * terminal.
 */
export function passwordAsker(
	program: Program,
	{ credentials }: Pick<AccountSettings, 'credentials'>,
) {
	if (!isAtTerminal(program) || credentials.kind === 'token') return undefined;
	const { host } = new URL(credentials.authUrl);
	const question = `Password of ${cleanText(credentials.email)} for ${host} (not shown): `;
	return async (signal: AbortSignal, why: string | undefined): Promise<string> => {
		const prompt = createPrompt(program);
		signal.addEventListener('abort', prompt.close, { once: true });
		try {
			return await prompt.ask(why ? `${cleanText(why)}\n${question}` : question, {
				isHidden: true,
			});
		} finally {
			signal.removeEventListener('abort', prompt.close);
			prompt.close();
		}
	};
}
