import type { AccountProfile } from '../fleet/computers/account.ts';
import { runwayOf } from '../fleet/computers/runway.ts';
import type { OperationId } from '../fleet/operations/operation.ts';
import type {
	OperationDetails,
	OwnCommand,
	QuestionContext,
	QuestionStrictness,
	Strictness,
	Target,
} from '../fleet/operations/operation-row.ts';
import { operationRowOf, stopsForLong } from '../fleet/operations/operation-table.ts';
import { durationText, roughDurationText } from '../foundation/duration.ts';
import { uncapitalized } from '../foundation/letter-case.ts';
import { countText, firstNamesAndCount } from '../foundation/number-text.ts';
import { shellCommandFrom } from '../foundation/shell-words.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Platform } from '../platform/platform.ts';
import type { AccountState } from '../store/state.ts';
import { commandLineFor } from './own-commands.ts';
import { overdueText, type SkippedTarget, usualDurationOf } from './why-not.ts';

export type AskedAccount = {
	profile: AccountProfile;
	platform: Pick<Platform, 'publicAddress'>;
	limiter: Pick<Limiter, 'slots'>;
	state(): AccountState;
	questionStrictness?: QuestionStrictness;
	sshOptions?: readonly string[];
	commandOptions?: readonly string[];
};

type QuestionAccount = {
	profile: AccountProfile;
	version?: string;
	uniqueNames: ReadonlySet<string>;
	commandOptions: readonly string[];
	/** What it costs, keeps and loses in this account. */
	consequences: readonly string[];
};

/** Captured when it opens; later facts do not change it. */
export type Question = {
	id: string;
	operation: OperationId;
	accounts: readonly QuestionAccount[];
	namesAccount: boolean;
	targets: readonly Target[];
	skipped: readonly SkippedTarget[];
	starting?: 'offered' | 'chosen';
	lines: readonly string[];
	/** How many of the first lines say what it costs, keeps and loses, and its computers if the title does not. */
	essentialCount: number;
	details: OperationDetails;
	steps: readonly QuestionStep[];
	answers: readonly string[];
	strictness: Strictness;
	sendingTimeMs: number;
	openedAt: number;
	/** Never confirms the question, because it may still be held down. */
	openingKey?: string;
};

/** The last step is `yes` or `typed`, so that Enter alone never confirms. */
export type QuestionStep = { prompt: string; choices?: readonly string[] } & (
	| { kind: 'yes' }
	| { kind: 'typed'; expectedText: string }
	| {
			kind: 'port';
			allowedPorts?: readonly number[];
			takenPorts?: readonly number[];
	  }
	| { kind: 'text'; field: 'name' | 'provider'; initialText: string }
	| { kind: 'account'; initialText: string }
	| { kind: 'input'; name: string; initialText: string; mayBeginWithDash: boolean }
);

export const yesAnswer = 'y';

const maxTextLength = 100;

export function problemWithAnswer(step: QuestionStep, answer: string): string | undefined {
	const text = answer.trim();
	if (step.choices?.includes(text) === false) return `Enter one of ${step.choices.join(', ')}.`;
	switch (step.kind) {
		case 'yes':
			return answer === yesAnswer ? undefined : `Only ${yesAnswer} confirms.`;
		case 'typed':
			return answer === step.expectedText ? undefined : `That is not ${step.expectedText}.`;
		case 'port': {
			const { allowedPorts, takenPorts } = step;
			const port = portFrom(answer);
			if (port === undefined) return 'A port is a number from 1 to 65535.';
			if (takenPorts?.includes(port)) return `Port ${port} is already published.`;
			const isAllowed = !allowedPorts || allowedPorts.includes(port);
			return isAllowed ? undefined : `Port ${port} is not published.`;
		}
		case 'account':
			return undefined;
		case 'input':
			if (text === '') return 'Enter something.';
			return text.startsWith('-') && !step.mayBeginWithDash
				? 'It may not begin with "-": the command would take it for an option.'
				: undefined;
		case 'text':
			if (step.field === 'provider' && text === '') return 'Enter a provider.';
			return text.length > maxTextLength ? `At most ${maxTextLength} characters.` : undefined;
	}
}

export function portFrom(text: string): number | undefined {
	const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
	return port >= 1 && port <= 65_535 ? port : undefined;
}

export const currentStepOf = ({ steps, answers }: Question): QuestionStep | undefined =>
	steps[answers.length];

