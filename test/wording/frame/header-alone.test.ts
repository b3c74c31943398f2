import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { ScopeUsage } from '../../../source/fleet/fact.ts';
import { emptyAccount } from '../../../source/store/state.ts';
import { countsLine } from '../../../source/wording/frame/header-text.ts';
import { now } from '../../arbitraries/values.ts';
import { theme } from '../../sample-theme.ts';

function countsIn(width: number, other: ScopeUsage, isLowBandwidth = false): string {
	const line = countsLine({
		account: {
			...emptyAccount,
			contact: { since: now, lastAnswerAt: now },
			reads: { list: { answer: { askedAt: now, at: now } } },
			standings: { create: { limit: 1, spent: 0 }, status: { limit: 60, spent: 41 }, other },
		},
		badge: undefined,
		counts: { total: 24, phases: { active: 24 }, outdated: 0 },
		runway: null,
		isLowBandwidth,
		isReadOnly: false,
		now,
		width,
		theme,
	});
	return stripVTControlCharacters(line);
}

const alone: ScopeUsage = { limit: 7, spent: 3, isAlone: true };

test('the header shows the reduced limit and says "this process only" if requests of other processes are not counted', () => {
	expect(countsIn(160, alone)).toContain('other 3/7 this process only');
	const shared = countsIn(160, { limit: 30, spent: 3 });
	expect(shared).toContain('other 3/30');
	expect(shared).not.toContain('counted');
});

test.each([120, 100, 60])(
	'in %d columns, the header says if requests of other processes are not counted',
	width => {
		expect(countsIn(width, alone)).toContain('this process only');
		expect(countsIn(width, alone, true)).toContain('this process only');
	},
);

test('the gauge of a frozen rate limit says "frozen" and not "this process only"', () => {
	const frozen = { ...alone, frozenUntil: now + 5_000 };
	expect(countsIn(160, frozen)).toContain('other 3/7 frozen');
});
