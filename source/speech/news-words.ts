import type { Change, OperationMove, StatusChange } from '../fleet/change.ts';
import { type BatchProgress, isCancelledWhole, isUnderWay } from '../fleet/operations/operation.ts';
import { durationText } from '../foundation/duration.ts';
import { spellOut } from '../lines/print.ts';
import { overdueText } from '../operations/durations.ts';
import type { OperationsState } from '../operations/operations-state.ts';
import type { WaitReason } from '../operations/why-not.ts';
import { changesBetween, explainedBetween } from '../store/change-log.ts';
import { type FailingRead, failingReadOf } from '../store/freshness.ts';
import { batchesOf } from '../store/our-operations.ts';
import type { JointAccount } from '../store/state.ts';
import { statusWord } from '../views/fleet/status.ts';
import { loggedOutcome } from '../views/log.ts';
import { endedFractionOf } from '../views/phrases/batch.ts';
import { creditsWords } from '../views/phrases/credits-words.ts';
import { outcomeSentences, targetText } from '../views/phrases/outcome.ts';
import { troubleOf, troubleSentences } from '../views/phrases/reads.ts';
import { waitText } from '../views/phrases/waiting.ts';
import { firstNamesAndCount, pluralize } from '../views/phrases/words.ts';
import type { SpokenMoment } from './scene.ts';
import { batchWords, spokenChange } from './words.ts';

/** Describes the changes that are spoken at once: those of our own operations, and failures. */
export function urgentNews(before: SpokenMoment, after: SpokenMoment): readonly string[] {
	return [
		...waitNews(before, after),
		...operationWords(changesBetween(before.account, after.account), after),
		...batchNews(before.account, after),
		...portCheckWords(before.operationsState, after),
		...accountNews(before, after),
	];
}

/**
 * Describes the changes of the fleet that no operation of this program caused. They are collected and
 * summarised.
 */
export function fleetNews(before: SpokenMoment, after: SpokenMoment): readonly string[] {
	const added = changesBetween(before.account, after.account);
	return [...statusWords(added, before, after), ...overdueWords(before, after)];
}

// A shorter wait is not announced, because it would be over before the sentence has been spoken.
const minSpokenWaitMs = 3000;

/** Says why operations have not been sent yet. A countdown is spoken only when it begins. */
function waitNews(
	before: SpokenMoment,
	{ account, waitReasonByKey, now }: SpokenMoment,
): readonly string[] {
	return [...waitReasonByKey].flatMap(([key, wait]) => {
		const spec = account.operations.get(key)?.spec;
		const earlier = before.waitReasonByKey.get(key);
		if (!spec || (earlier?.type === wait.type && !hasRestarted(earlier, wait))) return [];
		if (wait.type === 'turn' && wait.until - now < minSpokenWaitMs) return [];
		return [`${spellOut(waitText(spec, wait, now)).replace('Esc ', 'Escape ')}.`];
	});
}

function hasRestarted(earlier: WaitReason, current: WaitReason): boolean {
	return earlier.type === 'grace' && current.type === 'grace' && earlier.until !== current.until;
}

// Describes the progress of operations. A cancelled operation is left out, because the key that cancelled it already
// has a spoken notice.
function operationWords(added: readonly Change[], { account }: SpokenMoment): readonly string[] {
	return added.flatMap(change => {
		if (change.type !== 'operationMoved' || change.to === 'cancelled') return [];
		// The operations of a batch are announced together, by `batchNews`.
		if (change.wish.batch !== undefined) return [];
		const operation = account.operations.get(change.wish.key);
		return [outcomeSentences(loggedOutcome(change, operation))];
	});
}

const progressSteps = 4;

function batchNews(
	before: JointAccount,
	{ account, estimateTimeLeft }: SpokenMoment,
): readonly string[] {
	const earlierBatches = batchesOf(before);
	return [...batchesOf(account).values()].flatMap(batch => {
		if (batch.total < 2) return [];
		const earlier = earlierBatches.get(batch.id);
		const progressStepOf = (progress: BatchProgress) =>
			Math.floor(endedFractionOf(progress) * progressSteps);
		const isFurther =
			earlier &&
			batch.total >= 2 * progressSteps &&
			progressStepOf(batch) > progressStepOf(earlier);
		// The key that cancelled the whole batch already has a spoken notice.
		const isEnded = batch.isOver && !earlier?.isOver && !isCancelledWhole(batch);
		return !earlier || isFurther || isEnded ? [batchWords(batch, estimateTimeLeft(batch.id))] : [];
	});
}

const portCheckResults = {
	answers: 'answers',
	silent: 'is published, but nothing answers there',
} as const;

function portCheckWords(
	before: OperationsState,
	{ operationsState, nameOf }: SpokenMoment,
): readonly string[] {
	return operationsState.portChecks.flatMap(check => {
		if (check.state === 'asking' || before.portChecks.includes(check)) return [];
		const name = nameOf(check.id);
		const found =
			check.state === 'failed'
				? `could not be checked: ${check.failure.message}`
				: portCheckResults[check.state];
		return [`Port ${check.port} of ${name} ${found}.`];
	});
}

/**
 * Describes changes that no operation of this program caused; `operationWords` describes the others. If
 * many computers change in the same way, one sentence describes them all.
 */
