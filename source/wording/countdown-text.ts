import type { Theme } from '../drawing/theme.ts';
import type { OperationSpec } from '../fleet/operation.ts';
import { operationTable } from '../operations/operation-table.ts';
import type { Operations } from '../operations/operations.ts';
import { type WaitReason, waitingText, wholeSecondsOf } from '../operations/waiting.ts';
import { pendingCreate } from '../store/our-operations.ts';
import type { AccountState } from '../store/state.ts';
import { operationSpans } from './stage-text.ts';

type CountdownOptions = {
	account: AccountState;
	waitingFor: Operations['waitingFor'];
	now: number;
	theme: Theme;
};

/**
 * Describes the countdown that ends next and that Esc can cancel, or else a new computer that is not in the
 * list yet.
 */
export function countdownText(options: CountdownOptions): string | undefined {
	const counting = operationsCountingAlone(options).sort(
		(a, b) => timeLeftOf(a, options) - timeLeftOf(b, options),
	);
	const [first] = counting;
	if (!first) return pendingCreateText(options);
	const { spec, waiting } = first;
	const left = secondsLeft(first, options);
	if (counting.length === 1) {
		if (waiting.for === 'held') return waitingText(spec, waiting, options.now);
		return waitingText(spec, waiting, waiting.until - left * 1000);
	}
	const who = spec.name ?? spec.computer ?? 'a computer';
	const { doing } = operationTable[spec.operation];
	const more = counting.length - 1;
	if (waiting.for === 'held') return `${doing} ${who} and ${more} more: held at ${left} s`;
	const affected = counting.length === 2 ? 'both' : `all ${counting.length}`;
	return `${doing} ${who} in ${left} s, then ${more} more, Esc cancels ${affected}`;
}

/** Returns how long a batch can still be cancelled, or undefined once it is being sent. */
export function batchCountdown(
	options: CountdownOptions,
	batch: string,
): { seconds: number; isHeld: boolean } | undefined {
	// The operations of a batch share one countdown.
	const [spec] = unsentOperations(options).filter(each => each.batch === batch);
	const waiting = spec && options.waitingFor(spec.key);
	if (!spec || !isCounting(waiting)) return undefined;
	return { seconds: secondsLeft({ spec, waiting }, options), isHeld: waiting.for === 'held' };
}

/** Returns whether the text of a countdown changes every second. A held countdown does not. */
export function isCountingDown(options: Omit<CountdownOptions, 'now' | 'theme'>): boolean {
	return unsentOperations(options).some(({ key }) => options.waitingFor(key)?.for === 'grace');
}

type CountingOperation = {
	spec: OperationSpec;
	waiting: Extract<WaitReason, { for: 'grace' | 'held' }>;
};

const isCounting = (waiting: WaitReason | undefined): waiting is CountingOperation['waiting'] =>
	waiting?.for === 'grace' || waiting?.for === 'held';

function operationsCountingAlone(options: CountdownOptions): CountingOperation[] {
	return unsentOperations(options).flatMap(spec => {
		const waiting = spec.batch === undefined ? options.waitingFor(spec.key) : undefined;
		return isCounting(waiting) ? [{ spec, waiting }] : [];
	});
}

const unsentOperations = ({
	account,
}: Pick<CountdownOptions, 'account'>): readonly OperationSpec[] =>
	[...account.operations.values()].filter(({ stage }) => stage === 'asked').map(({ spec }) => spec);

const timeLeftOf = ({ waiting }: CountingOperation, { now }: CountdownOptions) =>
	waiting.for === 'held' ? waiting.left : waiting.until - now;

function secondsLeft(counting: CountingOperation, options: CountdownOptions): number {
	const left = timeLeftOf(counting, options);
	if (counting.waiting.for === 'held') return wholeSecondsOf(left);
	// `now` may be from before the countdown began, so more time than the whole grace could seem left.
	const { grace } = operationTable[counting.spec.operation];
	return options.theme.times.countdown(Math.min(grace, left));
}

function pendingCreateText(options: CountdownOptions): string | undefined {
	const newcomer = pendingCreate(options.account);
	if (!newcomer) return undefined;
	const { name } = newcomer.spec;
	const { changes } = options.account;
	const [[text] = ['']] = operationSpans(newcomer, { ...options, changes });
	return name === undefined ? text : `${name}: ${text}`;
}
