import { expect, test } from 'vitest';
import { createFailure } from '../../../source/platform/decoding/platform-error.ts';
import { emptyAccount, type ReadHealth } from '../../../source/store/state.ts';
import { readAgeSpans } from '../../../source/wording/phrases/freshness-text.ts';
import { now } from '../../arbitraries/values.ts';
import { theme } from '../../sample-theme.ts';

const failing = {
	failure: createFailure('offline', 'no'),
	firstAskedAt: now - 9000,
	firstFailedAt: now - 9000,
	lastFailedAt: now,
	attempts: 3,
};

const answer = { askedAt: now - 4000, at: now - 4000 };

const usage = { limit: 30, spent: 0 };

test('the title of a view says what happens to a read that has no answer yet', () => {
	const titleAt = (other: object, list: ReadHealth = { answer }) => {
		const standings = { create: usage, status: usage, other: { ...usage, ...other } };
		const account = { ...emptyAccount, reads: { list }, standings };
		return readAgeSpans({ account, now, theme }, 'credits')[0]?.[0];
	};
	expect(titleAt({})).toBe(' reading now');
	expect(titleAt({ nextReadAt: now + 20_000 })).toMatch(/^ read at \d\d:\d\d:\d\d: rate limit$/);
	expect(titleAt({ frozenUntil: now + 20_000 })).toMatch(/rate limit$/);
	expect(titleAt({}, { failing })).toBe(' not read yet');
});

test.each<[string, ReadHealth]>([
	[' not read yet ', {}],
	[' read 4 s ago ', { answer }],
	[' not read yet, failing for 9 s ', { failing }],
	[' read 4 s ago, failing for 9 s ', { answer, failing }],
])('the title of a view describes its last read as "%s"', (text, credits) => {
	const account = { ...emptyAccount, reads: { credits } };
	const spans = readAgeSpans({ account, now, theme }, 'credits');
	expect(spans.map(([part]) => part).join('')).toBe(text);
});
