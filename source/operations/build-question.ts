import { runwayOf } from '../fleet/computers/runway.ts';
import { idleLimitMsOf } from '../fleet/computers/stop-reason.ts';
import type { OperationId } from '../fleet/operations/operation.ts';
import type {
	OperationDetails,
	QuestionContext,
	Target,
} from '../fleet/operations/operation-row.ts';
import { operationRowOf, stopsForLong } from '../fleet/operations/operation-table.ts';
import type { Strictness } from '../fleet/operations/strictness.ts';
import { strictnessRows } from '../fleet/operations/strictness.ts';
import { durationText, roughDurationText } from '../foundation/duration.ts';
import { countText } from '../foundation/number-text.ts';
import type { Budget } from '../pace/budget.ts';
import type { AccountState } from '../store/state.ts';
import { estimateTimeInScope, overdueText, usualDurationOf } from './durations.ts';
import {
	nameWithId,
	type Question,
	type QuestionAccount,
	type SkippedTarget,
	startsFirst,
} from './question.ts';
import { type QuestionPart, stepsOf, uniqueNamesOf } from './question-steps.ts';

type BuildQuestionOptions = {
	id: string;
	operation: OperationId;
	/** The accounts of the question, at least one. */
	parts: readonly QuestionPart[];
	skipped: readonly SkippedTarget[];
	starting: Question['starting'];
	details: OperationDetails;
	strictness: Strictness;
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
	const accounts = parts.map(part => questionAccountFrom(part, operation));
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
				? parts.map(part => accountLineOf(part, nameOf))
				: targetLinesOf(options, given, nameOf)),
			...(targets.length > 1 && time >= 1000
				? [`Sending ${countText(targets.length)} requests takes about ${roughDurationText(time)}.`]
				: []),
		],
		consequence: {
			lineCount: consequenceLines.length,
			short: operationRowOf(operation).shortConsequence(targets),
		},
		details: given,
		steps: stepsOf(options, targets, given),
		answers: [],
		countdownMs: strictnessRows[options.strictness].countdownMs,
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
		const context = {
			...questionContextFrom(state, operation, budgets.create, now),
			isAmongOthers: parts.length > 1,
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

/** Returns the line about one account of several, such as `lab: 4 (nova, vega, atlas, lyra)`. */
function accountLineOf({ profile: { name }, targets }: QuestionPart, nameOf: NameOf): string {
	return `${name}: ${countText(targets.length)} (${namesText(targets, nameOf)})`;
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
