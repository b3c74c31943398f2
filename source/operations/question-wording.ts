import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import { runwayOf } from '../fleet/computers/runway.ts';
import { idleLimitMsOf } from '../fleet/computers/stop-reason.ts';
import type { OperationId } from '../fleet/operations/operation.ts';
import type {
	OperationDetails,
	QuestionContext,
	SkippedComputer,
	Target,
} from '../fleet/operations/operation-row.ts';
import { operationRowOf, stopsForLong } from '../fleet/operations/operation-table.ts';
import type { QuestionStrictness } from '../fleet/operations/preferences.ts';
import { type Strictness, strictnessRows } from '../fleet/operations/strictness.ts';
import { durationText, roughDurationText } from '../foundation/duration.ts';
import { memoize } from '../foundation/memoize.ts';
import { countText } from '../foundation/number-text.ts';
import { quoteForShell, shellCommandFrom } from '../foundation/shell-words.ts';
import type { Slots } from '../limits/slots.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { estimateSendingTime, overdueText, usualDurationOf } from './durations.ts';

// What a question says and asks for.

/** An account that a question is about. */
type QuestionAccount = {
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
	/** Whether a setting has switched the question off, so that its operations begin at once. */
	isUnasked: boolean;
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

/** Returns the equivalent shell command, with the answers so far. It may name hundreds of computers. */
export function commandOf(question: Question, maxNamed?: number): string {
	const { operation, targets } = question;
	if (operationRowOf(operation).ownCommand) return ownCommandText(targets);
	const details = detailsOf(question);
	const accounts = chosenAccountsOf(question);
	const isOne = accounts.length === 1;
	// A command works on one account.
	const commands = accounts.flatMap(({ profile, uniqueNames, commandOptions }) => {
		const own = targets.filter(({ account }) => account === profile.account);
		const options = isOne ? commandOptions : [];
		const argumentOf = (target: Target) =>
			`${isOne ? '' : `${profile.name}/`}${argumentFor(target, uniqueNames)}`;
		const command = commandText(operation, own, details, options, argumentOf, maxNamed);
		const started = own.filter(startsFirst);
		if (started.length === 0) return command;
		const waiting = [...options, '--wait'];
		return [commandText('start', started, {}, waiting, argumentOf, maxNamed), command];
	});
	return commands.join(' && ');
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

/** Builds the step that asks for a port. The published ports of a single computer limit the answers. */
function buildPortStep(operation: OperationId, targets: readonly Target[]): QuestionStep {
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

/** The part of a question that concerns one of its accounts. */
export type QuestionPart = {
	profile: AccountProfile;
	state: AccountState;
	/** The computers of the account that the operation applies to. */
	targets: readonly Target[];
	slots: Readonly<Record<'create' | 'other', Slots>>;
	commandOptions: readonly string[];
	/** The strictness of those questions for which the profile changes it. */
	strictness: QuestionStrictness | undefined;
};

type BuildQuestionOptions = Pick<
	Question,
	'id' | 'operation' | 'skipped' | 'starting' | 'details' | 'openingKey' | 'namesAccount'
> & {
	/** The accounts of the question, at least one. */
	parts: readonly QuestionPart[];
	strictness: Strictness;
	now: number;
};

/**
 * Builds the question that confirms an operation. Its values are copied now, so later facts do not change the
 * question.
 */
export function buildQuestion(options: BuildQuestionOptions): Question {
	const { id, operation, parts, skipped, details, namesAccount, openingKey, now } = options;
	const targets = parts.flatMap(part => part.targets);
	const given = { ...details, ...portOf(operation, targets) };
	const { scope, needsLatestVersion, shortConsequence } = operationRowOf(operation);
	// Each account has rate limits of its own, so the accounts send at the same time.
	const time = Math.max(
		...parts.map(part =>
			estimateSendingTime(Math.max(1, part.targets.length), scope, part.slots, now),
		),
	);
	const accounts = parts.map(({ profile, state, commandOptions }): QuestionAccount => {
		const version = needsLatestVersion ? state.release?.version : undefined;
		return { profile, version, uniqueNames: uniqueNamesOf(state.computers), commandOptions };
	});
	const consequenceLines = operationLinesOf(parts, operation, now);
	const nameOf = (target: Target) => nameWithId(target, { accounts });
	return {
		id,
		operation,
		accounts,
		namesAccount,
		targets,
		skipped,
		starting: options.starting,
		lines: [
			...consequenceLines,
			...(parts.length > 1 && targets.length > 0
				? parts.map(
						({ profile: { name }, targets: own }) =>
							`${name}: ${countText(own.length)} (${namesText(own, nameOf)})`,
					)
				: targetLinesOf(options, given, nameOf)),
			...(targets.length > 1 && time >= 1000
				? [`Sending ${countText(targets.length)} requests takes about ${roughDurationText(time)}.`]
				: []),
		],
		consequence: {
			lineCount: consequenceLines.length,
			short: shortConsequence(targets),
		},
		details: given,
		steps: stepsOf(options, targets, given),
		answers: [],
		countdownMs: strictnessRows[options.strictness].countdownMs,
		sendingTimeMs: time,
		openedAt: now,
		openingKey,
		isUnasked: options.strictness === 'off',
	};
}

/**
 * Returns what the operation costs, keeps and loses. A line that differs between accounts names its account.
 */
function operationLinesOf(
	parts: readonly QuestionPart[],
	operation: OperationId,
	now: number,
): readonly string[] {
	const { questionLines } = operationRowOf(operation);
	const all = parts.map(({ profile: { name }, state, targets, slots }) => {
		const context = {
			...questionContextFrom(state, operation, slots.create, now),
			isOfSeveralAccounts: parts.length > 1,
		};
		return { name, lines: [...startLines(targets, context), ...questionLines(targets, context)] };
	});
	const [first = { lines: [] }] = all;
	// A line that names a computer is about one account, even if another account has a computer of the same name.
	const namesTarget = (line: string) =>
		parts.some(({ targets }) => targets.some(({ name }) => line.includes(name)));
	const shared = first.lines.filter(
		line => !namesTarget(line) && all.every(({ lines }) => lines.includes(line)),
	);
	const own = all.flatMap(({ name, lines }) =>
		lines.filter(line => !shared.includes(line)).map(line => `${name}: ${line}`),
	);
	return parts.length === 1 ? first.lines : [...shared, ...own];
}

/** Says which computers are started first, and what that costs. */
function startLines(targets: readonly Target[], context: QuestionContext): readonly string[] {
	const started = targets.filter(startsFirst);
	if (started.length === 0) return [];
	const which =
		started.length === targets.length
			? ''
			: ` ${countText(started.length)} of them (${namesText(started, ({ name }) => name)})`;
	return [
		`Starts${which} first. ${started.length > 1 ? 'They stay' : 'It stays'} on afterwards.`,
		...operationRowOf('start').questionLines(started, context),
	];
}

// If a computer has only one published port, unpublish can only mean this port, so no step asks for it.
function portOf(operation: OperationId, targets: readonly Target[]): OperationDetails {
	const ports = targets.length === 1 ? targets[0]?.ports : undefined;
	const [port] = ports ?? [];
	const isInferred = operationRowOf(operation).goal.reaches === 'unpublished';
	return isInferred && ports?.length === 1 && port !== undefined ? { port } : {};
}

const maxNamesShown = 5;

type NameOf = (target: Target) => string;

function targetLinesOf(
	{ operation, parts: [part], now }: BuildQuestionOptions,
	{ port }: OperationDetails,
	nameOf: NameOf,
): readonly string[] {
	const { targets = [], state } = part ?? {};
	const [only] = targets;
	if (!only || !state) return [];
	if (targets.length > 1) return [namesText(targets, nameOf)];
	// The title names the port, and the lines of a stop name all of them.
	const saysPorts = port === undefined && !stopsForLong(operationRowOf(operation));
	return [targetTextOf(only, saysPorts), ...overdueLinesOf(state, only, now)];
}

function namesText(targets: readonly Target[], nameOf: NameOf): string {
	const names = targets.slice(0, maxNamesShown).map(nameOf);
	const more = targets.length - names.length;
	return `${names.join(', ')}${more > 0 ? ` and ${countText(more)} more` : ''}`;
}

function targetTextOf({ id, phase, uptime, ports }: Target, saysPorts: boolean): string {
	const up = uptime
		? [`for ${uptime.isLowerBound ? 'at least ' : ''}${durationText(uptime.milliseconds)}`]
		: [];
	const published =
		saysPorts && ports?.length
			? [`publishes port${ports.length > 1 ? 's' : ''} ${ports.join(' ')}`]
			: [];
	return [id, [phase, ...up].join(' '), ...published].join(', ');
}

// Mentions earlier operations on this computer that take longer than their limit.
function overdueLinesOf({ operations }: AccountState, { id }: Target, now: number) {
	return [...operations.values()]
		.filter(({ spec }) => spec.computer === id)
		.map(operation => overdueText(operation, now))
		.filter(text => text !== undefined)
		.map(text => `It is ${text}.`);
}

/** Collects the facts about the account that the lines of a question mention. */
function questionContextFrom(
	account: AccountState,
	operation: OperationId,
	createSlots: Slots,
	now: number,
): QuestionContext {
	const { release, subscription, credits, changes } = account;
	return {
		now,
		latestVersion: release?.version,
		releaseTitle: release?.title || undefined,
		idleLimitMs: idleLimitMsOf(subscription?.plan),
		planName: subscription?.planName,
		credits,
		runway: runwayOf(account),
		renewsAt: subscription?.endsWithPeriod ? undefined : subscription?.periodEndsAt,
		createSlots,
		usualDurationMs: usualDurationOf(changes, operation),
	};
}

/** Returns what a person has to answer before the operation begins. */
function stepsOf(
	{ operation, parts, strictness }: BuildQuestionOptions,
	targets: readonly Target[],
	details: OperationDetails,
): readonly QuestionStep[] {
	const { subject, label, questionLabel = label } = operationRowOf(operation);
	const needsPort = subject === 'port' && details.port === undefined;
	return [
		...(subject === 'account' ? buildCreateSteps(parts, details) : []),
		...(needsPort ? [buildPortStep(operation, targets)] : []),
		strictnessRows[strictness].isTyped
			? buildTypedStep(operation, targets, parts)
			: { kind: 'yes', prompt: `${questionLabel} ${targets.length > 1 ? 'them' : 'it'}?` },
	];
}

// A longer name is never shown in full, so a person could not type it. The id is typed instead.
const maxTypedNameLength = 40;

/**
 * Builds the step in which a person types the name of the computer, or how many computers there are. If several
 * computers share the name, the id is typed instead. In production, the name of the profile is typed as well.
 */
function buildTypedStep(
	operation: OperationId,
	targets: readonly Target[],
	parts: readonly QuestionPart[],
): QuestionStep {
	const production = parts
		.filter(({ profile }) => profile.isProduction)
		.map(({ profile }) => profile.name);
	const [only] = targets;
	const isOne = targets.length < 2;
	const subjects = only ? [isOne ? typedNameOf(only, parts) : `${targets.length}`] : [];
	const isNameEnough = isOne && only !== undefined && production.length === 0;
	const { commandName } = operationRowOf(operation);
	const words = isNameEnough ? subjects : [commandName, ...subjects, ...production];
	const expected = words.join(' ');
	const { questionLabel = operation } = operationRowOf(operation);
	const verb = `${questionLabel.slice(0, 1).toLowerCase()}${questionLabel.slice(1)}`;
	const prompt = `Type ${expected} to ${verb} ${isOne ? 'it' : 'them'}:`;
	return { kind: 'typed', expectedText: expected, prompt };
}

function typedNameOf({ id, name }: Target, [part]: readonly QuestionPart[]): string {
	const isNamed =
		part && uniqueNamesOf(part.state.computers).has(name) && name.length <= maxTypedNameLength;
	return isNamed ? name : id;
}

const usualProvider = 'opensandbox';

// No step asks for a name on platforms whose computers have no names.
function buildCreateSteps(
	parts: readonly QuestionPart[],
	details: OperationDetails,
): readonly QuestionStep[] {
	const all = parts.flatMap(({ state }) => [...state.computers.values()]);
	const hasNames = all.length === 0 || all.some(({ reading }) => Boolean(reading.name));
	const names = parts.map(({ profile }) => profile.name);
	const steps: QuestionStep[] = [];
	if (names.length > 1) {
		const prompt = `Account (${names.join(', ')}):`;
		steps.push({ kind: 'account', initialText: names[0] ?? '', names, prompt });
	}
	if (hasNames) {
		const initialText = details.name ?? '';
		steps.push({ kind: 'text', field: 'name', initialText, prompt: 'Name (optional):' });
	}
	// The platform documents only one provider. So the provider is asked for only if a computer has another one.
	const usesAnother = all.some(
		({ reading }) => reading.provider && reading.provider !== usualProvider,
	);
	if (details.provider !== undefined || usesAnother) {
		const initialText = details.provider ?? usualProvider;
		steps.push({ kind: 'text', field: 'provider', initialText, prompt: 'Provider:' });
	}
	return steps;
}

/** Returns the names that only one computer of the account has. */
const uniqueNamesOf = memoize((computers: AccountState['computers']): ReadonlySet<string> => {
	const counts = new Map<string, number>();
	for (const computer of computers.values()) {
		const name = computerNameOf(computer);
		if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	return new Set([...counts].filter(([, count]) => count === 1).map(([name]) => name));
});

/**
 * Returns the question with the typed text as the answer to its current step. The answer to a confirmation changes
 * nothing in the question.
 */
export function withTypedAnswer(question: Question, typed: string): Question {
	const step = currentStepOf(question);
	const isDetail = step?.kind === 'text' || step?.kind === 'port' || step?.kind === 'account';
	return isDetail ? withAnswers(question, [...question.answers, typed]) : question;
}

export function computerNameOf(computer: ComputerState | undefined): string | undefined {
	return computer?.reading.name || undefined;
}
