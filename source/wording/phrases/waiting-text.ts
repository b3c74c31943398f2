import type { OperationId, OperationSpec } from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { durationText } from '../../foundation/duration.ts';
import { countText } from '../../foundation/number-text.ts';
import type { WaitReason } from '../../operations/waiting.ts';
import { targetText } from './outcome-text.ts';
import { capitalized, spokenDuration, type Words } from './words.ts';

/**
 * Says why an operation is not sent yet, such as "Deleting atlas in 4 s, Esc to cancel". `time` writes durations
 * that keep changing on the screen. Countdowns are always written in seconds, because a person has to react in time.
 */
export function waitWords(
	spec: OperationSpec,
	wait: WaitReason,
	now: number,
	{
		time = durationText,
		namesEscape = true,
	}: { time?: WaitForm['time']; namesEscape?: boolean } = {},
): Words {
	const target = ` ${targetText(spec)}`;
	const textOf = (who: string, form: WaitForm) => waitText(spec.operation, who, wait, now, form);
	const form = { ...writtenForm, time, ...(namesEscape ? {} : { hint: '' }) };
	const [line, screen] = [textOf(target, form), textOf('', { ...form, held: briefHeldText })];
	return { screen, line, speech: `${textOf(target, spokenForm)}.`, json: line };
}

/**
 * Describes countdowns of several operations. The whole batch is sent after one countdown; operations that were
 * requested separately have separate countdowns, and `otherCount` of these end later.
 */
export function countdownText(
	operation: OperationId,
	who: string,
	wait: Countdown,
	now: number,
	{ otherCount = 0, canChange = true }: { otherCount?: number; canChange?: boolean },
) {
	const form = canChange ? writtenForm : { ...writtenForm, hint: '' };
	if (otherCount === 0) return waitText(operation, ` ${who}`, wait, now, form);
	if (wait.type === 'held')
		return waitText(operation, ` ${who} and ${countText(otherCount)} more`, wait, now, writtenForm);
	const affected = otherCount === 1 ? 'both' : `all ${countText(otherCount + 1)}`;
	const whatCancels = canChange ? `, Esc cancels ${affected}` : '';
	const hint = `, then ${countText(otherCount)} more${whatCancels}`;
	return waitText(operation, ` ${who}`, wait, now, { ...writtenForm, hint });
}

export type Countdown = Extract<WaitReason, { type: 'grace' | 'held' }>;

export const isCountdown = (wait: WaitReason | undefined): wait is Countdown =>
	wait?.type === 'grace' || wait?.type === 'held';

/** Returns the remaining milliseconds of a countdown. `now` may be a time before the countdown began. */
export function timeLeftOf(operation: OperationId, wait: Countdown, now: number): number {
	if (wait.type === 'held') return wait.leftMs;
	return Math.min(wait.until - now, operationRowOf(operation).graceMs);
}

/** Rounds up to whole seconds, so that a countdown ends when it shows one second. */
export const roundedUpToSeconds = (left: number) => Math.max(0, Math.ceil(left / 1000)) * 1000;

/** Says that a countdown is held. The message line adds how it goes on, if it has room. */
const briefHeldText = 'on hold';

/** Says that a countdown is held by what is open, and that it starts again from its full time. */
const heldText = (graceMs: number, time: WaitForm['time']) =>
	`${briefHeldText}; counts down from ${time(roundedUpToSeconds(graceMs))} once this is closed`;

type WaitForm = {
	time: (milliseconds: number) => string;
	countdown: (milliseconds: number) => string;
	/** The hint about the keys that work during a countdown; may be empty. */
	hint: string;
	/** Says that the countdown is held; absent for the whole sentence. */
	held?: string;
};

const writtenForm = { time: durationText, countdown: durationText, hint: ', Esc to cancel' };
const spokenForm = { time: spokenDuration, countdown: spokenDuration, hint: ', Escape to cancel' };

function waitText(
	operation: OperationId,
	who: string,
	wait: WaitReason,
	now: number,
	{ time, countdown, hint, held }: WaitForm,
): string {
	const { label, doingLabel, graceMs } = operationRowOf(operation);
	const left = isCountdown(wait) ? timeLeftOf(operation, wait, now) : 0;
	const seconds = countdown(roundedUpToSeconds(left));
	switch (wait.type) {
		case 'grace':
			return `${doingLabel}${who} in ${seconds}${hint}`;
		case 'held':
			return `${doingLabel}${who}: ${held ?? heldText(graceMs, countdown)}`;
		case 'quitDialog':
			return `${label}${who}: on hold while the quit dialog is open`;
		case 'turn':
			return `${label}${who}: queued, sends in about ${time(wait.until - now)}`;
		case 'previous':
			return `${label}${who}: waits for the previous creation`;
		case 'unlock':
			return `${label}${who}: waits until you unlock`;
	}
}

/** Requests that a rate limit delays. */
type LimitedRequests = {
	scope: 'create' | 'status' | 'other';
	/** How long the requests wait, in milliseconds. */
	waitMs: number;
	/** How many operations wait; absent if a read waits. */
	operationCount?: number;
};

const scopeSubjects = {
	create: 'creating',
	status: 'reading the status of computers',
	other: 'every other request',
} as const;

/** The beginning of every line about requests that a rate limit delays. */
export const waitsForRateLimitText = 'Waiting for the rate limit';

export function rateLimitWords({
	scope,
	waitMs,
	operationCount,
}: LimitedRequests): Pick<Words, 'line' | 'speech'> {
	const count = operationCount === undefined ? '' : `: ${operationCount} not sent yet`;
	const line = `${waitsForRateLimitText}${count}, about ${durationText(waitMs)} left`;
	const speech = `${capitalized(scopeSubjects[scope])} waits ${spokenDuration(waitMs)} for the rate limit.`;
	return { line, speech };
}

/** Says that the wait for a rate limit is over, as the counterpart of `rateLimitWords`. */
export const rateLimitOverText = (scope: LimitedRequests['scope']) =>
	`${capitalized(scopeSubjects[scope])} continues: the rate limit is over.`;
