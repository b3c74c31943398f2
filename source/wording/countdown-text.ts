import type { Theme } from '../drawing/theme.ts';
import { isUnsent, type OperationSpec } from '../fleet/operation.ts';
import { operationRowOf } from '../fleet/operation-table.ts';
import type { Operations } from '../operations/operations.ts';
import { type WaitReason, waitReasonText, wholeSecondsOf } from '../operations/waiting.ts';
import { pendingCreate } from '../store/our-operations.ts';
import type { AccountState } from '../store/state.ts';
import type { CellContext } from './cell-context.ts';
import { operationSpans } from './stage-text.ts';

type CountdownOptions = {
	account: AccountState;
	waitingFor: Operations['waitReasonOf'];
	now: number;
	theme: Theme;
};

/**
 * Describes the countdown that ends next, which Esc cancels. Without a countdown, describes the creation of
 * a computer that is not in the list yet.
 */
export function countdownText(
	options: CountdownOptions & Pick<CellContext, 'canChange'>,
): string | undefined {
	const countdowns = countdownsOutsideBatches(options).sort(
		(a, b) => timeLeftOf(a, options) - timeLeftOf(b, options),
	);
	const [first] = countdowns;
	if (!first || !options.canChange) return pendingCreateText(options);
	const { spec, waitReason } = first;
	const left = secondsLeft(first, options);
	if (countdowns.length === 1) {
		if (waitReason.type === 'held') return waitReasonText(spec, waitReason, options.now);
		return waitReasonText(spec, waitReason, waitReason.until - left * 1000);
	}
	const computerName = spec.name ?? spec.computer ?? 'a computer';
	const { doingLabel } = operationRowOf(spec.operation);
	const otherCount = countdowns.length - 1;
	if (waitReason.type === 'held')
		return `${doingLabel} ${computerName} and ${otherCount} more: paused with ${left} s left`;
	const affected = countdowns.length === 2 ? 'both' : `all ${countdowns.length}`;
	return `${doingLabel} ${computerName} in ${left} s, then ${otherCount} more, Esc cancels ${affected}`;
}

/**
 * Returns how long Esc can still cancel the whole batch, or undefined if its first request is no longer
 * waiting for the countdown.
 */
export function batchCountdown(
	options: CountdownOptions,
	batchId: string,
): { seconds: number; isHeld: boolean } | undefined {
	// One operation is enough, because all operations of a batch share one countdown.
	const [spec] = unsentOperations(options).filter(each => each.batch === batchId);
	const waitReason = spec && options.waitingFor(spec.key);
	if (!spec || !isCountdown(waitReason)) return undefined;
	return {
		seconds: secondsLeft({ spec, waitReason }, options),
		isHeld: waitReason.type === 'held',
	};
}

/**
 * Returns whether any countdown is running, so that its text changes every second. A held countdown does
 * not run.
 */
export function isCountingDown(options: Omit<CountdownOptions, 'now' | 'theme'>): boolean {
	return unsentOperations(options).some(({ key }) => options.waitingFor(key)?.type === 'grace');
}

type CountdownOperation = {
	spec: OperationSpec;
	waitReason: Extract<WaitReason, { type: 'grace' | 'held' }>;
};

const isCountdown = (
	waitReason: WaitReason | undefined,
): waitReason is CountdownOperation['waitReason'] =>
	waitReason?.type === 'grace' || waitReason?.type === 'held';

function countdownsOutsideBatches(options: CountdownOptions): CountdownOperation[] {
	return unsentOperations(options).flatMap(spec => {
		const waitReason = spec.batch === undefined ? options.waitingFor(spec.key) : undefined;
		return isCountdown(waitReason) ? [{ spec, waitReason }] : [];
	});
}

const unsentOperations = ({
	account,
}: Pick<CountdownOptions, 'account'>): readonly OperationSpec[] =>
	[...account.operations.values()].filter(isUnsent).map(({ spec }) => spec);

const timeLeftOf = ({ waitReason }: CountdownOperation, { now }: CountdownOptions) =>
	waitReason.type === 'held' ? waitReason.leftMs : waitReason.until - now;

function secondsLeft(countdown: CountdownOperation, options: CountdownOptions): number {
	const left = timeLeftOf(countdown, options);
	if (countdown.waitReason.type === 'held') return wholeSecondsOf(left);
	// `now` may be a time before the countdown began, so the time left is capped at the full grace.
	const { graceMs } = operationRowOf(countdown.spec.operation);
	return options.theme.times.remainingSeconds(Math.min(graceMs, left));
}

function pendingCreateText(
	options: CountdownOptions & Pick<CellContext, 'canChange'>,
): string | undefined {
	const creation = pendingCreate(options.account);
	if (!creation) return undefined;
	const { name } = creation.spec;
	const { changes } = options.account;
	const [[text] = ['']] = operationSpans(creation, { ...options, changes });
	return name === undefined ? text : `${name}: ${text}`;
}
