import type { OperationId } from '../fleet/operations/operation.ts';
import type {
	OperationDetails,
	SkippedComputer,
	Target,
} from '../fleet/operations/operation-row.ts';
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
	/** The equivalent shell command, with the answers so far. */
	command: string;
	/** The names that only one computer has, and options such as the profile, which the command needs. */
	commandContext: { uniqueNames: ReadonlySet<string>; options: readonly string[] };
	/** The approximate milliseconds until all requests are sent. */
	sendingTimeMs: number;
	openedAt: number;
	/** The key that opened the question. The same key never confirms it, because it may still be held down. */
	openingKey?: string | undefined;
};

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

/** Returns the question with these answers to its first steps. */
export function withAnswers(question: Question, answers: readonly string[]): Question {
	const answered = { ...question, answers };
	return { ...answered, command: commandOf(answered) };
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
