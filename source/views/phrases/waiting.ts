import type { OperationId } from '../../fleet/operations/operation.ts';
import { countdownMs } from '../../fleet/operations/operation-row.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import { durationText } from '../../foundation/duration.ts';
import { countText } from '../../foundation/number-text.ts';
import { type Part, part } from '../../lines/parts.ts';
import type { WaitReason } from '../../operations/why-not.ts';

//  Stopping atlas in 4 s, then 1 more, Esc cancels both
//  Stopping in 4 s, Esc                                         where there is less room
//  in 4 s, Esc cancels both
//  Stopping atlas: on hold; counts down from 4 s once this is closed
//  Stop: queued, sends in about 32 s

type WaitOptions = {
	/** A countdown is always in seconds, because a person has to react in time. */
	time?: (milliseconds: number) => string;
	canCancel?: boolean;
	otherCount?: number;
};

/** `who` is empty beside the name of the computer. */
export function waitParts(
	operation: OperationId,
	who: string,
	wait: WaitReason,
	now: number,
	{ time = durationText, canCancel = true, otherCount = 0 }: WaitOptions = {},
): readonly Part[] {
	const { label, doingLabel } = operationRowOf(operation);
	const target = who === '' ? '' : ` ${who}`;
	const others = otherCount > 0 ? `${countText(otherCount)} more` : '';
	const busy = (drop: number, text: string) => part(drop, text, 'busy');
	const queued = (text: string) => [busy(0, `${label}${target}: ${text}`)];
	switch (wait.type) {
		case 'countdown': {
			const seconds = durationText(roundedUpToSeconds(timeLeftOf(wait, now)));
			const all = otherCount === 1 ? ' both' : ` all ${countText(otherCount + 1)}`;
			// Esc cancels what other questions count down as well, so that the hint outlasts what this one does.
			const escapeHint = others
				? [busy(1, `, Esc cancels${all}`)]
				: [busy(1, ', Esc'), busy(3, ' to cancel')];
			return [
				busy(others ? 4 : 0, `${doingLabel} `),
				busy(6, target && `${who} `),
				busy(0, `in ${seconds}`),
				busy(5, others && `, then ${others}`),
				...(canCancel ? escapeHint : []),
			];
		}
		case 'held':
			return [
				busy(0, doingLabel),
				busy(3, target),
				busy(2, others && ` and ${others}`),
				busy(0, ': on hold'),
				busy(8, target && `; counts down from ${durationText(countdownMs)} once this is closed`),
			];
		case 'quitDialog':
			return queued('on hold while the quit dialog is open');
		case 'turn':
			return [
				busy(3, `${label}${target}: `),
				busy(4, 'queued, '),
				busy(1, 'sends '),
				busy(0, 'in '),
				busy(5, 'about '),
				busy(0, time(wait.until - now)),
			];
		case 'previous':
			return queued('waits for the previous creation');
		case 'start':
			return queued('waits until it has started');
		case 'unlock':
			return queued('waits until you unlock');
	}
}

type Countdown = Extract<WaitReason, { type: 'countdown' | 'held' }>;

export const isCountdown = (wait: WaitReason | undefined): wait is Countdown =>
	wait?.type === 'countdown' || wait?.type === 'held';

/** `now` may be a time before the countdown began. */
export function timeLeftOf(wait: Countdown, now: number): number {
	return wait.type === 'held' ? countdownMs : Math.min(wait.until - now, countdownMs);
}

/** Rounded up, a countdown ends when it shows one second. */
export const roundedUpToSeconds = (left: number) => Math.max(0, Math.ceil(left / 1000)) * 1000;

export const waitsForRateLimitText = 'Waiting for the rate limit';

export function rateLimitText(waitMs: number, unsentCount?: number): string {
	const count = unsentCount === undefined ? '' : `: ${unsentCount} not sent yet`;
	return `${waitsForRateLimitText}${count}, about ${durationText(waitMs)} left`;
}
