import type { OperationId, OperationSpec } from '../../fleet/operations/operation.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { countdownMs } from '../../fleet/operations/strictness.ts';
import { durationText } from '../../foundation/duration.ts';
import { countText } from '../../foundation/number-text.ts';
import type { WaitReason } from '../../operations/why-not.ts';
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
	const textOf = (who: string, form: WaitForm) =>
		wholeLine(waitLine(spec.operation, who, wait, now, form));
	const form = { ...writtenForm, time, ...(namesEscape ? {} : { hint: '' }) };
	const [line, screen] = [textOf(target, form), textOf('', { ...form, isHeldBriefly: true })];
	return { screen, line, speech: `${textOf(target, spokenForm)}.`, json: line };
}

/** Why an operation is not sent yet, in parts, so that a narrow line can shorten it. Joined, they are the whole line. */
export type WaitLine = {
	/** What waits, as in "Stopping atlas". A narrow line cuts it. */
	begin: string;
	/** What is never cut, as in " in 4 s, Esc to cancel"; may be empty. */
	end: string;
	/** How a held countdown goes on. A narrow line leaves it out. */
	rest: string;
	/** The shortest line about a countdown that runs, as in "Stopping in 4 s, Esc cancels". */
	brief?: string;
	/** The same about the first of several countdowns, where even that has no room: "Next in 4 s, Esc cancels all". */
	briefest?: string;
};

export const wholeLine = ({ begin, end, rest }: WaitLine) => `${begin}${end}${rest}`;

/**
 * Describes countdowns of several operations. The whole batch is sent after one countdown; operations that were
 * requested separately have separate countdowns, and `otherCount` of these end later.
 */
export function countdownLine(
	operation: OperationId,
	who: string,
	wait: Countdown,
	now: number,
	{ otherCount = 0, canChange = true }: { otherCount?: number; canChange?: boolean },
): WaitLine {
	const form = canChange ? writtenForm : { ...writtenForm, hint: '', briefHint: '' };
	if (otherCount === 0) return waitLine(operation, ` ${who}`, wait, now, form);
	const others = `${countText(otherCount)} more`;
	if (wait.type === 'held') return waitLine(operation, ` ${who} and ${others}`, wait, now, form);
	const affected = otherCount === 1 ? 'both' : `all ${countText(otherCount + 1)}`;
	const briefHint = canChange ? `, Esc cancels ${affected}` : '';
	const hint = `, then ${others}${briefHint}`;
	const seconds = durationText(roundedUpToSeconds(timeLeftOf(wait, now)));
	const briefest = `Next in ${seconds}${canChange ? ', Esc cancels all' : ''}`;
	return { ...waitLine(operation, ` ${who}`, wait, now, { ...form, hint, briefHint }), briefest };
}

export type Countdown = Extract<WaitReason, { type: 'grace' | 'held' }>;

export const isCountdown = (wait: WaitReason | undefined): wait is Countdown =>
	wait?.type === 'grace' || wait?.type === 'held';

/** Returns the remaining milliseconds of a countdown. `now` may be a time before the countdown began. */
export function timeLeftOf(wait: Countdown, now: number): number {
	if (wait.type === 'held') return wait.leftMs;
	return Math.min(wait.until - now, countdownMs);
}

/** Rounds up to whole seconds, so that a countdown ends when it shows one second. */
export const roundedUpToSeconds = (left: number) => Math.max(0, Math.ceil(left / 1000)) * 1000;

/** Says that a countdown which is held by what is open starts again from its full time. */
const startsAgainText = (time: WaitForm['time']) =>
	`; counts down from ${time(countdownMs)} once this is closed`;

type WaitForm = {
	time: (milliseconds: number) => string;
	countdown: (milliseconds: number) => string;
	/** The hint about the keys that work during a countdown; may be empty. */
	hint: string;
	/** The same for a narrow line. */
	briefHint?: string;
	/** Whether a held countdown does not say how it goes on. */
	isHeldBriefly?: boolean;
};

const writtenForm = {
	time: durationText,
	countdown: durationText,
	hint: ', Esc to cancel',
	briefHint: ', Esc cancels',
};
const spokenForm = { time: spokenDuration, countdown: spokenDuration, hint: ', Escape to cancel' };

function waitLine(
	operation: OperationId,
	who: string,
	wait: WaitReason,
	now: number,
	{ time, countdown, hint, briefHint = hint, isHeldBriefly = false }: WaitForm,
): WaitLine {
	const { label, doingLabel } = operationRowOf(operation);
	const left = isCountdown(wait) ? timeLeftOf(wait, now) : 0;
	const seconds = countdown(roundedUpToSeconds(left));
	switch (wait.type) {
		case 'grace':
			return {
				begin: `${doingLabel}${who}`,
				end: ` in ${seconds}${hint}`,
				rest: '',
				brief: `${doingLabel} in ${seconds}${briefHint}`,
			};
		case 'held': {
			const rest = isHeldBriefly ? '' : startsAgainText(countdown);
			return { begin: `${doingLabel}${who}`, end: ': on hold', rest };
		}
		case 'quitDialog':
			return plainLine(`${label}${who}: on hold while the quit dialog is open`);
		case 'turn':
			return plainLine(`${label}${who}: queued, sends in about ${time(wait.until - now)}`);
		case 'previous':
			return plainLine(`${label}${who}: waits for the previous creation`);
		case 'start':
			return plainLine(`${label}${who}: waits until it has started`);
		case 'unlock':
			return plainLine(`${label}${who}: waits until you unlock`);
	}
}

/** Returns a line without parts that could be left out. */
export const plainLine = (text: string): WaitLine => ({ begin: text, end: '', rest: '' });

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
