import { barSpans } from '../../drawing/chart.ts';
import { fitToWidth, paintSpans, type Span, widthOf } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import type { BatchProgress, OperationSpec } from '../../fleet/operations/operation.ts';
import { countText } from '../../foundation/number-text.ts';
import { isTableContext, type KeyContext } from '../../keys/binding.ts';
import { usualDurationOf } from '../../operations/durations.ts';
import type { Operations } from '../../operations/operations.ts';
import type { WaitReasonOf } from '../../operations/waiting.ts';
import { pendingCreate, shownBatchOf } from '../../store/our-operations.ts';
import type { JointAccount } from '../../store/state.ts';
import { batchCounts, batchWords, endedFractionOf } from '../phrases/batch-text.ts';
import { targetText } from '../phrases/outcome-text.ts';
import {
	type Countdown,
	countdownLine,
	isCountdown,
	plainLine,
	timeLeftOf,
	type WaitLine,
	wholeLine,
} from '../phrases/waiting-text.ts';
import { pluralize } from '../phrases/words.ts';
import type { CellContext } from '../table/cell-context.ts';
import { operationSpans } from '../table/stage-progress.ts';

//  Stopping 40 in 4 s, Esc to cancel
//  Stopping 40   ━━━━━━━━━━╸─────  18 done  1 failed  4 under way  17 queued   about 42 s left   J cancels what is not sent
//  Stopped 38 of 40: 2 failed, kepler: already in progress   F retries · Esc dismisses

type ProgressOptions = {
	account: JointAccount;
	/** The context of the keys. The keys that the progress line names work only in the table of computers. */
	keyContext: KeyContext;
	/** Whether a person can cancel, retry or dismiss operations. In a replay, this is never possible. */
	canChange: boolean;
	waitingFor: WaitReasonOf;
	estimateTimeLeft: Operations['estimateTimeLeft'];
	/** Returns how many rows stay in the table only because this batch contains them. */
	keptCountOf?: (batchId: string) => number;
	width: number;
	now: number;
	theme: Theme;
};

/**
 * Draws the progress of the running batch, or the result of the newest batch until a person dismisses the
 * result, or until a single operation fails.
 */
export function batchProgressLine(options: ProgressOptions): string | undefined {
	const batch = shownBatchOf(options.account);
	if (!batch) return undefined;
	const { width, theme } = options;
	const spans = batch.isOver ? resultSpans(batch, options) : runningSpans(batch, options);
	return paintSpans(fitToWidth(spans, width, theme), theme);
}

const minReasonWidth = 12;

/**
 * Shows how a batch ended. On a narrow screen, the key hints take precedence over the reason of a failure,
 * because the hints say what to do.
 */
function resultSpans(batch: BatchProgress, options: ProgressOptions): readonly Span[] {
	const { width, theme } = options;
	const { failures, unknownOutcomes } = batch;
	const keptCount = options.keptCountOf?.(batch.id) ?? 0;
	const [first] = [...failures, ...unknownOutcomes];
	const hasFailed = failures.length > 0;
	const head: readonly Span[] = [
		[` ${batchWords(batch, 0).screen}`],
		...(unknownOutcomes.length > 0
			? [[`, ${countText(unknownOutcomes.length)} unknown`, 'busy'] as const]
			: []),
		...(hasFailed ? [[`, ${countText(failures.length)} failed`, 'bad'] as const] : []),
	];
	const room = width - widthOf(head, theme);
	const dismissHint = 'Esc dismisses';
	const both = `F retries ${theme.glyphs.separator} ${dismissHint}`;
	const short = hasFailed ? both : dismissHint;
	const kept = `${short} and hides ${pluralize(keptCount, 'row')} (${theme.glyphs.kept})`;
	const hints = [...(keptCount > 0 ? [kept] : []), short, ...(hasFailed ? ['F retries'] : [])];
	const keys = longestHintThatFits(hints, options, room);
	const reason: readonly Span[] = first
		? [[`: ${first.name}: ${first.message}`, hasFailed ? 'bad' : 'busy']]
		: [];
	const roomLeft = Math.min(widthOf(reason, theme), room - widthOf(keys, theme));
	const fittedReason = roomLeft < minReasonWidth ? [] : fitToWidth(reason, roomLeft, theme);
	return [...head, ...fittedReason, ...keys];
}

function runningSpans(batch: BatchProgress, options: ProgressOptions): readonly Span[] {
	const { width, theme } = options;
	const { id, countsByState, total } = batch;
	const countdown = batchCountdownText(options, id, total);
	if (countdown !== undefined) return [[` ${countdown}`, 'busy']];
	const cells = width >= 120 ? 24 : width >= 90 ? 10 : 0;
	const begin: readonly Span[] = [
		[` ${batchWords(batch, 0).screen}  `],
		...(cells > 0 ? barSpans(endedFractionOf(batch), cells, theme, 'accent') : []),
		...batchCounts(batch).map(({ text, tone }): Span => [`  ${text}`, tone]),
	];
	const room = width - widthOf(begin, theme);
	const time = timeLeftSpans(batch, options);
	if (countsByState.waiting === 0) return [...begin, ...(widthOf(time, theme) <= room ? time : [])];
	const shortHint = 'J lists jobs';
	const forms = ['J cancels what is not sent', shortHint];
	const besideTime = longestHintThatFits(forms, options, room - widthOf(time, theme));
	const hasHint = options.canChange && isTableContext(options.keyContext);
	const isTimeOnly = !hasHint && widthOf(time, theme) <= room;
	return besideTime.length > 0 || isTimeOnly
		? [...begin, ...time, ...besideTime]
		: [...begin, ...longestHintThatFits([shortHint], options, room)];
}

