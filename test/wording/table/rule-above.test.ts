import { expect, test } from 'vitest';
import { timeTextWithSeconds } from '../../../source/drawing/time-text.ts';
import { createFailure } from '../../../source/platform/decoding/platform-error.ts';
import { type AccountState, emptyAccount } from '../../../source/store/state.ts';
import { ruleAboveTable } from '../../../source/wording/table/table-rules.ts';
import { now } from '../../arbitraries/values.ts';
import { theme } from '../../sample-theme.ts';

const heardAt = now - 184_000;

const account: AccountState = {
	...emptyAccount,
	contact: { since: 0, lastAnswerAt: heardAt },
	reads: {
		list: {
			failing: {
				failure: createFailure('offline', 'no answer within 15 s'),
				firstAskedAt: heardAt + 1_000,
				firstFailedAt: heardAt + 16_000,
				lastFailedAt: now - 1_000,
				attempts: 9,
				nextAt: now + 12_000,
			},
		},
	},
};

const ruleOf = (width: number, of = account) =>
	ruleAboveTable({ account: of, canSignIn: false, width, now, theme });

test('the rule above the table says how long an outage lasts, how old the data is and what comes next, if there is room', () => {
	const at = timeTextWithSeconds(heardAt, now);
	expect(ruleOf(120)).toContain(
		`━ OFFLINE for 3 m 04 s · what you see was true at ${at} · next try in 12 s (R tries now) ━`,
	);
	expect(ruleOf(80)).toContain(`s · as of ${at} · next try in 12 s (R tries now) ━`);
	expect(ruleOf(60)).toContain('━ OFFLINE for 3 m 04 s · next try in 12 s (R tries now) ━');
	expect(ruleOf(50)).toContain('━ OFFLINE for 3 m 04 s · next try in 12 s ━');
	expect(ruleOf(30)).toContain('━ OFFLINE for 3 m 04 s');
	for (let width = 30; width < 200; width += 1) {
		expect(theme.ruler.width(ruleOf(width) ?? ''), `${width}`).toBe(width);
	}
});

test('the parts of the rule above the table stay while a try is under way', () => {
	const failing = account.reads.list?.failing;
	if (!failing) throw new Error('the list does not fail');
	const trying = { ...account, reads: { list: { failing: { ...failing, nextAt: now - 500 } } } };
	const partsOf = (text = '') => text.split('·').length;
	for (let width = 60; width < 140; width += 1) {
		expect(ruleOf(width, trying)).toContain('trying now');
		expect(partsOf(ruleOf(width, trying)), `${width}`).toBe(partsOf(ruleOf(width)));
	}
});

test('the rule above the table is absent while the platform answers, and after one lost answer', () => {
	expect(ruleOf(120, { ...account, reads: {} })).toBeUndefined();
	const once = { ...account, contact: { since: 0, lastAnswerAt: now - 4_000 } };
	expect(ruleOf(120, once)).toBeUndefined();
});

test.each([
	['limited', 'RATE LIMITED'],
	['auth', 'SIGNED OUT'],
] as const)(
	'the rule above the table does not offer the R key for a failure of the kind "%s"',
	(kind, word) => {
		const failing = account.reads.list?.failing;
		if (!failing) throw new Error('the list does not fail');
		const other = { ...failing, failure: createFailure(kind, 'refused') };
		const text = ruleOf(120, { ...account, reads: { list: { failing: other } } });
		expect(text).toContain(`${word} for 3 m 04 s`);
		expect(text).not.toContain('R tries now');
	},
);
