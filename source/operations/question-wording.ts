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
import { type Strictness, strictnessRows } from '../fleet/operations/strictness.ts';
import { durationText, roughDurationText } from '../foundation/duration.ts';
import { countText } from '../foundation/number-text.ts';
import { quoteForShell, shellCommandFrom } from '../foundation/shell-words.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { estimateSendingTime, overdueText, usualDurationOf } from './durations.ts';
import type { Account } from './run.ts';

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
function portStep(operation: OperationId, targets: readonly Target[]): QuestionStep {
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

/** What a question needs of an account. */
export type AskedAccount = Pick<
	Account,
	'profile' | 'state' | 'limiter' | 'commandOptions' | 'questionStrictness'
> & { platform: Pick<Account['platform'], 'publicAddress'> };

/** An account, with those of its computers that a question is about. */
export type QuestionPart = { account: AskedAccount; targets: readonly Target[] };

/**
 * Builds the question that confirms an operation. Its values are copied now, so later facts do not change the
 * question. There is at least one part.
 */
export function buildQuestion(
	asked: Pick<
		Question,
		'id' | 'operation' | 'skipped' | 'starting' | 'details' | 'openingKey' | 'namesAccount'
	>,
	parts: readonly QuestionPart[],
	strictness: Strictness,
	now: number,
): Question {
	const { operation } = asked;
	const targets = parts.flatMap(part => part.targets);
	const details = { ...asked.details, ...portOf(operation, targets) };
	const { scope, needsLatestVersion, shortConsequence } = operationRowOf(operation);
	// Each account has rate limits of its own, so the accounts send at the same time.
	const time = Math.max(
		...parts.map(({ account, targets: own }) =>
			estimateSendingTime(Math.max(1, own.length), scope, account.limiter.slots(), now),
		),
	);
	const accounts = parts.map(({ account }): QuestionAccount => {
		const { profile, state, commandOptions = [] } = account;
		const { release, computers } = state();
		const version = needsLatestVersion ? release?.version : undefined;
		return { profile, version, uniqueNames: uniqueNamesOf(computers), commandOptions };
	});
	const consequenceLines = operationLinesOf(parts, operation, now);
	const nameOf = (target: Target) => nameWithId(target, { accounts });
	const { isTyped, countdownMs } = strictnessRows[strictness];
	return {
		...asked,
		details,
		accounts,
		targets,
		lines: [
			...consequenceLines,
			...targetLinesOf(operation, parts, details, nameOf, now),
			...(targets.length > 1 && time >= 1000
				? [`Sending ${countText(targets.length)} requests takes about ${roughDurationText(time)}.`]
				: []),
		],
		consequence: { lineCount: consequenceLines.length, short: shortConsequence(targets) },
		steps: [
			...detailSteps(operation, parts, targets, details),
			isTyped ? typedStep(operation, targets, accounts) : yesStep(operation, targets),
		],
		answers: [],
		countdownMs,
		sendingTimeMs: time,
		openedAt: now,
		isUnasked: strictness === 'off',
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
	const all = parts.map(({ account, targets }) => {
		const context = {
			...questionContextFrom(account, operation, now),
			isOfSeveralAccounts: parts.length > 1,
		};
		const lines = [...startLines(targets, context), ...questionLines(targets, context)];
		return { name: account.profile.name, lines };
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

/** Says which computers the question is about. */
function targetLinesOf(
	operation: OperationId,
	parts: readonly QuestionPart[],
	{ port }: OperationDetails,
	nameOf: NameOf,
	now: number,
): readonly string[] {
	const [{ account, targets } = { targets: [] }, ...others] = parts;
	const [only] = targets;
	if (!account || !only) return [];
	if (others.length > 0)
		return parts.map(({ account: { profile }, targets: own }) => {
			return `${profile.name}: ${countText(own.length)} (${namesText(own, nameOf)})`;
		});
	if (targets.length > 1) return [namesText(targets, nameOf)];
	// The title names the port, and the lines of a stop name all of them.
	const saysPorts = port === undefined && !stopsForLong(operationRowOf(operation));
	return [targetTextOf(only, saysPorts), ...overdueLinesOf(account.state(), only, now)];
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
	{ state, limiter }: AskedAccount,
	operation: OperationId,
	now: number,
): QuestionContext {
	const account = state();
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
		createSlots: limiter.slots().create,
		usualDurationMs: usualDurationOf(changes, operation),
	};
}

/** Returns the steps that ask for what the operation needs to know. */
function detailSteps(
	operation: OperationId,
	parts: readonly QuestionPart[],
	targets: readonly Target[],
	details: OperationDetails,
): readonly QuestionStep[] {
	const { subject } = operationRowOf(operation);
	if (subject === 'account') return createSteps(parts, details);
	const isPortMissing = subject === 'port' && details.port === undefined;
	return isPortMissing ? [portStep(operation, targets)] : [];
}

function yesStep(operation: OperationId, targets: readonly Target[]): QuestionStep {
	const { label, questionLabel = label } = operationRowOf(operation);
	return { kind: 'yes', prompt: `${questionLabel} ${targets.length > 1 ? 'them' : 'it'}?` };
}

// A longer name is never shown in full, so a person could not type it. The id is typed instead.
const maxTypedNameLength = 40;

/**
 * Builds the step in which a person types the name of the computer, or how many computers there are. If several
 * computers share the name, the id is typed instead. In production, the name of the profile is typed as well.
 */
function typedStep(
	operation: OperationId,
	targets: readonly Target[],
	accounts: readonly QuestionAccount[],
): QuestionStep {
	const production = accounts
		.filter(({ profile }) => profile.isProduction)
		.map(({ profile }) => profile.name);
	const [only] = targets;
	const isOne = targets.length < 2;
	const subjects = only ? [isOne ? typedNameOf(only, accounts) : `${targets.length}`] : [];
	const isNameEnough = isOne && only !== undefined && production.length === 0;
	const { commandName } = operationRowOf(operation);
	const words = isNameEnough ? subjects : [commandName, ...subjects, ...production];
	const expected = words.join(' ');
	const { questionLabel = operation } = operationRowOf(operation);
	const verb = `${questionLabel.slice(0, 1).toLowerCase()}${questionLabel.slice(1)}`;
	const prompt = `Type ${expected} to ${verb} ${isOne ? 'it' : 'them'}:`;
	return { kind: 'typed', expectedText: expected, prompt };
}

function typedNameOf({ id, name }: Target, [account]: readonly QuestionAccount[]): string {
	return account?.uniqueNames.has(name) && name.length <= maxTypedNameLength ? name : id;
}

const usualProvider = 'opensandbox';

// No step asks for a name on platforms whose computers have no names.
function createSteps(
	parts: readonly QuestionPart[],
	details: OperationDetails,
): readonly QuestionStep[] {
	const all = parts.flatMap(({ account }) => [...account.state().computers.values()]);
	const hasNames = all.length === 0 || all.some(({ reading }) => Boolean(reading.name));
	const names = parts.map(({ account }) => account.profile.name);
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
function uniqueNamesOf(computers: AccountState['computers']): ReadonlySet<string> {
	const counts = new Map<string, number>();
	for (const computer of computers.values()) {
		const name = computerNameOf(computer);
		if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	return new Set([...counts].filter(([, count]) => count === 1).map(([name]) => name));
}

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
