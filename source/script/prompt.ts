import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { AccountSettings } from '../accounts/account-settings.ts';
import { noPasswordError } from '../accounts/password-source.ts';
import type { AccountProfile } from '../fleet/computers/account.ts';
import { CommandError, exitCodes, UsageError } from '../foundation/error.ts';
import { problemWithAnswer, type QuestionStep, yesAnswer } from '../operations/question-wording.ts';
import { cleanText } from '../platform/decoding/clean.ts';
import type { AccessOptions } from '../session/access.ts';
import { Interrupted } from '../session/host.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import type { Program } from '../terminal/terminal.ts';
import type { ParsedArgs } from './parsed-args.ts';

export type Prompt = ReturnType<typeof createPrompt>;

export function isAtTerminal(program: Program): boolean {
	return program.isInputTerminal?.() ?? program.stdin.isTTY === true;
}

/** With `isPlain`, for a screen reader, only characters and line breaks are written. */
function createPrompt({ stdin, stdout, stderr }: Program, isPlain = false) {
	const screen = stdout.isTTY ? stdout : stderr;
	let isEchoing = false;
	const echo = new Writable({
		write(chunk, _encoding, done) {
			if (isEchoing && !isPlain) screen.write(chunk);
			done();
		},
	});
	const lineReader = createInterface({
		input: stdin,
		output: Object.assign(echo, { columns: screen.columns }),
		terminal: true,
		historySize: 0,
	});
	// Keeps what was typed before the question was shown.
	const lines = lineReader[Symbol.asyncIterator]();
	const interruption = new AbortController();

	lineReader.on('line', () => {
		isEchoing = false;
	});
	// The question, if this function writes it instead of readline, and the answer after it.
	let ownQuestion = '';
	let shownAnswer = '';
	const showTyping = () => {
		if (!isPlain || !isEchoing) return;
		const typed = lineReader.line.replace(/\p{Control}/gu, ' ');
		const isLonger = typed.startsWith(shownAnswer);
		screen.write(isLonger ? typed.slice(shownAnswer.length) : `\n${ownQuestion}${typed}`);
		shownAnswer = typed;
	};
	stdin.on('keypress', showTyping);
	// After Ctrl-Z and `fg`, readline ignores every key, even Ctrl-C, until the prompt is shown again.
	lineReader.on('SIGCONT', () => {
		screen.write(ownQuestion + shownAnswer);
		lineReader.prompt(true);
	});
	lineReader.on('SIGINT', () => lineReader.close());
	lineReader.on('close', () => interruption.abort());

	return {
		/** Ctrl-C aborts it, even while no question is open. */
		signal: interruption.signal,
		async ask(question: string, { isHidden = false } = {}): Promise<string> {
			ownQuestion = isHidden || isPlain ? question : '';
			shownAnswer = '';
			isEchoing = !isHidden;
			screen.write(ownQuestion);
			try {
				lineReader.setPrompt(ownQuestion === '' ? question : '');
				if (!interruption.signal.aborted) lineReader.prompt();
				const { value, done } = await lines.next();
				if (done) throw new Interrupted('interrupted');
				return value;
			} finally {
				isEchoing = false;
				if (ownQuestion !== '' || interruption.signal.aborted) screen.write('\n');
			}
		},
		close() {
			stdin.off('keypress', showTyping);
			lineReader.close();
		},
	};
}

export async function withPrompt<T>(
	program: Program,
	{ signal, isPlain }: { signal?: AbortSignal; isPlain?: boolean },
	work: (prompt: Prompt) => Promise<T>,
): Promise<T> {
	const prompt = createPrompt(program, isPlain);
	signal?.addEventListener('abort', prompt.close, { once: true });
	try {
		return await work(prompt);
	} finally {
		signal?.removeEventListener('abort', prompt.close);
		prompt.close();
	}
}

export type PasswordQuestions = ReturnType<typeof createPasswordQuestions>;

export function createPasswordQuestions(program: Program, namesAccounts: boolean) {
	let lastAnswer: Promise<unknown> = Promise.resolve();
	let openQuestion: string | undefined;

	async function ask(question: string, signal: AbortSignal): Promise<string> {
		signal.throwIfAborted();
		openQuestion = question;
		try {
			return await withPrompt(program, { signal }, prompt =>
				prompt.ask(question, { isHidden: true }),
			);
		} finally {
			openQuestion = undefined;
		}
	}

	return {
		askFor({ name, credentials }: AccountSettings): AccessOptions['askForPassword'] {
			if (credentials.kind === 'token') return undefined;
			return async (signal, reason = '') => {
				if (!isAtTerminal(program)) throw noPasswordError();
				const email = cleanText(credentials.email);
				const user = namesAccounts ? `${name} (${email})` : email;
				const question = `Password of ${user} for ${new URL(credentials.authUrl).host} (not shown): `;
				const text = `${cleanText(reason)}\n${question}`.trimStart();
				const answer = lastAnswer.then(() => ask(text, signal));
				lastAnswer = answer.catch(() => undefined);
				return answer;
			};
		},
		write(lines: string) {
			const { stdout } = program;
			const isOnScreen = openQuestion !== undefined && stdout.isTTY;
			stdout.write(isOnScreen ? `\n${lines}${openQuestion}` : lines);
		},
	};
}

/** With --json, a program reads the output, so no question is asked. */
export function canPrompt(program: Program, args: ParsedArgs): boolean {
	const isSeen = program.stdout.isTTY || program.stderr.isTTY;
	return isAtTerminal(program) && isSeen && !args.flag('json');
}

type Asked = {
	lines: readonly string[];
	steps: readonly QuestionStep[];
	given: (step: QuestionStep) => string | undefined;
	missing: string;
};

export async function askFor(
	program: Program,
	args: ParsedArgs,
	{ lines, steps, given, missing }: Asked,
	signal: AbortSignal,
): Promise<readonly string[]> {
	const isGiven = steps.every(step => given(step) !== undefined);

	async function answersFrom(ask: (text: string) => Promise<string>): Promise<readonly string[]> {
		const answers: string[] = [];
		for (const step of steps) {
			const typed = given(step) ?? (await ask(`${promptText(step)} `));
			const answer = step.kind === 'text' && typed.trim() === '' ? step.initialText : typed.trim();
			const problem = problemWithAnswer(step, answer);
			if (problem !== undefined)
				throw isGiven ? new UsageError(problem) : notConfirmedError(problem);
			answers.push(answer);
		}
		return answers;
	}

	if (isGiven) return answersFrom(async () => '');
	if (!canPrompt(program, args)) throw new UsageError(missing);
	const screen = program.stdout.isTTY ? program.stdout : program.stderr;
	screen.write(`${lines.map(cleanForTerminal).join('\n')}\n`);
	return withPrompt(program, { signal }, prompt => answersFrom(prompt.ask));
}

export function accountLines({ name, isProduction }: AccountProfile): readonly string[] {
	return name === 'environment' ? [] : [`Account: ${name}${isProduction ? ' (production)' : ''}`];
}

function promptText(step: QuestionStep): string {
	if (step.kind === 'yes') return `${step.prompt} ${yesAnswer} / n`;
	if (step.kind !== 'text' || step.initialText === '') return step.prompt;
	return `${step.prompt.replace(/:$/, '')} (${step.initialText}):`;
}

function notConfirmedError(problem: string): CommandError {
	const message = `Nothing was sent: ${problem}`;
	return new CommandError('cancelled', message, '', exitCodes.cancelled);
}
