import type { OperationId } from '../fleet/operation.ts';
import type { OperationDetails, SkippedComputer, Target } from '../fleet/operation-row.ts';
import { cleanLine } from '../platform/clean.ts';
import { commandText } from './command-text.ts';
import { portFrom, problemWithAnswer, type Step } from './question-step.ts';

/**
 * A question that confirms an operation. All its values are captured when it opens; later facts about the fleet
 * do not change them.
 */
export type Question = {
	id: string;
	operation: OperationId;
	/** The title, such as "Stop atlas?". */
	title: string;
	targets: readonly Target[];
	skipped: readonly SkippedComputer[];
	lines: readonly string[];
	/** The port, version or other details that were set before the question opened. */
	details: OperationDetails & { version?: string };
	steps: readonly Step[];
	/** The answers to the steps before the current one. */
	answers: readonly string[];
	/** The text typed so far. */
	typedText: string;
	/** Why the last answer was refused. */
	problem?: string;
	/** The equivalent shell command, with the answers so far. */
	command: string;
	/** The names that only one computer has, and options such as the profile, which the command needs. */
	commandContext: { uniqueNames: ReadonlySet<string>; options: readonly string[] };
	/** The approximate milliseconds until all requests are sent. */
	sendingTimeMs: number;
	openedAt: number;
};

/** A key as `keys/key-name.ts` names it, or text that was pasted. */
export type KeyOrPaste = { key: string } | { paste: string };

type QuestionKeyResult = {
	type: 'open' | 'answered' | 'cancelled' | 'copy';
	question: Question;
};

/** A question ignores keys for this long after it opens, because a person cannot have read it yet. */
const ignoreKeysForMs = 300;

export function isTooNewForKeys({ openedAt }: { openedAt: number }, now: number): boolean {
	return now - openedAt < ignoreKeysForMs;
}

/** Returns the key that confirms. It is never the key that opened the question, which may still be held down. */
export function yesKeyOf({ askedWith }: { askedWith: string | undefined }): 'y' | 'Y' {
	return askedWith === 'y' ? 'Y' : 'y';
}

export function currentStepOf({ steps, answers }: Question): Step | undefined {
	return steps[answers.length];
}

/** Whether every step has a valid answer. */
export function isAnswered({ steps, answers }: Pick<Question, 'steps' | 'answers'>): boolean {
	return (
		steps.length > 0 &&
		answers.length === steps.length &&
		steps.every((step, place) => problemWithAnswer(step, answers[place] ?? '') === undefined)
	);
}

/** Returns the details of the operation, including those that the answers contain. */
export function detailsOf({ steps, answers, details: given }: Question): OperationDetails {
	const { version: _, ...details } = given;
	for (const [place, step] of steps.entries()) {
		const answer = answers[place]?.trim();
		if (!answer) continue;
		const port = portFrom(answer);
		if (step.kind === 'port' && port !== undefined) details.port = port;
		if (step.kind === 'text') details[step.field] = answer;
	}
	return details;
}

/**
 * Returns the question after a key or a paste, without side effects.
 *
 * ```
 *   deaf for 300 ms ──▶ step 1 ──▶ step 2 ──▶ … ──▶ answered
 *                        │ Esc      │ Esc: one step back
 *                        ▼
 *                    cancelled (also by n)
 * ```
 */
export function answerKey(
	question: Question,
	keyOrPaste: KeyOrPaste,
	now: number,
): QuestionKeyResult {
	// After the clock was set back, the time since opening is unknown, so the deaf time starts again.
	if (now < question.openedAt) return openResult({ ...question, openedAt: now });
	const step = currentStepOf(question);
	if (!step || isTooNewForKeys(question, now)) return openResult(question);
	if ('paste' in keyOrPaste)
		return openResult(questionAfterPaste(question, step, keyOrPaste.paste));
	const { key } = keyOrPaste;
	if (key === 'escape') return resultOfGoingBack(question);
	if (key === 'ctrl-y') return { type: 'copy', question };
	return step.kind === 'yes'
		? resultOfYesNoKey(question, step.key, key)
		: resultOfEditingKey(question, step, key);
}

/** Text can be pasted into a text field. A confirmation must be typed by hand. */
function questionAfterPaste(question: Question, step: Step, text: string): Question {
	if (step.kind === 'yes') return question;
	if (step.kind !== 'typed') return withTyped(question, question.typedText + cleanLine(text));
	return { ...question, problem: `Pasting does not confirm. Type ${step.expectedText}.` };
}

function resultOfYesNoKey(question: Question, yes: string, key: string): QuestionKeyResult {
	if (key === yes) return withNextAnswer(question, key);
	if (key === 'c') return { type: 'copy', question };
	return key === 'n' ? { type: 'cancelled', question } : openResult(question);
}

function resultOfEditingKey(question: Question, step: Step, key: string): QuestionKeyResult {
	const { typedText } = question;
	switch (key) {
		case 'enter': {
			const problem = problemWithAnswer(step, typedText);
			return problem === undefined
				? withNextAnswer(question, typedText)
				: openResult({ ...question, problem });
		}
		case 'backspace':
			return openResult(withTyped(question, Array.from(typedText).slice(0, -1).join('')));
		case 'ctrl-w':
			return openResult(withTyped(question, typedText.replace(/\S*\s*$/, '')));
		case 'ctrl-u':
			return openResult(withTyped(question, ''));
		default: {
			const letter = key === 'space' ? ' ' : key;
			const isLetter = Array.from(letter).length === 1;
			return openResult(isLetter ? withTyped(question, typedText + letter) : question);
		}
	}
}

function withNextAnswer(question: Question, answer: string): QuestionKeyResult {
	const next = withAnswers(question, [...question.answers, answer]);
	return isAnswered(next) ? { type: 'answered', question: next } : openResult(next);
}

// Esc goes back one step; at the first step it cancels the question.
function resultOfGoingBack(question: Question): QuestionKeyResult {
	const { answers } = question;
	const last = answers.at(-1);
	if (last === undefined) return { type: 'cancelled', question };
	return openResult(withTyped(withAnswers(question, answers.slice(0, -1)), last));
}

function withAnswers(question: Question, answers: readonly string[]): Question {
	const { problem: _, ...rest } = question;
	const step = question.steps[answers.length];
	const typedText = step?.kind === 'text' ? step.initialText : '';
	const next = { ...rest, answers, typedText };
	return { ...next, command: commandOf(next) };
}

function withTyped({ problem: _, ...question }: Question, typed: string): Question {
	return { ...question, typedText: typed };
}

export function commandOf(question: Question, maxNamed?: number): string {
	const { operation, targets, commandContext } = question;
	const isUnique = (name: string) => commandContext.uniqueNames.has(name);
	const details = detailsOf(question);
	return commandText(operation, targets, details, commandContext.options, isUnique, maxNamed);
}

const maxNamesInCommand = 24;

/**
 * Returns the command with all names, then with fewer and fewer names, so that a narrow screen can use one that
 * fits.
 */
export function shortenedCommandsOf(question: Question): readonly string[] {
	const count = question.targets.length;
	const most = Math.min(count, maxNamesInCommand);
	const shorter = Array.from({ length: most }, (_, at) => commandOf(question, most - at));
	return count === 0 ? [question.command] : shorter;
}

const openResult = (question: Question): QuestionKeyResult => ({ type: 'open', question });