export function isAnswered({ steps, answers }: Pick<Question, 'steps' | 'answers'>): boolean {
	return (
		steps.length > 0 &&
		answers.length === steps.length &&
		steps.every((step, place) => problemWithAnswer(step, answers[place] ?? '') === undefined)
	);
}

export function detailsOf({ steps, answers, details: given }: Question): OperationDetails {
	const details = { ...given };
	for (const [place, step] of steps.entries()) {
		const answer = answers[place]?.trim();
		if (!answer) continue;
		if (step.kind === 'port') details.port = portFrom(answer) ?? details.port;
		if (step.kind === 'text') details[step.field] = answer;
		if (step.kind === 'input')
			details.inputs = new Map([...(details.inputs ?? []), [step.name, answer]]);
	}
	return details;
}

/** Once a person has chosen the account, the question is about no other. */
export function withAnswers(asked: Question, answers: readonly string[]): Question {
	const question = { ...asked, answers };
	if (asked.steps[0]?.kind !== 'account' || answers.length === 0) return question;
	const accounts = chosenAccountsOf(question);
	const lines = accounts.flatMap(({ consequences }) => consequences);
	return { ...question, accounts, lines, essentialCount: lines.length };
}

/** As if the typed text answered its current step, unless that confirms. */
export function withTypedAnswer(question: Question, typed: string): Question {
	const step = currentStepOf(question);
	const confirms = !step || step.kind === 'yes' || step.kind === 'typed';
	return confirms ? question : withAnswers(question, [...question.answers, typed]);
}

export function chosenAccountsOf(question: Question): readonly QuestionAccount[] {
	const { accounts, steps, answers } = question;
	const at = steps.findIndex(({ kind }) => kind === 'account');
	const step = steps[at];
	if (step?.kind !== 'account') return accounts;
	const name = answers[at]?.trim() ?? step.initialText;
	return accounts.filter(({ profile }) => profile.name === name);
}

export const startsFirst = (target: Target) => target.startsFirst === true;

export function questionTitle(question: Question): string {
	const { operation, targets } = question;
	const { label, questionLabel = label, subject } = operationRowOf(operation);
	const { port, name } = detailsOf(question);
	const [only, ...others] = targets;
	const isStarted = only !== undefined && targets.every(startsFirst);
	const verb = isStarted ? `Start and ${questionLabel.toLowerCase()}` : questionLabel;
	if (subject === 'account') return `${verb} ${name ?? 'a computer'}?`;
	const isOne = only !== undefined && others.length === 0;
	const who = isOne ? nameWithId(only, question) : `${countText(targets.length)} computers`;
	return `${verb} ${port === undefined ? '' : `port ${port} of `}${who}?`;
}

export function nameWithId(
	{ account, id, name }: Pick<Target, 'account' | 'id' | 'name'>,
	{ accounts }: Pick<Question, 'accounts'>,
): string {
	const { uniqueNames } = accounts.find(({ profile }) => profile.account === account) ?? {};
	return name === id || (uniqueNames?.has(name) ?? true) ? name : `${name} (${id})`;
}

export function commandOf(question: Question): string {
	const { operation, targets } = question;
	const { ownCommand, subject } = operationRowOf(operation);
	if (ownCommand)
		return targets
			.map(each => commandLineFor(operation, each, detailsOf(question).inputs)?.words ?? [])
			.map(shellCommandFrom)
			.join('\n');
	const { port, name, provider } = detailsOf(question);
	const details = [
		...(subject === 'port' ? [port === undefined ? 'PORT' : String(port)] : []),
		...(name ? ['--name', name] : []),
		...(provider ? ['--provider', provider] : []),
	];
	const accounts = chosenAccountsOf(question);
	const isOne = accounts.length === 1;
	// A command works on one account.
	const commands = accounts.flatMap(({ profile, uniqueNames, commandOptions }) => {
		const argumentsOf = (chosen: readonly Target[]) =>
			chosen.map(target => `${isOne ? '' : `${profile.name}/`}${argumentFor(target, uniqueNames)}`);
		const own = targets.filter(({ account }) => account === profile.account);
		const started = own.filter(startsFirst);
		const options = isOne ? commandOptions : [];
		const command = commandText(operation, argumentsOf(own), [...details, ...options]);
		if (started.length === 0) return [command];
		return [commandText('start', argumentsOf(started), [...options, '--wait']), command];
	});
	return commands.join(' && ');
}

