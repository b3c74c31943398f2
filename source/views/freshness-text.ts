import type { AccountState, Failing } from '../store/state.ts';
import { type Trouble, troubleIn } from '../store/trouble.ts';
import { againText } from './again-text.ts';
import type { Span } from './span.ts';
import type { Theme } from './theme.ts';

//  ● live 4s
//  ● live 4s  list: platform error 29s, again in 12s
//  ✖ offline 29s, again in 12s
//  ✖ list: no answer 29s, again in 12s

type Asked = { account: AccountState; now: number; width: number; theme: Theme };

const narrow = 90;

// Data is called live while answers come as often as they should.
const lateAfter = 60_000;

/** How old the data is, why it is no younger, and when that will be tried to be changed. */
export function freshnessSpans(asked: Asked): readonly Span[] {
	const { account, now, theme } = asked;
	const { glyphs, times } = theme;
	const heardAt = account.watch?.heardAt;
	const age = heardAt === undefined ? undefined : now - heardAt;
	const trouble = troubleIn(account, now);
	if (trouble && isSilent(trouble.failing, heardAt, now)) {
		const since = age === undefined ? '' : ` ${times.age(age)}`;
		const again = againText(trouble.nextAt, asked);
		return [[`${glyphs.error} ${whatFails(trouble)}${since}`, 'bad'], [`${again} `]];
	}
	if (age === undefined) return [[`${glyphs.stopped} connecting`, 'faint'], [' ']];
	// What an earlier run has left is not live, however young it is.
	if (!account.reads.list?.told) {
		return [[`${glyphs.stopped} connecting`, 'faint'], [` ${times.age(age)}`], [' ']];
	}
	const isLate = age > lateAfter;
	const word = isLate ? 'late' : 'live';
	return [
		[`${glyphs.live} ${word}`, isLate ? 'busy' : 'good'],
		[` ${times.age(age)} `],
		...(trouble ? listSpans(trouble, asked) : []),
	];
}

/** Nothing but how fresh the data is tells when it is tried again. */
export function isTroubleTold({ account, now }: Pick<Asked, 'account' | 'now'>): boolean {
	const trouble = troubleIn(account, now);
	return trouble !== undefined && isSilent(trouble.failing, account.watch?.heardAt, now);
}

// When only the list fails, others answer in between.
const silence = 15_000;

/** Nothing was heard since it began to fail, or nothing for a while. */
function isSilent({ since, last }: Failing, heardAt: number | undefined, now: number): boolean {
	if (heardAt === undefined || since >= heardAt) return true;
	return last >= heardAt && now - heardAt > silence;
}

/** Others answer while the list fails: what is new, and what is gone, is not known meanwhile. */
function listSpans(trouble: Trouble, asked: Asked): readonly Span[] {
	const { now, width, theme } = asked;
	const { read, failing, nextAt } = trouble;
	if (read !== 'list' || failing.attempts < 2) return [];
	if (width < narrow) return [[`list ${theme.glyphs.error} `, 'bad']];
	const since = theme.times.age(now - failing.since);
	const what = whatFails({ ...trouble, isAlone: true });
	return [[` ${what} ${since}${againText(nextAt, asked)} `, 'busy']];
}

/** "offline", or of which read alone it is so: "list: no answer". Rate limits are never of one alone. */
function whatFails({ read, failing, isAlone }: Trouble): string {
	const { kind } = failing.failure;
	if (!isAlone || kind === 'limited') return words[kind] ?? 'failing';
	return `${read}: ${kind === 'offline' ? 'no answer' : (words[kind] ?? 'failing')}`;
}

const words: Readonly<Record<string, string>> = {
	auth: 'not signed in',
	denied: 'no access',
	limited: 'rate limited',
	offline: 'offline',
	unreadable: 'not understood',
	server: 'platform error',
};