function longestHintThatFits(
	forms: readonly string[],
	options: ProgressOptions,
	availableWidth: number,
): readonly Span[] {
	if (!options.canChange || !isTableContext(options.keyContext)) return [];
	const texts = forms.map(form => `   ${form}`);
	const text = texts.find(each => options.theme.ruler.width(each) <= availableWidth);
	return text === undefined ? [] : [[text, 'faint']];
}

function timeLeftSpans(batch: BatchProgress, options: ProgressOptions): readonly Span[] {
	const { account, estimateTimeLeft, theme } = options;
	const usualMs = usualDurationOf(account.changes, batch.operation);
	const sendingMs = estimateTimeLeft(batch.id);
	if (usualMs !== undefined) {
		const left =
			batch.countsByState.waiting > 0
				? sendingMs + usualMs
				: timeUntilFinished(batch, usualMs, options);
		return left < 1000 ? [] : [[`   about ${theme.times.duration(left)} left`, 'faint']];
	}
	if (batch.countsByState.waiting === 0 || sendingMs < 1000) return [];
	return [[`   the last request is sent in about ${theme.times.duration(sendingMs)}`, 'faint']];
}

/**
 * Estimates the milliseconds until the last sent operation of a batch is finished, from the usual duration
 * of such an operation.
 */
function timeUntilFinished(
	{ id }: BatchProgress,
	usualMs: number,
	{ account, now }: ProgressOptions,
): number {
	const sendTimes = [...account.operations.values()].flatMap(({ spec, sentAt }) =>
		spec.batch === id && sentAt !== undefined ? sentAt : [],
	);
	return Math.max(0, ...sendTimes) + usualMs - now;
}

type CountdownOptions = {
	account: JointAccount;
	waitingFor: WaitReasonOf;
	now: number;
	theme: Theme;
} & Pick<CellContext, 'canChange'>;

/**
 * Describes the countdown that ends next, which Esc cancels. Without a countdown, describes the creation of
 * a computer that is not in the list yet.
 */
export function nextCountdownLine(options: CountdownOptions): WaitLine | undefined {
	const { now } = options;
	const countdowns = operationsBeforeQueue(options)
		.filter(({ batch }) => batch === undefined)
		.flatMap(spec => countdownOf(spec, options))
		.sort((a, b) => a.leftMs - b.leftMs);
	const [first] = countdowns;
	if (!first || !options.canChange) return pendingCreateLine(options);
	const { spec, wait } = first;
	const otherCount = countdowns.length - 1;
	return countdownLine(spec.operation, targetText(spec), wait, now, { otherCount });
}

/**
 * Says how long Esc can still cancel a whole batch of `total` operations. Returns undefined if the countdown of the
 * batch has ended.
 */
export function batchCountdownText(
	options: Omit<CountdownOptions, 'theme'>,
	batchId: string,
	total: number,
): string | undefined {
	// One operation is enough, because all operations of a batch share one countdown.
	const [spec] = operationsBeforeQueue(options).filter(({ batch }) => batch === batchId);
	const [countdown] = spec ? countdownOf(spec, options) : [];
	if (!spec || !countdown) return undefined;
	const { canChange, now } = options;
	const { wait } = countdown;
	return wholeLine(countdownLine(spec.operation, countText(total), wait, now, { canChange }));
}

/**
 * Returns whether any countdown is running, so that its text changes every second. A held countdown does
 * not run.
 */
export function isCountingDown(options: Pick<CountdownOptions, 'account' | 'waitingFor'>): boolean {
	return operationsBeforeQueue(options).some(
		({ key }) => options.waitingFor(key)?.type === 'grace',
	);
}

type RunningCountdown = { spec: OperationSpec; wait: Countdown; leftMs: number };

function countdownOf(
	spec: OperationSpec,
	{ waitingFor, now }: Omit<CountdownOptions, 'theme'>,
): readonly RunningCountdown[] {
	const wait = waitingFor(spec.key);
	return isCountdown(wait) ? [{ spec, wait, leftMs: timeLeftOf(spec.operation, wait, now) }] : [];
}

// Only these can have a countdown. To ask why each of the hundreds of queued operations waits would cost a key more than
// all else.
const operationsBeforeQueue = ({
	account,
}: Pick<CountdownOptions, 'account'>): readonly OperationSpec[] =>
	[...account.operations.values()]
		.filter(({ stage }) => stage === 'counting' || stage === 'held')
		.map(({ spec }) => spec);

function pendingCreateLine(options: CountdownOptions): WaitLine | undefined {
	const creation = pendingCreate(options.account);
	if (!creation) return undefined;
	const { name } = creation.spec;
	const { changes } = options.account;
	const [[text] = ['']] = operationSpans(creation, { ...options, changes });
	return plainLine(name === undefined ? text : `${name}: ${text}`);
}
