import type { OperationId } from '../fleet/operation.ts';
import { cleanLine } from '../platform/clean.ts';
import { commandText } from './command-text.ts';
import type { Details, SkippedComputer, Target } from './operation-row.ts';

/**
 * A question that confirms an operation. All its values are captured when it opens; later facts about the fleet
 * do not change them.
 */
export type Question = {
	id: string;
	operation: OperationId;
	/** As in "Stop atlas?". */
	title: string;
	targets: readonly Target[];
	skipped: readonly SkippedComputer[];
	lines: readonly string[];
	/** The port, version or other details that were set before the question opened. */
	details: Details & { version?: string };
	steps: readonly Step[];
	/** The answers to the steps before the current one. */
	answers: readonly string[];
	/** The text typed so far. */
	typed: string;
	/** Why the last answer was refused. */
	problem?: string;
	/** The equivalent shell command, with the answers so far. */
	command: string;
	/** What the command needs: the unique names of computers, and options such as the profile. */
	commandContext: { unique: ReadonlySet<string>; options: readonly string[] };
	/** The approximate milliseconds until all requests are sent. */
	sendingTime: number;
	openedAt: number;
};

/** A key as `keys/key-name.ts` names it, or text that was pasted. */
export type KeyOrPaste = { key: string } | { paste: string };

export type QuestionKeyResult = {
	type: 'open' | 'answered' | 'cancelled' | 'copy';
	question: Question;
};

/** A question ignores keys for this long after it opens, because a person cannot have read it yet. */
const deafTimeMs = 300;

export function isDeaf({ openedAt }: { openedAt: number }, now: number): boolean {
	return now - openedAt < deafTimeMs;
}

/** The key that confirms. It differs from the key that opened the question, which may still be held down. */
export function yesKeyOf({ askedWith }: { askedWith: string | undefined }): 'y' | 'Y' {
	return askedWith === 'y' ? 'Y' : 'y';
}

export function stepOf({ steps, answers }: Question): Step | undefined {
	return steps[answers.length];
}

/** Whether every step has a valid answer. */
export function isAnswered({ steps, answers }: Pick<Question, 'steps' | 'answers'>): boolean {
	return (
		steps.length > 0 &&
		answers.length === steps.length &&
		steps.every((step, place) => problemWith(step, answers[place] ?? '') === undefined)
	);
}

