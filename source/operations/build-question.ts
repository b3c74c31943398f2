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
import { durationText, roughDurationText } from '../foundation/duration.ts';
import { countText } from '../foundation/number-text.ts';
import type { Budget } from '../pace/budget.ts';
import type { AccountState } from '../store/state.ts';
import { estimateTimeInScope, overdueText, usualDurationOf } from './durations.ts';
import type { Question, QuestionAccount, SkippedTarget } from './question.ts';
import { type QuestionPart, stepsOf, uniqueNamesOf } from './question-steps.ts';

type BuildQuestionOptions = {
	id: string;
	operation: OperationId;
	/** The accounts of the question, at least one. */
	parts: readonly QuestionPart[];
	skipped: readonly SkippedTarget[];
	details: OperationDetails;
	strictness: Strictness | undefined;
	/** The key that opened the question. The same key never confirms it. */
	openingKey: string | undefined;
	/** Whether the question names its account, because the table has several. */
	namesAccount: boolean;
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
	const time = Math.max(...parts.map(part => sendingTimeOf(part, operation, now)));
	const consequenceLines = operationLinesOf(parts, operation, now);
	return {
		id,
		operation,
		title: titleOf(operation, targets, given),
		accounts: parts.map(part => questionAccountFrom(part, operation)),
		namesAccount,
		targets,
		skipped,
		lines: [
			...consequenceLines,
			...(parts.length > 1 && targets.length > 0
				? parts.map(accountLineOf)
				: targetLinesOf(parts, now)),
			...(targets.length > 1 && operationRowOf(operation).scope !== 'none'
				? [`Sending ${countText(targets.length)} requests takes ${approximateTimeText(time)}.`]
				: []),
		],
		consequence: {
			lineCount: consequenceLines.length,
			short: operationRowOf(operation).shortConsequence(targets),
		},
		details: given,
		steps: stepsOf(options, targets, given),
		answers: [],
		sendingTimeMs: time,
		openedAt: now,
		openingKey,
	};
}

function questionAccountFrom(
	{ profile, state, commandOptions }: QuestionPart,
	operation: OperationId,
): QuestionAccount {
	const { needsLatestVersion } = operationRowOf(operation);
	const version = needsLatestVersion ? state.release?.version : undefined;
	return { profile, version, uniqueNames: uniqueNamesOf(state), commandOptions };
}

// Each account has rate limits of its own, so the accounts send at the same time.
function sendingTimeOf({ targets, budgets }: QuestionPart, operation: OperationId, now: number) {
	const { scope } = operationRowOf(operation);
	return estimateTimeInScope(Math.max(1, targets.length), scope, budgets, now);
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
	const all = parts.map(({ profile: { name }, state, targets, budgets }) => {
		const context = questionContextFrom(state, operation, budgets.create, now);
		// A question about several accounts is always worded for several computers, because "it" would not be clear.
		const [only] = targets;
		const counted = parts.length > 1 && targets.length === 1 && only ? [only, only] : targets;
		return { name, lines: questionLines(counted, context) };
	});
	const [first = { lines: [] }] = all;
	const shared = first.lines.filter(line => all.every(({ lines }) => lines.includes(line)));
	const own = all.flatMap(({ name, lines }) =>
		lines.filter(line => !shared.includes(line)).map(line => `${name}: ${line}`),
	);
	return parts.length === 1 ? first.lines : [...shared, ...own];
}

// If a computer has only one published port, unpublish can only mean this port, so no step asks for it.
function portOf(operation: OperationId, targets: readonly Target[]): OperationDetails {
	const ports = targets.length === 1 ? targets[0]?.ports : undefined;
	const [port] = ports ?? [];
	const isInferred = operationRowOf(operation).goal.reaches === 'unpublished';
	return isInferred && ports?.length === 1 && port !== undefined ? { port } : {};
}

function titleOf(
	operation: OperationId,
	targets: readonly Target[],
	{ port }: OperationDetails,
): string {
	const { label, questionLabel = label, subject } = operationRowOf(operation);
	if (subject === 'account') return `${label} a computer?`;
	const [only] = targets;
	const who = targets.length === 1 && only ? only.name : `${countText(targets.length)} computers`;
	const what = port === undefined ? '' : `port ${port} of `;
	return `${questionLabel} ${what}${who}?`;
}

const maxNamesShown = 5;

function targetLinesOf([part]: readonly QuestionPart[], now: number): readonly string[] {
	const { targets = [], state } = part ?? {};
	const [only] = targets;
	if (!only || !state) return [];
	if (targets.length === 1) return [targetTextOf(only), ...overdueLinesOf(state, only, now)];
	return [namesText(targets)];
}

/** Returns the line about one account of several, such as `lab: 4 (nova, vega, atlas, lyra)`. */
function accountLineOf({ profile: { name }, targets }: QuestionPart): string {
	return `${name}: ${countText(targets.length)} (${namesText(targets)})`;
}

function namesText(targets: readonly Target[]): string {
	const names = targets.slice(0, maxNamesShown).map(({ name }) => name);
	const more = targets.length - names.length;
	return `${names.join(', ')}${more > 0 ? ` and ${countText(more)} more` : ''}`;
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
	return time < 1000 ? 'a moment' : `about ${roughDurationText(time)}`;
}

/** Collects the facts about the account that the lines of a question mention. */
function questionContextFrom(
	account: AccountState,
	operation: OperationId,
	createBudget: Budget,
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
		createBudget,
		usualDurationMs: usualDurationOf(changes, operation),
	};
}
