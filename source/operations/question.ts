import type { OperationId } from '../fleet/fact.ts';
import { cleanLine } from '../platform/clean.ts';
import type { Skipped } from './capture.ts';
import { commandText } from './command-text.ts';
import type { Details, Target } from './rule.ts';
import { portFrom, problemWith, type Step } from './steps.ts';

/** A captured value: nothing in it is looked up again, whatever happens to the fleet meanwhile. */
export type Question = {
	id: string;
	operation: OperationId;
	/** "Stop atlas?" */
	title: string;
	targets: readonly Target[];
	skipped: readonly Skipped[];
	lines: readonly string[];
	/** The port or the version that it was asked with. */
	given: Details & { version?: string };
	steps: readonly Step[];
	/** What was answered to the steps before the present one. */
	answers: readonly string[];
	/** What is being typed. */
	typed: string;
	/** Why the last Enter did not take what was typed. */
	problem?: string;
	/** The equivalent in a shell, as far as it is told. */
	command: string;
	/** What its command needs beside: the names that mean one computer only, and the profile. */
	naming: { unique: ReadonlySet<string>; options: readonly string[] };
	/** Sending them all takes about so long at the present budget. */
	sendingTime: number;
	openedAt: number;
};

/** A key as `keys/key-name.ts` names it, or text that was pasted. */
export type QuestionInput = { key: string } | { paste: string };

export type Reply = {
	type: 'open' | 'answered' | 'cancelled' | 'copy';
	question: Question;
};

/** A key that was pressed before the question could be read does not count. */
const deafFor = 300;

export function isDeaf({ openedAt }: { openedAt: number }, now: number): boolean {
	return now - openedAt < deafFor;
}

/** The key that says yes, which is never the one that asked: that may still be held down. */
export function yesKeyOf({ askedWith }: { askedWith: string | undefined }): 'y' | 'Y' {
	return askedWith === 'y' ? 'Y' : 'y';
}

export function stepOf({ steps, answers }: Question): Step | undefined {
	return steps[answers.length];
}

/** Every step is answered as it wants to be. */
export function isAnswered({ steps, answers }: Pick<Question, 'steps' | 'answers'>): boolean {
	return (
		steps.length > 0 &&
		answers.length === steps.length &&
		steps.every((step, place) => problemWith(step, answers[place] ?? '') === undefined)
	);
}

/** What was told in it, all together. */
export function detailsOf({ steps, answers, given }: Question): Details {
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

/** What a key does to a question. Pure: the time comes in, the next question goes out. */
export function answerKey(question: Question, input: QuestionInput, now: number): Reply {
	// A clock that was put back tells nothing of how long it has been open: it is deaf anew.
	if (now < question.openedAt) return open({ ...question, openedAt: now });
	const step = stepOf(question);
	if (!step || isDeaf(question, now)) return open(question);
	if ('paste' in input) return open(pasted(question, step, input.paste));
	const { key } = input;
	if (key === 'escape') return back(question);
	if (key === 'ctrl-y') return { type: 'copy', question };
	return step.kind === 'yes' ? sure(question, step.key, key) : edited(question, step, key);
}

/** What is pasted goes into a field. It is no confirmation: those are given letter by letter. */
function pasted(question: Question, step: Step, text: string): Question {
	if (step.kind === 'yes') return question;
	if (step.kind !== 'typed') return withTyped(question, question.typed + cleanLine(text));
	return { ...question, problem: `Type ${step.expected} by hand: pasting does not confirm.` };
}

function sure(question: Question, yes: string, key: string): Reply {
	if (key === yes) return answered(question, key);
	if (key === 'c') return { type: 'copy', question };
	return key === 'n' ? { type: 'cancelled', question } : open(question);
}

function edited(question: Question, step: Step, key: string): Reply {
	const { typed } = question;
	switch (key) {
		case 'enter': {
			const problem = problemWith(step, typed);
			return problem === undefined ? answered(question, typed) : open({ ...question, problem });
		}
		case 'backspace':
			return open(withTyped(question, Array.from(typed).slice(0, -1).join('')));
		case 'ctrl-w':
			return open(withTyped(question, typed.replace(/\S*\s*$/, '')));
		case 'ctrl-u':
			return open(withTyped(question, ''));
		default: {
			const letter = key === 'space' ? ' ' : key;
			const isLetter = Array.from(letter).length === 1;
			return open(isLetter ? withTyped(question, typed + letter) : question);
		}
	}
}

function answered(question: Question, answer: string): Reply {
	const next = withAnswers(question, [...question.answers, answer]);
	return isAnswered(next) ? { type: 'answered', question: next } : open(next);
}

// Esc goes back one step, and from the first one out.
function back(question: Question): Reply {
	const { answers } = question;
	const last = answers.at(-1);
	if (last === undefined) return { type: 'cancelled', question };
	return open(withTyped(withAnswers(question, answers.slice(0, -1)), last));
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
	const { operation, targets, naming } = question;
	const isUnique = (name: string) => naming.unique.has(name);
	const details = detailsOf(question);
	return commandText(operation, targets, details, naming.options, isUnique, namedAtMost);
}

const shownAtMost = 24;

/** What may be shown of its command where the whole has no room: that first, and ever fewer names. */
export function commandsShown(question: Question): readonly string[] {
	const count = question.targets.length;
	const most = Math.min(count, shownAtMost);
	const shorter = Array.from({ length: most }, (_, at) => commandOf(question, most - at));
	return count === 0 ? [question.command] : shorter;
}

const open = (question: Question): Reply => ({ type: 'open', question });