function commandText(
	operation: OperationId,
	computers: readonly string[],
	options: readonly string[],
): string {
	const { commandName } = operationRowOf(operation);
	return shellCommandFrom(['crowsnest', commandName, ...computers, ...options, '--yes']);
}

// A name that is not unique, or looks like an option, would mean something else.
const argumentFor = ({ id, name }: Target, uniqueNames: ReadonlySet<string>) =>
	uniqueNames.has(name) && !name.startsWith('-') ? name : id;

/** The lines already list what runs on several computers. */
export function shownCommandOf(question: Question): string | undefined {
	const isListed = operationRowOf(question.operation).ownCommand && question.targets.length > 1;
	return isListed ? undefined : commandOf(question);
}

export type QuestionPart = { account: AskedAccount; targets: readonly Target[] };

type Captive = Omit<Question, 'lines' | 'essentialCount' | 'steps'>;

export function wordingOf(
	captive: Captive,
	parts: readonly QuestionPart[],
): Pick<Question, 'lines' | 'essentialCount' | 'steps'> {
	const { operation, targets, sendingTimeMs, strictness } = captive;
	const consequences = consequenceLines(operation, parts, captive.openedAt);
	const named = targetLines(captive, parts);
	const sending = `Sending ${countText(targets.length)} requests takes about ${roughDurationText(sendingTimeMs)}.`;
	return {
		lines: [
			...consequences,
			...named,
			...(targets.length > 1 && sendingTimeMs >= 1000 ? [sending] : []),
		],
		essentialCount: consequences.length + (targets.length > 1 ? named.length : 0),
		steps: [
			...detailSteps(captive, parts),
			...(strictness === 'off'
				? []
				: [strictness === 'type' ? typedStep(captive) : yesStep(captive)]),
		],
	};
}

/** A line that differs between accounts names its account. */
export function consequenceLines(
	operation: OperationId,
	parts: readonly QuestionPart[],
	now: number,
): readonly string[] {
	const { questionLines } = operationRowOf(operation);
	const areSeveral = parts.flatMap(({ targets }) => targets).length > 1;
	const all = parts.map(({ account, targets }) => {
		const state = account.state();
		const context: QuestionContext = {
			...state,
			now,
			areSeveral,
			runway: runwayOf(state),
			createSlots: account.limiter.slots().create,
			usualDurationMs: usualDurationOf(state.changes, operation),
		};
		const lines = [...startLines(targets, context), ...questionLines(targets, context)];
		return { name: account.profile.name, lines };
	});
	// A line that names a computer is about one account only.
	const names = parts.flatMap(({ targets }) => targets.map(({ name }) => name));
	const isShared = (line: string) =>
		all.length === 1 ||
		(all.every(({ lines }) => lines.includes(line)) && !names.some(name => line.includes(name)));
	const own = all.flatMap(({ name, lines }) =>
		lines.filter(line => !isShared(line)).map(line => `${name}: ${line}`),
	);
	return [...(all[0]?.lines.filter(isShared) ?? []), ...own];
}

function startLines(targets: readonly Target[], context: QuestionContext): readonly string[] {
	const started = targets.filter(startsFirst);
	if (started.length === 0) return [];
	const names = namesText(started.map(({ name }) => name));
	const which =
		started.length === targets.length ? '' : ` ${countText(started.length)} of them (${names})`;
	return [
		`Starts${which} first. ${started.length > 1 ? 'They stay' : 'It stays'} on afterwards.`,
		...operationRowOf('start').questionLines(started, context),
	];
}

const maxNamesShown = 5;

const namesText = (names: readonly string[]) => firstNamesAndCount(names, maxNamesShown);

function targetLines(captive: Captive, parts: readonly QuestionPart[]): readonly string[] {
	const { operation, details, openedAt } = captive;
	const namesOf = (targets: readonly Target[]) =>
		namesText(targets.map(target => nameWithId(target, captive)));
	const [{ account, targets } = { targets: [] }, ...others] = parts;
	const [only] = targets;
	if (!account || !only) return [];
	if (others.length > 0)
		return parts.map(({ account: { profile }, targets: own }) => {
			return `${profile.name}: ${countText(own.length)} (${namesOf(own)})`;
		});
	if (targets.length > 1) return [namesOf(targets)];
	const { id, phase, uptime, ports = [] } = only;
	const upFor = uptime
		? ` for ${uptime.isLowerBound ? 'at least ' : ''}${durationText(uptime.milliseconds)}`
		: '';
	// The title names the port, and the lines of a stop name all of them.
	const saysPorts =
		ports.length > 0 && details.port === undefined && !stopsForLong(operationRowOf(operation));
	const published = `, publishes port${ports.length > 1 ? 's' : ''} ${ports.join(' ')}`;
	const overdue = [...account.state().operations.values()].flatMap(earlier => {
		const text = earlier.spec.computer === id ? overdueText(earlier, openedAt) : undefined;
		return text === undefined ? [] : [`It is ${text}.`];
	});
	return [`${id}, ${phase}${upFor}${saysPorts ? published : ''}`, ...overdue];
}

