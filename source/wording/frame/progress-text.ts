import { barSpans } from '../../drawing/chart.ts';
import { type Span, widthOf } from '../../drawing/span.ts';
import type { BatchProgress, OperationSpec } from '../../fleet/operations/operation.ts';
import { countText } from '../../foundation/number-text.ts';
import { isTableContext, type KeyContext } from '../../keys/binding.ts';
import type { Theme } from '../../lines/theme.ts';
import { usualDurationOf } from '../../operations/durations.ts';
import type { Operations } from '../../operations/operations.ts';
import type { WaitReasonOf } from '../../operations/why-not.ts';
import {
	batchesOf,
	pendingCreate,
	runningBatchOf,
	type StandingFailure,
} from '../../store/our-operations.ts';
import type { JointAccount } from '../../store/state.ts';
import type { CellContext } from '../../views/fleet/cell-context.ts';
import { operationSpans } from '../../views/fleet/status.ts';
import { batchCounts, batchWords, endedFractionOf } from '../phrases/batch-text.ts';
import { outcomeFromOperation, outcomeWords, targetText } from '../phrases/outcome-text.ts';
import {
	type Countdown,
	countdownLine,
	isCountdown,
	timeLeftOf,
	type WaitLine,
} from '../phrases/waiting-text.ts';
import type { Message } from './message-spans.ts';

//  Stopping 40 in 4 s, Esc to cancel
//  Stopping 40   ━━━━━━━━━━╸─────  18 done  1 failed  4 under way  17 queued   about 42 s left   J shows all
//  ✖ Stopped 38 of 40, 2 failed: kepler: already in progress

type ProgressOptions = {
	account: JointAccount;
	/** The context of the keys. The keys that the progress line names work only in the table of computers. */
	keyContext: KeyContext;
	/** Whether a person can cancel or retry operations. In a replay, this is never possible. */
	canChange: boolean;
	waitingFor: WaitReasonOf;
	estimateTimeLeft: Operations['estimateTimeLeft'];
	width: number;
	now: number;
	theme: Theme;
};

/** Describes the progress of the running batch, or of the creation of a computer that is not in the list yet. */
export function progressSpans(options: ProgressOptions): readonly Span[] | undefined {
	const batch = runningBatchOf(options.account);
	return batch ? runningSpans(batch, options) : pendingCreateSpans(options);
}

/** Says how a batch or an operation failed. */
export function failureMessage(failure: StandingFailure, { glyphs }: Theme): Message {
	if (failure.type === 'operation') {
		const outcome = outcomeFromOperation(failure.operation);
		const isUnknown = outcome.stage === 'unknown';
		const sign = isUnknown ? glyphs.unknown : glyphs.error;
		const tone = isUnknown ? 'busy' : 'bad';
		return { spans: [[`${sign} ${outcomeWords(outcome).line}`, tone]], isFailure: true };
	}
	const { batch } = failure;
	const { failures, unknownOutcomes } = batch;
	const [first] = [...failures, ...unknownOutcomes];
	const [sign, tone] =
		failures.length > 0 ? ([glyphs.error, 'bad'] as const) : ([glyphs.unknown, 'busy'] as const);
	const head: readonly Span[] = [
		[`${sign} `, tone],
		[batchWords(batch, 0).screen],
		...(unknownOutcomes.length > 0
			? [[`, ${countText(unknownOutcomes.length)} unknown`, 'busy'] as const]
			: []),
		...(failures.length > 0 ? [[`, ${countText(failures.length)} failed`, 'bad'] as const] : []),
	];
	const reason: Span = [first ? `: ${first.name}: ${first.message}` : '', tone];
	return { spans: [...head, reason], isFailure: true };
}

function runningSpans(batch: BatchProgress, options: ProgressOptions): readonly Span[] {
	const { width, theme } = options;
	const { countsByState } = batch;
	const cells = width >= 120 ? 24 : width >= 90 ? 10 : 0;
	const begin: readonly Span[] = [
		[`${batchWords(batch, 0).screen}  `],
		...(cells > 0 ? barSpans(endedFractionOf(batch), cells, theme, 'accent') : []),
		...batchCounts(batch).map(({ text, tone }): Span => [`  ${text}`, tone]),
	];
	const room = width - widthOf(begin, theme) - 2;
	const time = timeLeftSpans(batch, options);
	const hasHint =
		countsByState.waiting > 0 && options.canChange && isTableContext(options.keyContext);
	const hint: Span = [hasHint ? '   J shows all' : '', 'faint'];
	const forms = [[...time, hint], [hint], time];
	return [...begin, ...(forms.find(form => widthOf(form, theme) <= room) ?? [])];
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

/** Describes the countdown that ends next, which Esc cancels. All operations of a batch share one countdown. */
export function nextCountdownLine(options: CountdownOptions): WaitLine | undefined {
	const { account, canChange, now } = options;
	const firstByQuestion = new Map<string, OperationSpec>();
	for (const spec of operationsBeforeQueue(options)) {
		const question = spec.batch ?? spec.key;
		if (!firstByQuestion.has(question)) firstByQuestion.set(question, spec);
	}
	const countdowns = [...firstByQuestion.values()]
		.flatMap(spec => countdownOf(spec, options))
		.sort((a, b) => a.leftMs - b.leftMs);
	const [first] = countdowns;
	if (!first) return undefined;
	const { spec, wait } = first;
	const batch = batchesOf(account).get(spec.batch ?? '');
	const who = batch ? countText(batch.total) : targetText(spec);
	const otherCount = countdowns.length - 1;
	return countdownLine(spec.operation, who, wait, now, { otherCount, canChange });
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
	return isCountdown(wait) ? [{ spec, wait, leftMs: timeLeftOf(wait, now) }] : [];
}

// Only these can have a countdown. To ask why each of the hundreds of queued operations waits would cost a key more than
// all else.
const operationsBeforeQueue = ({
	account,
}: Pick<CountdownOptions, 'account'>): readonly OperationSpec[] =>
	[...account.operations.values()]
		.filter(({ stage }) => stage === 'counting' || stage === 'held')
		.map(({ spec }) => spec);

function pendingCreateSpans(options: ProgressOptions): readonly Span[] | undefined {
	const creation = pendingCreate(options.account);
	if (!creation) return undefined;
	const { name } = creation.spec;
	const { changes } = options.account;
	const [[text] = ['']] = operationSpans(creation, {
		...options,
		times: options.theme.times,
		changes,
	});
	return [[name === undefined ? text : `${name}: ${text}`]];
}
