import type { Span } from '../drawing/span.ts';
import type { Theme } from '../drawing/theme.ts';
import { secondText } from '../drawing/time-text.ts';
import { ageOf, isSignedOut, silentTrouble } from '../store/age.ts';
import type { AccountState } from '../store/state.ts';
import { type Trouble, troubleIn } from '../store/trouble.ts';
import { nextTryText } from './retry-text.ts';

//  ● live 2 s
//  ◐ next read in 20 s
//  ◐ slow 14 s
//  ◐ list: platform error 29 s, next try in 12 s
//  ✖ offline 3 m 04 s, next try in 12 s
//  ✖ signed out · l signs in
//  ◷ replay 00:30:54

type FreshnessOptions = {
	account: AccountState;
	/** The time of the recording that is shown, if one is. */
	replayAt?: number | undefined;
	/** A password can be typed here. */
	canSignIn?: boolean;
	now: number;
	width: number;
	theme: Theme;
};

/** How old the data is, why it is no younger, and when that will be tried to be changed. */
export function freshnessSpans(options: FreshnessOptions): readonly Span[] {
	const { account, replayAt, now, theme } = options;
	const { glyphs, times } = theme;
	if (replayAt !== undefined) {
		return [[`${glyphs.replay} replay ${secondText(replayAt, replayAt)} `, 'accent']];
	}
	const silent = silentTrouble(account, now);
	if (silent) return silentSpans(silent, options);
	const told = account.reads.list?.told;
	const heardAt = account.watch?.heardAt;
	if (!told || heardAt === undefined) {
		// What an earlier run has left is not live, however young it is.
		const old = heardAt === undefined ? '' : ` ${times.wait(now - heardAt)}`;
		return [[`${glyphs.stopped} connecting`, 'faint'], [`${old} `]];
	}
	const age = times.wait(now - told.at);
	if (ageOf(told, now) === 'fresh') return [[`${glyphs.live} live`, 'good'], [` ${age} `]];
	return [[`${glyphs.busy} ${slowText(options, age)} `, 'busy']];
}

/** Only this tells when something is tried again. */
export function showsNextTry({ account, now }: Pick<FreshnessOptions, 'account' | 'now'>): boolean {
	return silentTrouble(account, now) !== undefined;
}

function silentSpans(trouble: Trouble, options: FreshnessOptions): readonly Span[] {
	const { account, canSignIn = false, now, theme } = options;
	const { error, separator } = theme.glyphs;
	const heardAt = account.watch?.heardAt;
	const since = heardAt === undefined ? '' : ` ${theme.times.wait(now - heardAt)}`;
	if (isSignedOut(trouble) && canSignIn) {
		return [[`${error} signed out`, 'bad'], [` ${separator} l signs in `]];
	}
	const again = nextTryText(trouble.nextAt, options);
	return [[`${error} ${whatFails(trouble)}${since}`, 'bad'], [`${again} `]];
}

/** Why the list is older than it should be, while others may well be answered. */
function slowText(options: FreshnessOptions, age: string): string {
	const { account, now, width, theme } = options;
	const trouble = troubleIn(account, now);
	if (trouble?.read === 'list') {
		const again = width < narrow ? '' : nextTryText(trouble.nextAt, options);
		return `${whatFails({ ...trouble, isAlone: true })} ${age}${again}`;
	}
	const nextReadAt = account.standings?.other.nextReadAt ?? now;
	if (nextReadAt > now) return `next read in ${theme.times.wait(upToSecond(nextReadAt - now))}`;
	return `slow ${age}`;
}

const narrow = 90;

const upToSecond = (milliseconds: number) => Math.ceil(milliseconds / 1000) * 1000;

/** "offline", or of which read alone it is so: "list: no answer". Rate limits and sign-ins are never of one alone. */
export function whatFails({ read, failing, isAlone }: Trouble): string {
	const { kind } = failing.failure;
	if (!isAlone || kind === 'limited' || kind === 'auth') return failureWords[kind] ?? 'failing';
	return `${read}: ${kind === 'offline' ? 'no answer' : (failureWords[kind] ?? 'failing')}`;
}

const failureWords: Readonly<Record<string, string>> = {
	auth: 'signed out',
	denied: 'no access',
	limited: 'rate limited',
	offline: 'offline',
	unreadable: 'not understood',
	server: 'platform error',
};
