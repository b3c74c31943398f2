import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import type { OperationId } from '../fleet/operations/operation.ts';
import type {
	OperationDetails,
	SkippedComputer,
	Target,
} from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { countText } from '../foundation/number-text.ts';
import { quoteForShell, shellCommandFrom } from '../foundation/shell-words.ts';

/** An account that a question is about. */
export type QuestionAccount = {
	profile: AccountProfile;
	/** The latest version, if the request of the operation contains it. */
	version?: string | undefined;
	/** The names that only one computer of the account has. */
	uniqueNames: ReadonlySet<string>;
	/** The options of a command that choose the account, such as the profile. */
	commandOptions: readonly string[];
};

/** A chosen computer that does not accept the operation, with its account. */
export type SkippedTarget = SkippedComputer & Pick<Target, 'account'>;

/**
 * A question that confirms an operation. All its values are captured when it opens; later facts about the fleet
 * do not change them.
 */
export type Question = {
	id: string;
	operation: OperationId;
	/** The accounts of the targets, or the account in which a computer is created. */
	accounts: readonly QuestionAccount[];
	/** Whether the question names its account, because the table has several. */
	namesAccount: boolean;
	/** The computers that the operation applies to, grouped by account. */
	targets: readonly Target[];
	skipped: readonly SkippedTarget[];
	/** Whether the person can choose to start the stopped computers first, or has chosen it and can leave them out. */
	starting?: 'offered' | 'chosen' | undefined;
	lines: readonly string[];
	/** How many of the first lines say what the operation costs, keeps and loses, and a short form of these lines. */
	consequence: { lineCount: number; short: readonly string[] };
	/** The port and other details that were set before the question opened. */
	details: OperationDetails;
	steps: readonly QuestionStep[];
	/** The answers to the steps before the current one. */
	answers: readonly string[];
	/** The milliseconds after the answer in which Esc cancels. */
	countdownMs: number;
	/** The approximate milliseconds until all requests are sent. */
	sendingTimeMs: number;
	openedAt: number;
	/** The key that opened the question. The same key never confirms it, because it may still be held down. */
	openingKey?: string | undefined;
};

/** Whether a computer is started before the operation. */
export const startsFirst = (target: Target) => target.startsFirst === true;

/** Returns the title with the answers so far, so that what confirms stands below what it confirms. */
export function questionTitle(question: Question): string {
	const { operation, targets } = question;
	const { label, questionLabel = label, subject } = operationRowOf(operation);
	const { port, name } = detailsOf(question);
	const verb =
		targets.every(startsFirst) && targets.length > 0
			? `Start and ${questionLabel.toLowerCase()}`
			: questionLabel;
	if (subject === 'account') return `${verb} ${name ?? 'a computer'}?`;
	const [only] = targets;
	const who =
		targets.length === 1 && only
			? nameWithId(only, question)
			: `${countText(targets.length)} computers`;
	const what = port === undefined ? '' : `port ${port} of `;
	return `${verb} ${what}${who}?`;
}

/** Returns the name of a computer, with the id if another computer of the account has the same name. */
export function nameWithId(
	{ account, id, name }: Pick<Target, 'account' | 'id' | 'name'>,
	{ accounts }: Pick<Question, 'accounts'>,
): string {
	const { uniqueNames } = accounts.find(({ profile }) => profile.account === account) ?? {};
	return name === id || (uniqueNames?.has(name) ?? true) ? name : `${name} (${id})`;
}

export function currentStepOf({ steps, answers }: Question): QuestionStep | undefined {
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
	const details = { ...given };
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
	return { ...question, answers };
}

/** Returns the accounts of the targets, or the account that a person chose for a new computer. */
export function chosenAccountsOf({
	accounts,
	steps,
	answers,
}: Question): readonly QuestionAccount[] {
	const at = steps.findIndex(({ kind }) => kind === 'account');
	const step = steps[at];
	if (step?.kind !== 'account') return accounts;
	const name = answers[at]?.trim() ?? step.initialText;
	return accounts.filter(({ profile }) => profile.name === name);
}

/** Returns the equivalent shell command, with the answers so far. It may name thousands of computers. */
export function commandOf(question: Question, maxNamed?: number): string {
	const { operation, targets } = question;
	if (operationRowOf(operation).ownCommand) return ownCommandText(targets);
	const accounts = chosenAccountsOf(question);
	const accountOf = (account: string) =>
		accounts.find(({ profile }) => profile.account === account);
	const isOne = accounts.length === 1;
	const options = isOne ? (accounts[0]?.commandOptions ?? []) : [];
	const started = targets.filter(startsFirst);
	const argumentOf = (target: Target) => {
		const { profile, uniqueNames = new Set<string>() } = accountOf(target.account) ?? {};
		const argument = argumentFor(target, uniqueNames);
		return isOne ? argument : `${profile?.name ?? ''}/${argument}`;
	};
	const command = commandText(
		...([operation, targets, detailsOf(question), options, argumentOf, maxNamed] as const),
	);
	if (started.length === 0) return command;
	const waiting = [...options, '--wait'];
	return `${commandText('start', started, {}, waiting, argumentOf, maxNamed)} && ${command}`;
}

