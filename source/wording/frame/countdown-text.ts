import type { Theme } from '../../drawing/theme.ts';
import { isUnsent, type OperationSpec } from '../../fleet/operations/operation.ts';
import type { WaitReasonOf } from '../../operations/waiting.ts';
import { pendingCreate } from '../../store/our-operations.ts';
import type { AccountState } from '../../store/state.ts';
import { targetText } from '../phrases/outcome-text.ts';
import {
	type Countdown,
	countdownText,
	isCountdown,
	timeLeftOf,
	waitWords,
} from '../phrases/waiting-text.ts';
import type { CellContext } from '../table/cell-context.ts';
import { operationSpans } from '../table/stage-text.ts';

type CountdownOptions = {
	account: AccountState;
	waitingFor: WaitReasonOf;
	now: number;
	theme: Theme;
} & Pick<CellContext, 'canChange'>;

/**
 * Describes the countdown that ends next, which Esc cancels. Without a countdown, describes the creation of
 * a computer that is not in the list yet.
 */
export function nextCountdownText(options: CountdownOptions): string | undefined {
	const { now } = options;
	const countdowns = unsentOperations(options)
		.filter(({ batch }) => batch === undefined)
		.flatMap(spec => countdownOf(spec, options))
		.sort((a, b) => a.leftMs - b.leftMs);
	const [first] = countdowns;
	if (!first || !options.canChange) return pendingCreateText(options);
	const { spec, wait } = first;
	if (countdowns.length === 1) return waitWords(spec, wait, now).line;
	return countdownText(spec.operation, targetText(spec), wait, now, {
		otherCount: countdowns.length - 1,
	});
}

/**
 * Describes how long Esc can still cancel a whole batch of `total` operations. Returns undefined if its first
 * request is no longer waiting for the countdown.
 */
export function batchCountdownText(
	options: Omit<CountdownOptions, 'theme'>,
	batchId: string,
	total: number,
): string | undefined {
	// One operation is enough, because all operations of a batch share one countdown.
	const [spec] = unsentOperations(options).filter(({ batch }) => batch === batchId);
	const [countdown] = spec ? countdownOf(spec, options) : [];
	if (!spec || !countdown) return undefined;
	const { canChange: canCancel, now } = options;
	return countdownText(spec.operation, String(total), countdown.wait, now, { canCancel });
}

/**
 * Returns whether any countdown is running, so that its text changes every second. A held countdown does
 * not run.
 */
export function isCountingDown(options: Pick<CountdownOptions, 'account' | 'waitingFor'>): boolean {
	return unsentOperations(options).some(({ key }) => options.waitingFor(key)?.type === 'grace');
}

type RunningCountdown = { spec: OperationSpec; wait: Countdown; leftMs: number };

function countdownOf(
	spec: OperationSpec,
	{ waitingFor, now }: Omit<CountdownOptions, 'theme'>,
): readonly RunningCountdown[] {
	const wait = waitingFor(spec.key);
	return isCountdown(wait) ? [{ spec, wait, leftMs: timeLeftOf(spec.operation, wait, now) }] : [];
}

const unsentOperations = ({
	account,
}: Pick<CountdownOptions, 'account'>): readonly OperationSpec[] =>
	[...account.operations.values()].filter(isUnsent).map(({ spec }) => spec);

function pendingCreateText(options: CountdownOptions): string | undefined {
	const creation = pendingCreate(options.account);
	if (!creation) return undefined;
	const { name } = creation.spec;
	const { changes } = options.account;
	const [[text] = ['']] = operationSpans(creation, { ...options, changes });
	return name === undefined ? text : `${name}: ${text}`;
}
