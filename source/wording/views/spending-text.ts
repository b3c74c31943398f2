import type { Section } from '../../drawing/section.ts';
import type { Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import { estimatedRunwayOf, type Runway } from '../../fleet/computers/runway.ts';
import { durationText } from '../../foundation/duration.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { JointAccount } from '../../store/state.ts';
import { pluralize } from '../phrases/words.ts';

//  17 active computers, ≈ 0.05 an hour each if all cost the same
//  5 of them use less than 2 % CPU. Without them, the credits last ≈ 3 d 1 h.

type SpendingOptions = {
	account: Pick<JointAccount, 'credits' | 'samples'>;
	accounts?: readonly OpenedAccount[] | undefined;
	runway: Runway | null;
	theme: Theme;
};

const maxIdlePercent = 2;
const hourMs = 3_600_000;

/**
 * Says what the active computers cost, and how long the credits last without the idle ones. The platform does not report
 * the price of a computer, so each counts the same.
 */
export function spendingSection({ account, accounts = [], runway }: SpendingOptions): Section {
	const { burnPerHour = 0 } = runway ?? estimatedRunwayOf(account.samples) ?? {};
	const cpus = accounts.flatMap(({ state }) =>
		[...state.computers.values()].flatMap(({ phase, reading }) =>
			phase === 'active' ? [reading.cpu] : [],
		),
	);
	if (burnPerHour <= 0 || cpus.length === 0) return [];
	const each = `≈ ${(burnPerHour / cpus.length).toFixed(3)} an hour each`;
	const share: readonly Span[] = [
		[` ${pluralize(cpus.length, 'active computer')}, `],
		[each],
		[' if all cost the same', 'faint'],
	];
	const idleCount = cpus.filter(cpu => typeof cpu === 'number' && cpu < maxIdlePercent).length;
	const balance = account.credits?.balance ?? null;
	// With several accounts, the credits of one account do not pay for the computers of another.
	if (idleCount === 0 || balance === null || accounts.length > 1)
		return [{ type: 'lines', lines: [share] }];
	const begin = `${idleCount} of them ${idleCount === 1 ? 'uses' : 'use'} less than ${maxIdlePercent} % CPU`;
	const remaining = burnPerHour * (1 - idleCount / cpus.length);
	const effect =
		remaining > 0
			? `Without them, the credits last ≈ ${durationText((balance / remaining) * hourMs)}.`
			: 'Without them, no credits are spent.';
	return [{ type: 'lines', lines: [share, [[` ${begin}. ${effect}`]]] }];
}