function statusWords(
	added: readonly Change[],
	before: SpokenMoment,
	after: SpokenMoment,
): readonly string[] {
	const ownComputerIds = new Set<string | undefined>([
		...[before, after].flatMap(({ account }) =>
			[...account.operations.values()].filter(isUnderWay).map(({ spec }) => spec.computer),
		),
		...added.filter(isSettled).map(({ wish }) => wish.computer),
	]);
	const groups = new Map<string, Exclude<Change, OperationMove>[]>();
	for (const change of added) {
		if (change.type === 'operationMoved') continue;
		if (change.type === 'statusChanged' && ownComputerIds.has(change.id)) continue;
		const kind = change.type === 'statusChanged' ? statusChangeKind(change) : change.type;
		groups.set(kind, [...(groups.get(kind) ?? []), change]);
	}
	const explained = explainedBetween(before.account, after.account).filter(
		({ id }) => !ownComputerIds.has(id),
	);
	return [
		...[...groups].flatMap(([kind, changes]) =>
			changes.length > maxSpokenSeparately && changes.every(({ type }) => type === 'statusChanged')
				? [
						`${pluralize(changes.length, 'computer')} ${kind}: ${firstNamesAndCount(changes.map(nameOf))}.`,
						...errorWords(changes),
					]
				: changes.map(change => `${spokenChange(change)}.`),
		),
		...errorWords(explained),
	];
}

/** Says why computers are in error: one sentence for each reason. */
function errorWords(changes: readonly Change[]): readonly string[] {
	const namesByReason = new Map<string, string[]>();
	for (const change of changes) {
		if (change.type !== 'statusChanged' || change.error === undefined) continue;
		const names = namesByReason.get(change.error) ?? [];
		namesByReason.set(change.error, [...names, nameOf(change)]);
	}
	return [...namesByReason].map(
		([reason, names]) => `Reason of the error of ${firstNamesAndCount(names)}: ${reason}.`,
	);
}

const maxSpokenSeparately = 3;

function isSettled(change: Change): change is OperationMove {
	return change.type === 'operationMoved' && change.to === 'settled';
}

function statusChangeKind({ from, to }: StatusChange): string {
	if (to === null) return 'are gone';
	return from === null ? 'are new' : `became ${statusWord(to)}`;
}

const nameOf = (change: Change) =>
	change.type === 'statusChanged' ? (change.name ?? change.id) : '';

function overdueWords(before: SpokenMoment, { account, now }: SpokenMoment): readonly string[] {
	const overdueOperations = [...account.operations.values()].flatMap(operation => {
		const text = overdueText(operation, now);
		const earlier = before.account.operations.get(operation.spec.key);
		if (text === undefined || (earlier && overdueText(earlier, before.now) !== undefined))
			return [];
		return [{ who: targetText(operation.spec), text: spellOut(text) }];
	});
	if (overdueOperations.length <= maxSpokenSeparately)
		return overdueOperations.map(({ who, text }) => `${who}: ${text}.`);
	const names = firstNamesAndCount(overdueOperations.map(({ who }) => who));
	return [
		`${pluralize(overdueOperations.length, 'computer')} take longer than they should: ${names}.`,
	];
}

/**
 * Describes how the connection, the rate limits and the credits of an account changed between two moments.
 */
export function accountNews(before: SpokenMoment, after: SpokenMoment): readonly string[] {
	return [
		...connectionWords(before, after),
		...rateLimitNews(before, after),
		...creditNews(before, after),
	];
}

// Returns the failing read to announce. A single lost answer is not announced, and `rateLimitNews` announces
// rate limits.
function failureToAnnounce({ account, now }: SpokenMoment): FailingRead | undefined {
	const failing = failingReadOf(account, now);
	if (!failing || failing.streak.failure.kind === 'limited') return undefined;
	const { attempts, failure } = failing.streak;
	const isCertain = failure.kind === 'auth' || failure.kind === 'denied';
	return attempts > 1 || isCertain ? failing : undefined;
}

function connectionWords(before: SpokenMoment, after: SpokenMoment): readonly string[] {
	const [was, is] = [failureToAnnounce(before), failureToAnnounce(after)];
	if (is && is.streak.failure.kind !== was?.streak.failure.kind)
		return [troubleSentences(troubleOf(is, after.now))];
	if (!was || is) return [];
	const lasted = spellOut(durationText(after.now - was.streak.firstFailedAt));
	return [`Reading from the platform works again, after ${lasted}.`];
}

const scopeSubjects = {
	create: 'Creating',
	status: 'Reading the status of computers',
	other: 'Every other request',
} as const;

function rateLimitNews(before: SpokenMoment, after: SpokenMoment): readonly string[] {
	const [was, is] = [before.account.standings, after.account.standings];
	if (!is) return [];
	return (['create', 'status', 'other'] as const).flatMap(scope => {
		const until = is[scope].frozenUntil;
		const isFrozen = until !== undefined && until > after.now;
		const earlier = was?.[scope].frozenUntil;
		const wasFrozen = earlier !== undefined && earlier > before.now;
		if (isFrozen === wasFrozen) return [];
		const subject = scopeSubjects[scope];
		if (!isFrozen) return [`${subject} continues: the rate limit is over.`];
		const wait = spellOut(durationText(until - after.now));
		return [`${subject} waits ${wait} for the rate limit.`];
	});
}

function creditNews(before: SpokenMoment, after: SpokenMoment): readonly string[] {
	const wordsOf = ({ account: { credits }, runway }: SpokenMoment) =>
		creditsWords({ credits, runway });
	const { state, line } = wordsOf(after);
	const isUrgent = state === 'tooFew' || state === 'low';
	return isUrgent && state !== wordsOf(before).state ? [`${spellOut(line)}.`] : [];
}
