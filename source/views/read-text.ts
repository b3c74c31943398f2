import type { ReadName } from '../fleet/fact.ts';
import type { AccountState, Failing } from '../store/state.ts';
import type { Span } from './span.ts';
import type { Theme } from './theme.ts';

type Asked = { account: AccountState; now: number; theme: Theme };

/** How old what a read told is, and whether it fails since: for the end of a line. */
export function readSpans({ account, now, theme }: Asked, name: ReadName): readonly Span[] {
	const { told, failing } = account.reads[name] ?? {};
	const { age } = theme.times;
	const last: Span = [told ? ` read ${age(now - told.at)} ago` : ' not read yet', 'faint'];
	if (!failing) return [last, [' ']];
	return [last, [', ', 'faint'], [`failing for ${age(now - failing.since)} `, 'busy']];
}

/** Why there is nothing to show, what can be done about it, and that it goes on. */
export function failureLines({ failure }: Failing, what: string): readonly (readonly Span[])[] {
	return [
		[[` ${what} cannot be read: ${failure.message}`, 'bad']],
		[[` ${failure.advice}`, 'faint']],
		[[' It is tried again by itself.', 'faint']],
	];
}
