import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import type { OperationDetails } from '../fleet/operations/operation-row.ts';
import { CommandError, exitCodes, UsageError } from '../foundation/error.ts';
import {
	problemWithAnswer,
	type Question,
	type QuestionStep,
	questionTitle,
	yesAnswer,
} from '../operations/question-wording.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import type { Program } from '../terminal/terminal.ts';
import { skippedLines } from '../views/phrases/outcome.ts';
import type { ParsedArgs } from './command.ts';
import { confirmationNeededText } from './operate-options.ts';
import { createPrompt, isAtTerminal, type Prompt } from './prompt.ts';

/**
 * Returns whether a person can see a question and answer it on the terminal. With --json, no question is
 * asked, because a program reads the output.
 */
export function canPrompt(program: Program, args: ParsedArgs): boolean {
	const isSeen = program.stdout.isTTY || program.stderr.isTTY;
	return isAtTerminal(program) && isSeen && !args.flag('json');
}

/**
 * Answers the steps of a question from the command's options, and asks on the terminal for the answers that
 * no option gives.
 */
export async function answerQuestion(
	program: Program,
	args: ParsedArgs,
	details: OperationDetails,
	question: Question,
	signal: AbortSignal,
): Promise<Question> {
	const fromOptions = question.steps.map(step => answerFromOptions(step, args, details));
	if (fromOptions.every(answer => answer !== undefined)) {
		return { ...question, answers: checkAnswers(question, fromOptions) };
	}
	if (!canPrompt(program, args)) throw new UsageError(missingAnswerText(question, details));
	return withPrompt(program, questionLines(question), signal, async prompt => {
		const answers: string[] = [];
		for (const [index, step] of question.steps.entries()) {
			const answer = fromOptions[index] ?? (await prompt.ask(`${promptText(step)} `));
			answers.push(step.kind === 'text' && answer.trim() === '' ? step.initialText : answer.trim());
			const problem = problemWithAnswer(step, answers.at(-1) ?? '');
			if (problem !== undefined) throw notConfirmedError(problem);
		}
		return { ...question, answers };
	});
}

/**
 * Asks a person to confirm an action that concerns the account, such as starting billing. Throws if the
 * person declines.
 */
export async function askToConfirm(
	program: Program,
	args: ParsedArgs,
	{ title, lines, prompt: words }: { title: string; lines: readonly string[]; prompt: string },
	signal: AbortSignal,
): Promise<void> {
	if (args.flag('yes')) return;
	if (!canPrompt(program, args)) {
		throw new UsageError(`${title} There is no terminal to ask on: add --yes`);
	}
	const step = { kind: 'yes', prompt: words } as const;
	await withPrompt(program, [title, ...lines], signal, async prompt => {
		const problem = problemWithAnswer(step, (await prompt.ask(`${promptText(step)} `)).trim());
		if (problem !== undefined) throw notConfirmedError(problem);
	});
}

async function withPrompt<T>(
	program: Program,
	lines: readonly string[],
	signal: AbortSignal,
	work: (prompt: Prompt) => Promise<T>,
): Promise<T> {
	const screen = program.stdout.isTTY ? program.stdout : program.stderr;
	screen.write(`${lines.map(cleanForTerminal).join('\n')}\n`);
	const prompt = createPrompt(program);
	signal.addEventListener('abort', prompt.close, { once: true });
	try {
		return await work(prompt);
	} finally {
		signal.removeEventListener('abort', prompt.close);
		prompt.close();
	}
}

function answerFromOptions(
	step: QuestionStep,
	args: ParsedArgs,
	details: OperationDetails,
): string | undefined {
	const saysYes = args.flag('yes');
	switch (step.kind) {
		case 'yes':
			return saysYes ? yesAnswer : undefined;
		case 'typed':
			return saysYes ? step.expectedText : undefined;
		case 'account':
			return saysYes ? step.initialText : undefined;
		case 'text':
			return details[step.field] ?? (saysYes ? step.initialText : undefined);
		case 'port':
			return details.port?.toString();
	}
}

function checkAnswers({ steps }: Question, answers: readonly string[]): readonly string[] {
	for (const [index, step] of steps.entries()) {
		const problem = problemWithAnswer(step, answers[index] ?? '');
		if (problem !== undefined) throw new UsageError(problem);
	}
	return answers;
}

function missingAnswerText({ operation, steps }: Question, { port }: OperationDetails): string {
	const isPortMissing = steps.some(({ kind }) => kind === 'port') && port === undefined;
	if (isPortMissing) return `${operation} needs a port: add --port`;
	return confirmationNeededText(operation);
}

// A question about several accounts already names them in its title and lines.
function questionLines(question: Question): readonly string[] {
	const { accounts, lines, skipped } = question;
	const [only, ...others] = accounts;
	const account = only && others.length === 0 ? accountLines(only.profile) : [];
	return [questionTitle(question), ...account, ...lines, ...skippedLines(skipped)];
}

/** Returns the line that names the account of a question. An account from environment variables has no name. */
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