/** Returns the command lines that an own command runs, one line for each computer. */
const ownCommandText = (targets: readonly Target[]) =>
	targets.map(({ commandLine }) => shellCommandFrom(commandLine?.words ?? [])).join('\n');

const maxNamesInCommand = 24;

/** Returns the command with its first names. The lines of a question list what an own command runs on several computers. */
export function shownCommandOf(question: Question): string | undefined {
	const isListed = operationRowOf(question.operation).ownCommand && question.targets.length > 1;
	return isListed ? undefined : commandOf(question, maxNamesInCommand);
}

/**
 * One thing that a question asks for. The last step is always `yes` or `typed`, so that Enter alone never confirms.
 */
export type QuestionStep = {
	prompt: string;
} /** The person answers y, or in the monitor presses the key that says yes. */ & (
	| { kind: 'yes' }
	/** The person types the expected text, then Enter. */
	| { kind: 'typed'; expectedText: string }
	/** The person types a port, then Enter. The two lists limit which ports are accepted. */
	| {
			kind: 'port';
			allowedPorts?: readonly number[] | undefined;
			takenPorts?: readonly number[] | undefined;
	  }
	/** The person types a value for the new computer, then Enter. */
	| { kind: 'text'; field: 'name' | 'provider'; initialText: string }
	/** The person types the account of the new computer, then Enter. */
	| { kind: 'account'; initialText: string; names: readonly string[] }
);

/** The answer that confirms a step of the kind `yes`. */
export const yesAnswer = 'y';

const maxTextLength = 100;

/** Returns the reason why a step refuses an answer; undefined if it accepts the answer. */
export function problemWithAnswer(step: QuestionStep, answer: string): string | undefined {
	switch (step.kind) {
		case 'yes':
			return answer === yesAnswer ? undefined : `Only ${yesAnswer} confirms.`;
		case 'typed':
			return answer === step.expectedText ? undefined : `That is not ${step.expectedText}.`;
		case 'port':
			return problemWithPort(step, portFrom(answer));
		case 'account':
			return step.names.includes(answer.trim())
				? undefined
				: `Enter one of ${step.names.join(', ')}.`;
		case 'text':
			if (step.field === 'provider' && answer.trim() === '') return 'Enter a provider.';
			return answer.trim().length > maxTextLength
				? `At most ${maxTextLength} characters.`
				: undefined;
	}
}

function problemWithPort(
	{ allowedPorts, takenPorts }: Extract<QuestionStep, { kind: 'port' }>,
	port: number | undefined,
): string | undefined {
	if (port === undefined) return 'A port is a number from 1 to 65535.';
	if (takenPorts?.includes(port)) return `Port ${port} is already published.`;
	return allowedPorts && !allowedPorts.includes(port)
		? `Port ${port} is not published.`
		: undefined;
}

export function portFrom(text: string): number | undefined {
	const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
	return port >= 1 && port <= 65_535 ? port : undefined;
}

/**
 * Builds the step that asks for a port. If a single computer's published ports are known, they limit the
 * answers.
 */
export function buildPortStep(operation: OperationId, targets: readonly Target[]): QuestionStep {
	const ports = targets.length === 1 ? targets[0]?.ports : undefined;
	if (operationRowOf(operation).goal.reaches === 'published') {
		return { kind: 'port', prompt: 'Port, 1 to 65535:', takenPorts: ports };
	}
	return { kind: 'port', prompt: 'Port to unpublish:', allowedPorts: ports };
}

/** Returns the shell command that is equivalent to an operation. A port that is not typed yet appears as `PORT`. */
export function commandText(
	operation: OperationId,
	targets: readonly Target[],
	{ port, name, provider }: OperationDetails,
	options: readonly string[],
	argumentOf: (target: Target) => string,
	maxNamed = targets.length,
): string {
	const { commandName, subject } = operationRowOf(operation);
	const named = targets.slice(0, maxNamed);
	const more = targets.length - named.length;
	return [
		shellCommandFrom(['crowsnest', commandName]),
		...named.map(target => quoteForShell(argumentOf(target))),
		...(more > 0 ? [`… and ${countText(more)} more`] : []),
		shellCommandFrom([
			...(subject === 'port' ? [port === undefined ? 'PORT' : String(port)] : []),
			...(name ? ['--name', name] : []),
			...(provider ? ['--provider', provider] : []),
			...options,
			'--yes',
		]),
	].join(' ');
}

// Uses the id if the name is not unique or looks like an option, because the command would then do something else.
export function argumentFor(
	{ id, name }: Pick<Target, 'id' | 'name'>,
	uniqueNames: ReadonlySet<string>,
): string {
	return uniqueNames.has(name) && !name.startsWith('-') ? name : id;
}
