import { runwayOf } from '../fleet/computers/runway.ts';
import { idleLimitMsOf } from '../fleet/computers/stop-reason.ts';
import type { OperationId } from '../fleet/operations/operation.ts';
import type {
	OperationDetails,
	QuestionContext,
	Target,
} from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Strictness } from '../fleet/operations/preferences.ts';
import { durationText } from '../foundation/duration.ts';
import type { Budget } from '../pace/budget.ts';
import type { AccountState } from '../store/state.ts';
import { estimateSendingTime, overdueText, usualDurationOf } from './durations.ts';
import { buildPortStep, commandOf, type Question, type Step } from './question.ts';
import { type CapturedTargets, computerNameOf } from './targets.ts';

type BuildQuestionOptions = {
	id: string;
	account: AccountState;
	operation: OperationId;
	capturedTargets: CapturedTargets;
	details: OperationDetails;
	strictness: Strictness | undefined;
	/** The key that opened the question. The same key never confirms it. */
	openingKey: string | undefined;
	commandOptions: readonly string[];
	budgets: Readonly<Record<'create' | 'other', Budget>>;
	now: number;
};

/**
 * Builds the question that confirms an operation. Its values are copied now, so later facts do not change the
 * question.
 */
export function buildQuestion(questionOptions: BuildQuestionOptions): Question {
	const { id, account, operation, capturedTargets, details, commandOptions, budgets, now } =
		questionOptions;
	const { targets, skipped } = capturedTargets;
	const rule = operationRowOf(operation);
	const count = Math.max(1, targets.length);
	const version = rule.needsLatestVersion ? account.release?.version : undefined;
	const given = { ...details, ...portOf(operation, targets), ...(version && { version }) };
	const steps = stepsOf(questionOptions, given);
	const time = estimateSendingTime(count, rule.scope, budgets[rule.scope], now);
	const question: Question = {
		id,
		operation,
		title: titleOf(operation, targets, given),
		targets,
		skipped,
		lines: [
			...targetLinesOf(account, targets, now),
			...rule.questionLines(targets, questionContextFrom(account, operation, budgets.create, now)),
			...(count > 1 ? [`Sending ${count} requests takes ${approximateTimeText(time)}.`] : []),
		],
		details: given,
		steps,
		answers: [],
		command: '',
		commandContext: { uniqueNames: uniqueNamesOf(account), options: commandOptions },
		sendingTimeMs: time,
		openedAt: now,
		openingKey: questionOptions.openingKey,
	};
	return { ...question, command: commandOf(question) };
}

// A computer with a single published port can only unpublish that one, so no step asks for the port.
function portOf(operation: OperationId, targets: readonly Target[]): OperationDetails {
	const ports = targets.length === 1 ? targets[0]?.ports : undefined;
	const [port] = ports ?? [];
	const isInferred = operationRowOf(operation).goal.reaches === 'unpublished';
	return isInferred && ports?.length === 1 && port !== undefined ? { port } : {};
}

function stepsOf(
	questionOptions: BuildQuestionOptions,
	details: OperationDetails,
): readonly Step[] {
	const { operation, capturedTargets, account } = questionOptions;
	const { targets } = capturedTargets;
	const { subject } = operationRowOf(operation);
	if (subject === 'account')
		return [...buildCreateSteps(account, details), buildYesStep(questionOptions)];
	const needsPort = subject === 'port' && details.port === undefined;
	const port = needsPort ? [buildPortStep(operation, targets)] : [];
	if (needsTypedConfirmation(questionOptions))
		return [...port, buildTypedStep(operation, targets, uniqueNamesOf(account))];
	return port.length > 0 ? port : [buildYesStep(questionOptions)];
}

function needsTypedConfirmation({
	operation,
	capturedTargets,
	strictness,
}: BuildQuestionOptions): boolean {
	const { confirmation, endsProcesses } = operationRowOf(operation);
	const isMany = capturedTargets.targets.length > 1;
	return confirmation === 'typed-name' || strictness === 'type' || (isMany && endsProcesses);
}

