import { fitTable, type Section } from '../../drawing/section.ts';
import type { Theme } from '../../drawing/theme.ts';
import { timeText } from '../../drawing/time-text.ts';
import { readOnlyMark } from '../../fleet/computers/account-profile.ts';
import { runwayOf } from '../../fleet/computers/runway.ts';
import { durationText } from '../../foundation/duration.ts';
import { decimalText } from '../../foundation/number-text.ts';
import { outageOf } from '../../store/freshness.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import { troubleOf, troubleWords } from '../phrases/trouble-text.ts';

//  ACCOUNT   CREDITS   AN HOUR   LASTS     PLAN   RENEWS             PROBLEM
//  work        41.50      0.82   2 d 2 h   Pro    2026-12-01 00:00
//  lab          3.10      0.40   7 h       Free                      offline

type AccountsTableOptions = { accounts: readonly OpenedAccount[]; now: number; theme: Theme };

/** Builds the table of the credits of each account; no section if the table has one account. */
export function accountsSection(
	{ accounts, now, theme }: AccountsTableOptions,
	width: number,
): Section {
	if (accounts.length < 2) return [];
	const profiles = accounts.map(({ profile }) => profile);
	const rows = accounts.map(({ profile, state }) => {
		const { credits, subscription } = state;
		const runway = runwayOf(state);
		const outage = outageOf(state, now);
		const { timeLeftMs = null } = runway ?? {};
		return [
			`${profile.name}${readOnlyMark(profile, profiles)}`,
			typeof credits?.balance === 'number' ? decimalText(credits.balance) : theme.glyphs.noValue,
			runway ? decimalText(runway.burnPerHour) : '',
			timeLeftMs === null ? '' : durationText(timeLeftMs),
			subscription?.planName ?? '',
			subscription?.periodEndsAt === undefined
				? ''
				: `${subscription.endsWithPeriod ? 'ends ' : ''}${timeText(subscription.periodEndsAt, now)}`,
			outage ? troubleWords(troubleOf(outage.cause, now)).screen : '',
		];
	});
	const table = fitTable(
		[
			{ title: 'ACCOUNT', minWidth: 8, dropOrder: 0 },
			{ title: 'CREDITS', minWidth: 7, dropOrder: 0, align: 'right' },
			{ title: 'AN HOUR', minWidth: 7, dropOrder: 3, align: 'right' },
			{ title: 'LASTS', minWidth: 6, dropOrder: 1 },
			{ title: 'PLAN', minWidth: 4, dropOrder: 2 },
			{ title: 'RENEWS', minWidth: 6, dropOrder: 4 },
			{ title: 'PROBLEM', minWidth: 8, dropOrder: 1 },
		],
		rows,
		width,
		theme,
	);
	return [table];
}
