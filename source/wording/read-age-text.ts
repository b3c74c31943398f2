import type { Span } from '../drawing/span.ts';
import type { Theme } from '../drawing/theme.ts';
import { secondText } from '../drawing/time-text.ts';
import type { ReadName } from '../fleet/fact.ts';
import type { AccountState, Failing } from '../store/state.ts';
import { nextTryAt, troubleIn } from '../store/trouble.ts';
import { nextTryText } from './retry-text.ts';

type ReadAgeOptions = { account: AccountState; now: number; theme: Theme };

/** How old what a read told is, and whether it fails since: for the end of a line. */
export function readAgeSpans(
	{ account, now, theme }: ReadAgeOptions,
	name: ReadName,
): readonly Span[] {
	const { told, failing } = account.reads[name] ?? {};
	const { age } = theme.times;
	const last: Span = [told ? ` read ${age(now - told.at)} ago` : ' not read yet', 'faint'];
	if (!failing) return [last, [' ']];
	const again = nextTryText(nextTryAt(account, name, now), { now, width: wideEnough, theme });
	const since = `failing for ${age(now - failing.since)}`;
	return [last, [', ', 'faint'], [`${since}${again} `, 'busy']];
}

// Where it stands there is room.
const wideEnough = 90;

/** What it comes to when a person wants everything read at once. */
export function readNowText(account: AccountState, now: number): string {
	const { frozenUntil = now, nextReadAt = now } = account.standings?.other ?? {};
	const nextAt = Math.max(frozenUntil, nextReadAt);
	if (nextAt > now) return `Reads are used up: next at ${secondText(nextAt, now)} (R is queued)`;
	return troubleIn(account, now) ? 'Trying now' : 'Reading now';
}

/** Why there is nothing to show, what can be done about it, and that it goes on. */
export function failureLines({ failure }: Failing, what: string): readonly (readonly Span[])[] {
	return [
		[[` ${what} cannot be read: ${failure.message}`, 'bad']],
		[[` ${failure.advice}`, 'faint']],
		[[' It is tried again by itself.', 'faint']],
	];
}
