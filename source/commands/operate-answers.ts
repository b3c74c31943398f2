import { operations } from '../operations/operations.ts';
import type { Question } from '../operations/question.ts';
import { problemWith, type Step } from '../operations/steps.ts';
import { cleanForTerminal } from '../terminal/say.ts';
import type { Program } from '../terminal/terminal.ts';
import { exitCodes, type Given, UsageError } from './command.ts';
import { CommandError } from './list-failure.ts';
import { createPrompt, isAtTerminal } from './login-prompt.ts';

/** Somebody is there to answer, and can see what is asked. Programs that read JSON are asked nothing. */
export function canAsk(program: Program, given: Given): boolean {
	const isSeen = program.stdout.isTTY || program.stderr.isTTY;
	return isAtTerminal(program) && isSeen && !given.flag('json');
}

/** The question with its answers: from the options, or from whoever sits at the terminal. */
export async function answered(
	program: Program,
	given: Given,
	question: Question,
	signal: AbortSignal,
): Promise<Question> {
	const fromOptions = question.steps.map(step => answerGiven(step, given));
	if (fromOptions.every(answer => answer !== undefined)) {
		return { ...question, answers: checked(question, fromOptions) };
	}
	if (!canAsk(program, given)) throw new UsageError(missingText(question, given));
	const screen = program.stdout.isTTY ? program.stdout : program.stderr;
	screen.write(`${questionLines(question).map(cleanForTerminal).join('\n')}\n`);
	const prompt = createPrompt(program);
	signal.addEventListener('abort', prompt.close, { once: true });
	try {
		const answers: string[] = [];
		for (const [place, step] of question.steps.entries()) {
			const known = fromOptions[place];
			const answer = known ?? (await prompt.ask(`${promptOf(step)} `));
			answers.push(step.kind === 'text' && answer.trim() === '' ? step.initial : answer.trim());
			const problem = problemWith(step, answers.at(-1) ?? '');
			if (problem !== undefined) throw notConfirmed(problem);
		}
		return { ...question, answers };
	} finally {
		signal.removeEventListener('abort', prompt.close);
		prompt.close();
	}
}

function answerGiven(step: Step, given: Given): string | undefined {
	const isSure = given.flag('yes');
	switch (step.kind) {
		case 'yes':
			return isSure ? step.key : undefined;
		case 'typed':
			return isSure ? step.expected : undefined;
		case 'text':
			return given.text(step.field) ?? (isSure ? step.initial : undefined);
		case 'port':
			return given.text('port');
	}
}

function checked({ steps }: Question, answers: readonly string[]): readonly string[] {
	for (const [place, step] of steps.entries()) {
		const problem = problemWith(step, answers[place] ?? '');
		if (problem !== undefined) throw new UsageError(problem);
	}
	return answers;
}

function missingText({ operation, steps }: Question, given: Given): string {
	const isPortMissing = steps.some(({ kind }) => kind === 'port') && !given.text('port');
	if (isPortMissing) return `${operation} needs --port`;
	return `${operations[operation].label} asks first, and nobody is there to answer: add --yes`;
}

function questionLines({ title, lines, skipped }: Question): readonly string[] {
	return [title, ...lines, ...skipped.map(({ name, reason }) => `Left out: ${name}, ${reason}`)];
}

function promptOf(step: Step): string {
	if (step.kind !== 'text' || step.initial === '') return step.prompt;
	return `${step.prompt.replace(/:$/, '')} (${step.initial}):`;
}

function notConfirmed(problem: string): CommandError {
	const message = `nothing was done: ${problem}`;
	return new CommandError('cancelled', message, '', exitCodes.cancelled);
}
