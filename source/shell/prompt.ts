import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { AccountSettings } from '../accounts/account-settings.ts';
import { cleanText } from '../platform/clean.ts';
import { Interrupted } from '../session/host.ts';
import type { Program } from '../terminal/terminal.ts';

export type Prompt = {
	/** A line, as it was typed. Hidden ones leave no trace on the screen. */
	ask(question: string, options?: { isHidden?: boolean }): Promise<string>;
	/** Aborted by Ctrl-C, also while nothing is asked. */
	readonly signal: AbortSignal;
	close(): void;
};

export function isAtTerminal({ stdin }: Program): boolean {
	return stdin.isTTY === true;
}

/** Asks at the terminal, line by line. Node's own line editing does the rest, also for hidden ones. */
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
	// Lines that came before they were asked for, as when several are pasted.
	const early: string[] = [];
	let waiting: { resolve: (line: string) => void; reject: (error: Error) => void } | undefined;
	const over = new AbortController();

	lines.on('line', line => {
		const asked = waiting;
		waiting = undefined;
		isEchoing = false;
		if (asked) asked.resolve(line);
		else early.push(line);
	});
	const end = () => {
		over.abort();
		waiting?.reject(new Interrupted('interrupted'));
	};
	// Stopped and continued, it asks once more; before that it takes no key, not even Ctrl-C.
	let hidden = '';
	lines.on('SIGCONT', () => {
		screen.write(hidden);
		lines.prompt(true);
	});
	lines.on('SIGINT', end);
	lines.on('close', end);

	return {
		signal: over.signal,
		async ask(question, { isHidden = false } = {}) {
			hidden = isHidden ? question : '';
			isEchoing = !isHidden;
			screen.write(hidden);
			try {
				return await new Promise<string>((resolve, reject) => {
					waiting = { resolve, reject };
					if (over.signal.aborted) return end();
					lines.setPrompt(isHidden ? '' : question);
					lines.prompt();
					const line = early.shift();
					if (line !== undefined) resolve(line);
				});
			} finally {
				waiting = undefined;
				isEchoing = false;
				if (isHidden || over.signal.aborted) screen.write('\n');
			}
		},
		close() {
			lines.close();
		},
	};
}

/** Asks for an account's password when it is needed; undefined where nobody can be asked. */
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
