import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import { CommandError, exitCodes, UsageError } from '../foundation/error.ts';
import { problemWithAnswer, type QuestionStep, yesAnswer } from '../operations/question-wording.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import type { Program } from '../terminal/terminal.ts';
import type { ParsedArgs } from './command.ts';
import { createPrompt, isAtTerminal } from './prompt.ts';

/** With --json, no question is asked, because a program reads the output. */
export function canPrompt(program: Program, args: ParsedArgs): boolean {
	const isSeen = program.stdout.isTTY || program.stderr.isTTY;
	return isAtTerminal(program) && isSeen && !args.flag('json');
}

type Asked = {
	lines: readonly string[];
	steps: readonly QuestionStep[];
	/** Undefined if a person has to answer the step. */
	given: (step: QuestionStep) => string | undefined;
	/** Said where nobody can be asked. */
	missing: string;
};

export async function askFor(
	program: Program,
	args: ParsedArgs,
	{ lines, steps, given, missing }: Asked,
	signal: AbortSignal,
): Promise<readonly string[]> {
	const isGiven = steps.every(step => given(step) !== undefined);
	if (!isGiven && !canPrompt(program, args)) throw new UsageError(missing);
	const screen = program.stdout.isTTY ? program.stdout : program.stderr;
	if (!isGiven) screen.write(`${lines.map(cleanForTerminal).join('\n')}\n`);
	const prompt = isGiven ? undefined : createPrompt(program);
	const close = () => prompt?.close();
	signal.addEventListener('abort', close, { once: true });
	try {
		const answers: string[] = [];
		for (const step of steps) {
			const typed = given(step) ?? (await prompt?.ask(`${promptText(step)} `)) ?? '';
			const answer = step.kind === 'text' && typed.trim() === '' ? step.initialText : typed.trim();
			const problem = problemWithAnswer(step, answer);
			if (problem !== undefined)
				throw isGiven ? new UsageError(problem) : notConfirmedError(problem);
			answers.push(answer);
		}
		return answers;
	} finally {
		signal.removeEventListener('abort', close);
		close();
	}
}

/** An account from environment variables has no name. */
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