function detailSteps(
	{ operation, details, targets }: Captive,
	parts: readonly QuestionPart[],
): readonly QuestionStep[] {
	const { subject, goal, ownCommand } = operationRowOf(operation);
	if (ownCommand) return inputSteps(ownCommand);
	if (subject === 'account') return createSteps(parts, details);
	if (subject !== 'port' || details.port !== undefined) return [];
	const ports = targets.length === 1 ? targets[0]?.ports : undefined;
	return goal.reaches === 'published'
		? [{ kind: 'port', prompt: 'Port, 1 to 65535:', takenPorts: ports }]
		: [{ kind: 'port', prompt: 'Port to unpublish:', allowedPorts: ports }];
}

const chosenFrom = (label: string, choices: readonly string[] | undefined) => ({
	prompt: choices ? `${label} (${choices.join(', ')}):` : `${label}:`,
	choices,
	initialText: choices?.[0] ?? '',
});

const inputSteps = ({ inputs = [], program }: OwnCommand): readonly QuestionStep[] =>
	inputs.map(({ name, label, options }) => {
		const mayBeginWithDash =
			options !== undefined ||
			program.type !== 'words' ||
			program.words.slice(0, program.words.indexOf(`{${name}}`)).includes('--');
		return { kind: 'input', name, mayBeginWithDash, ...chosenFrom(label, options) };
	});

function yesStep({ operation, targets }: Captive): QuestionStep {
	const { label, questionLabel = label } = operationRowOf(operation);
	return { kind: 'yes', prompt: `${questionLabel} ${targets.length > 1 ? 'them' : 'it'}?` };
}

// A longer name is cut on the screen, so it could not be typed.
const maxTypedNameLength = 40;

/** A shared name is typed as the id; in production, with the name of the profile. */
function typedStep({ operation, targets, accounts }: Captive): QuestionStep {
	const { commandName, label, questionLabel = label } = operationRowOf(operation);
	const [only, ...others] = targets;
	const isOne = others.length === 0;
	const canType = ({ name }: Target) =>
		accounts[0]?.uniqueNames.has(name) && name.length <= maxTypedNameLength;
	const name = only && (canType(only) ? only.name : only.id);
	const production = accounts.flatMap(({ profile }) => (profile.isProduction ? profile.name : []));
	const words = [commandName, ...(isOne ? [name ?? []].flat() : [targets.length]), ...production];
	const expected = isOne && name !== undefined && production.length === 0 ? name : words.join(' ');
	const verb = uncapitalized(questionLabel);
	const prompt = `Type ${expected} to ${verb} ${isOne ? 'it' : 'them'}:`;
	return { kind: 'typed', expectedText: expected, prompt };
}

const usualProvider = 'opensandbox';

function createSteps(
	parts: readonly QuestionPart[],
	{ name, provider }: OperationDetails,
): readonly QuestionStep[] {
	const readings = parts.flatMap(({ account }) =>
		[...account.state().computers.values()].map(({ reading }) => reading),
	);
	const names = parts.map(({ account }) => account.profile.name);
	const steps: QuestionStep[] = [];
	if (names.length > 1) {
		steps.push({ kind: 'account', ...chosenFrom('Account', names) });
	}
	if (readings.length === 0 || readings.some(reading => reading.name))
		steps.push({
			kind: 'text',
			field: 'name',
			initialText: name ?? '',
			prompt: 'Name (optional):',
		});
	// Only one provider is documented, so it is asked for only if a computer has another.
	const usesAnother = readings.some(each => each.provider && each.provider !== usualProvider);
	if (provider !== undefined || usesAnother) {
		const initialText = provider ?? usualProvider;
		steps.push({ kind: 'text', field: 'provider', initialText, prompt: 'Provider:' });
	}
	return steps;
}