// A longer name is never shown in full, so a person could not type it. The id is typed instead.
const maxTypedNameLength = 40;

// If several computers share the name, the id is typed instead.
function buildTypedStep(
	operation: OperationId,
	targets: readonly Target[],
	uniqueNames: ReadonlySet<string>,
): Step {
	const [only] = targets;
	if (targets.length !== 1 || !only) {
		const expected = `${operation} ${targets.length}`;
		return {
			kind: 'typed',
			expectedText: expected,
			prompt: `Type ${expected} to ${operation} them:`,
		};
	}
	const isNamed = uniqueNames.has(only.name) && only.name.length <= maxTypedNameLength;
	const expected = isNamed ? only.name : only.id;
	return { kind: 'typed', expectedText: expected, prompt: `Type ${expected} to ${operation} it:` };
}

function buildYesStep({ operation, capturedTargets }: BuildQuestionOptions): Step {
	const them = capturedTargets.targets.length > 1 ? 'them' : 'it';
	return { kind: 'yes', prompt: `${operationRowOf(operation).label} ${them}?` };
}

// No step asks for a name on platforms whose computers have no names.
function buildCreateSteps({ computers }: AccountState, details: OperationDetails): readonly Step[] {
	const all = [...computers.values()];
	const hasNames = all.length === 0 || all.some(({ reading }) => Boolean(reading.name));
	const name: Step = {
		kind: 'text',
		field: 'name',
		initialText: details.name ?? '',
		prompt: 'Name (optional):',
	};
	const provider: Step = {
		kind: 'text',
		field: 'provider',
		initialText: details.provider ?? 'opensandbox',
		prompt: 'Provider:',
	};
	return hasNames ? [name, provider] : [provider];
}

function titleOf(
	operation: OperationId,
	targets: readonly Target[],
	{ port }: OperationDetails,
): string {
	const { label, subject } = operationRowOf(operation);
	if (subject === 'account') return `${label} a computer?`;
	const [only] = targets;
	const who = targets.length === 1 && only ? only.name : `${targets.length} computers`;
	const what = port === undefined ? '' : `port ${port} of `;
	return `${label} ${what}${who}?`;
}

const maxNamesShown = 5;

function targetLinesOf(
	account: AccountState,
	targets: readonly Target[],
	now: number,
): readonly string[] {
	const [only] = targets;
	if (!only) return [];
	if (targets.length === 1) return [targetTextOf(only), ...overdueLinesOf(account, only, now)];
	const names = targets.slice(0, maxNamesShown).map(({ name }) => name);
	const more = targets.length - names.length;
	return [`${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}

function targetTextOf({ id, phase, uptime, ports }: Target): string {
	const up = uptime
		? [`for ${uptime.isLowerBound ? 'at least ' : ''}${durationText(uptime.milliseconds)}`]
		: [];
	const published = ports?.length
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

function approximateTimeText(time: number): string {
	return time < 1000 ? 'a moment' : `about ${durationText(time)}`;
}

function uniqueNamesOf({ computers }: AccountState): ReadonlySet<string> {
	const counts = new Map<string, number>();
	for (const computer of computers.values()) {
		const name = computerNameOf(computer);
		if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	return new Set([...counts].filter(([, count]) => count === 1).map(([name]) => name));
}

/** Collects the facts about the account that the lines of a question mention. */
function questionContextFrom(
	account: AccountState,
	operation: OperationId,
	createBudget: Budget,
	now: number,
): QuestionContext {
	const { release, subscription, credits, samples, computers, changes } = account;
	return {
		now,
		latestVersion: release?.version,
		releaseTitle: release?.title || undefined,
		idleLimitMs: idleLimitMsOf(subscription?.plan),
		planName: subscription?.planName,
		credits,
		runway: runwayOf(samples),
		activeCount: [...computers.values()].filter(({ phase }) => phase === 'active').length,
		createBudget,
		usualDurationMs: usualDurationOf(changes, operation),
	};
}
