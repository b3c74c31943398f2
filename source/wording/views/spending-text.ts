import type { Section } from '../../drawing/section.ts';
import type { Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import { aboutSign } from '../../drawing/time-text.ts';
import { type Runway, timeLeftAt } from '../../fleet/computers/runway.ts';
import { busyCpu } from '../../fleet/computers/stop-reason.ts';
import { durationText } from '../../foundation/duration.ts';
import { countText } from '../../foundation/number-text.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { JointAccount } from '../../store/state.ts';
import { usageSpanMs, wasCalm } from '../../store/usage-history.ts';
import { pluralize } from '../phrases/words.ts';
import { paragraphLines } from './versions-text.ts';

//  17 active computers, ≈ 0.05 an hour each if all cost the same
//  5 of them stayed below 5 % CPU for the last 30 min. Stopping them gains ≈ 9 h: the credits then last ≈ 3 d 1 h.

type SpendingOptions = {
	account: Pick<JointAccount, 'credits' | 'samples'>;
	accounts?: readonly OpenedAccount[] | undefined;
	runway: Runway | null;
	now: number;
	width: number;
	theme: Theme;
};

const about = (ms: number) => `${aboutSign} ${durationText(ms)}`;

/**
 * Says what the active computers cost, and how long the credits last without the idle ones. The platform does not report
 * the price of a computer, so each counts the same. A computer is idle if it was calm for 30 minutes: by its CPU of this
 * moment alone, the number would change with every read.
 */
export function spendingSection(options: SpendingOptions): Section {
	const { account, accounts = [], runway, now, width, theme } = options;
	const { burnPerHour = 0, eachPerHour } = runway ?? {};
	const active = accounts.flatMap(({ state }) =>
		[...state.computers.values()].flatMap(({ phase, id }) =>
			phase === 'active' ? [{ usage: state.usage, id }] : [],
		),
	);
	const { length: count } = active;
	if (burnPerHour <= 0 || count === 0) return [];
	const each = `${aboutSign} ${(eachPerHour ?? burnPerHour / count).toFixed(3)} an hour each`;
	const share: readonly Span[] = [
		[` ${pluralize(count, 'active computer')}, `],
		[each],
		[' if all cost the same', 'faint'],
	];
	const idleCount = active.filter(({ usage, id }) => wasCalm(usage, id, now)).length;
	const balance = account.credits?.balance ?? null;
	// With several accounts, this advice is left out, because the credits of one account do not pay for the computers
	// of another.
	if (idleCount === 0 || balance === null || accounts.length > 1)
		return [{ type: 'lines', lines: [share] }];
	const span = durationText(usageSpanMs);
	const begin = `${countText(idleCount)} of them stayed below ${busyCpu} % CPU for the last ${span}`;
	const lastsMs = timeLeftAt(balance, burnPerHour) ?? Number.POSITIVE_INFINITY;
	const lastsThenMs =
		timeLeftAt(balance, burnPerHour * (1 - idleCount / count)) ?? Number.POSITIVE_INFINITY;
	const stopping = idleCount === 1 ? 'Stopping it' : 'Stopping them';
	const effect = Number.isFinite(lastsThenMs)
		? `gains ${about(lastsThenMs - lastsMs)}: the credits then last ${about(lastsThenMs)}.`
		: 'stops all spending.';
	const gain = paragraphLines(`${begin}. ${stopping} ${effect}`, '', width, theme);
	return [{ type: 'lines', lines: [share, ...gain] }];
}