/** The details of the question, completed by its answers. */
export function detailsOf({ steps, answers, details: given }: Question): Details {
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
export function answerKey(question: Question, input: KeyOrPaste, now: number): QuestionKeyResult {
	// After the clock was set back, the time since opening is unknown, so the deaf time starts again.
	if (now < question.openedAt) return stillOpen({ ...question, openedAt: now });
	const step = stepOf(question);
	if (!step || isDeaf(question, now)) return stillOpen(question);
	if ('paste' in input) return stillOpen(afterPaste(question, step, input.paste));
	const { key } = input;
	if (key === 'escape') return goBack(question);
	if (key === 'ctrl-y') return { type: 'copy', question };
	return step.kind === 'yes'
		? afterYesNoKey(question, step.key, key)
		: afterEditingKey(question, step, key);
}

/** Text can be pasted into a text field. A confirmation must be typed by hand. */
function afterPaste(question: Question, step: Step, text: string): Question {
	if (step.kind === 'yes') return question;
	if (step.kind !== 'typed') return withTyped(question, question.typed + cleanLine(text));
	return { ...question, problem: `Pasting does not confirm. Type ${step.expected}.` };
}

function afterYesNoKey(question: Question, yes: string, key: string): QuestionKeyResult {
	if (key === yes) return withNextAnswer(question, key);
	if (key === 'c') return { type: 'copy', question };
	return key === 'n' ? { type: 'cancelled', question } : stillOpen(question);
}

function afterEditingKey(question: Question, step: Step, key: string): QuestionKeyResult {
	const { typed } = question;
	switch (key) {
		case 'enter': {
			const problem = problemWith(step, typed);
			return problem === undefined
				? withNextAnswer(question, typed)
				: stillOpen({ ...question, problem });
		}
		case 'backspace':
			return stillOpen(withTyped(question, Array.from(typed).slice(0, -1).join('')));
		case 'ctrl-w':
			return stillOpen(withTyped(question, typed.replace(/\S*\s*$/, '')));
		case 'ctrl-u':
			return stillOpen(withTyped(question, ''));
		default: {
			const letter = key === 'space' ? ' ' : key;
			const isLetter = Array.from(letter).length === 1;
			return stillOpen(isLetter ? withTyped(question, typed + letter) : question);
		}
	}
}

function withNextAnswer(question: Question, answer: string): QuestionKeyResult {
	const next = withAnswers(question, [...question.answers, answer]);
	return isAnswered(next) ? { type: 'answered', question: next } : stillOpen(next);
}

// Esc goes back one step; at the first step it cancels the question.
function goBack(question: Question): QuestionKeyResult {
	const { answers } = question;
	const last = answers.at(-1);
	if (last === undefined) return { type: 'cancelled', question };
	return stillOpen(withTyped(withAnswers(question, answers.slice(0, -1)), last));
}

function withAnswers(question: Question, answers: readonly string[]): Question {
	const { problem: _, ...rest } = question;
	const step = question.steps[answers.length];
	const typed = step?.kind === 'text' ? step.initial : '';
	const next = { ...rest, answers, typed };
	return { ...next, command: commandOf(next) };
}

function withTyped({ problem: _, ...question }: Question, typed: string): Question {
	return { ...question, typed };
}

export function commandOf(question: Question, namedAtMost?: number): string {
	const { operation, targets, commandContext } = question;
	const isUnique = (name: string) => commandContext.unique.has(name);
	const details = detailsOf(question);
	return commandText(operation, targets, details, commandContext.options, isUnique, namedAtMost);
}

const maxNamesInCommand = 24;

/** The command in full, then with ever fewer names, so that a narrow screen can pick one that fits. */
export function commandVersions(question: Question): readonly string[] {
	const count = question.targets.length;
	const most = Math.min(count, maxNamesInCommand);
	const shorter = Array.from({ length: most }, (_, at) => commandOf(question, most - at));
	return count === 0 ? [question.command] : shorter;
}

const stillOpen = (question: Question): QuestionKeyResult => ({ type: 'open', question });

/**
 * One thing that a question asks for. The last step is always `yes`, `typed` or `port`, so that Enter alone
 * never confirms.
 */
export type Step = { prompt: string } & (
	| { kind: 'yes'; key: string }
	/** The person types the expected text, then Enter. */
	| { kind: 'typed'; expected: string }
	/** The person types a port, then Enter: one of `among` and none of `notAmong`, if these are set. */
	| { kind: 'port'; among?: readonly number[]; notAmong?: readonly number[] }
	/** The person types a value for the new computer, then Enter. */
	| { kind: 'text'; field: 'name' | 'provider'; initial: string }
);

const maxTextLength = 100;

/** Why the step refuses an answer; undefined when the answer is accepted. */
export function problemWith(step: Step, answer: string): string | undefined {
	switch (step.kind) {
		case 'yes':
			return answer === step.key ? undefined : `Only ${step.key} confirms.`;
		case 'typed':
			return answer === step.expected ? undefined : `That is not ${step.expected}.`;
		case 'port':
			return problemWithPort(step, portFrom(answer));
		case 'text':
			if (step.field === 'provider' && answer.trim() === '') return 'Enter a provider.';
			return answer.trim().length > maxTextLength
				? `At most ${maxTextLength} characters.`
				: undefined;
	}
}

function problemWithPort(
	{ among, notAmong }: Extract<Step, { kind: 'port' }>,
	port: number | undefined,
): string | undefined {
	if (port === undefined) return 'A port is a number from 1 to 65535.';
	if (notAmong?.includes(port)) return `Port ${port} is already published.`;
	return among && !among.includes(port) ? `Port ${port} is not published.` : undefined;
}

export function portFrom(text: string): number | undefined {
	const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
	return port >= 1 && port <= 65_535 ? port : undefined;
}

/**
 * Builds the step that asks for a port. If a single computer's published ports are known, they limit the
 * answers.
 */
export function portStep(operation: 'publish' | 'unpublish', targets: readonly Target[]): Step {
	const ports = targets.length === 1 ? targets[0]?.ports : undefined;
	if (operation === 'publish') {
		return { kind: 'port', prompt: 'Port, 1 to 65535:', ...(ports && { notAmong: ports }) };
	}
	return { kind: 'port', prompt: 'Port to unpublish:', ...(ports && { among: ports }) };
}
