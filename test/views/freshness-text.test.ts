import { expect, test } from 'vitest';
import type { Standings } from '../../source/fleet/fact.ts';
import type { FailureKind } from '../../source/fleet/failure.ts';
import { failureOf } from '../../source/platform/platform-error.ts';
import { screenOf } from '../../source/store/screen.ts';
import { type AccountState, emptyAccount, type ReadState } from '../../source/store/state.ts';
import { againText } from '../../source/views/again-text.ts';
import { emptyText } from '../../source/views/empty-text.ts';
import { freshnessSpans } from '../../source/views/freshness-text.ts';
import { countsLine } from '../../source/views/header-text.ts';
import { readNowText } from '../../source/views/read-text.ts';
import { freshnessWords } from '../../source/views/spoken/summary-words.ts';
import { createTheme } from '../../source/views/theme.ts';
import { now, theme } from './drawn.tsx';

const second = 1000;

const told = (age: number): ReadState => ({ told: { askedAt: now - age, at: now - age } });

const failing = (kind: FailureKind, left: number): ReadState => ({
	failing: {
		failure: failureOf(kind, 'no answer within 10 s'),
		askedAt: now - 39 * second,
		since: now - 29 * second,
		last: now - second,
		attempts: 4,
		nextAt: now + left,
	},
});

const offline: AccountState = {
	...emptyAccount,
	watch: { since: 0, heardAt: now - 29 * second },
	reads: { list: failing('offline', 12 * second) },
};

const hanging: AccountState = {
	...emptyAccount,
	reads: { list: failing('offline', 12 * second), credits: told(38 * second) },
};

const textOf = (account: AccountState, width = 120, look = theme) =>
	freshnessSpans({ account, now, width, theme: look })
		.map(([text]) => text)
		.join('');

test('while nothing comes, it is told since when, why, and when it is tried again', () => {
	expect(textOf(offline)).toBe('✖ offline 29s, again in 12s ');
	expect(textOf(offline, 60)).toBe('✖ offline 29s, try in 12s ');
	expect(textOf(offline, 40)).toBe('✖ offline 29s ');
	const sparing = createTheme({
		colours: 0,
		background: 'dark',
		hasUnicode: true,
		isSparing: true,
	});
	expect(textOf(offline, 120, sparing)).toBe('✖ offline <1m, again in <1m ');
});

test('a list that alone is not answered is no lost connection', () => {
	expect(textOf(hanging)).toBe('✖ list: no answer, again in 12s ');
	const lines = emptyText(hanging, screenOf('test'), now).map(spans => spans[0]?.[0]);
	expect(lines).toContain('The platform answers all else. `crowsnest doctor` shows more.');
	const lost = emptyText(offline, screenOf('test'), now).map(spans => spans[0]?.[0]);
	expect(lost).toContain(
		'The platform cannot be reached. Check the network, the proxy and the address.',
	);
});

test('while others answer, it stands beside how live the data is', () => {
	const account: AccountState = {
		...emptyAccount,
		watch: { since: 0, heardAt: now - 4 * second },
		reads: {
			list: { ...told(60 * second), ...failing('server', 12 * second) },
			status: told(4 * second),
		},
	};
	expect(textOf(account)).toBe('● live 4s  list: platform error 29s, again in 12s ');
	expect(textOf(account, 60)).toBe('● live 4s list ✖ ');
});

test('the text keeps its width from the first second to the try', () => {
	const widths = [120_000, 60_000, 12_000, 9_000, 500, 0, -5_000].map(left =>
		[120, 60].map(width => againText(now + left, { now, width, theme }).length),
	);
	expect(new Set(widths.map(String)).size).toBe(1);
	expect(againText(now - 1, { now, width: 120, theme }).trim()).toBe(', trying now');
	expect(againText(undefined, { now, width: 120, theme })).toBe('');
});

const standings: Standings = {
	create: { limit: 5, spent: 0 },
	status: { limit: 60, spent: 41 },
	other: { limit: 30, spent: 30, frozenUntil: now + 12 * second },
};

const headerOf = (account: AccountState, width: number) =>
	countsLine({
		account,
		badge: undefined,
		isReadOnly: false,
		counts: { total: 24, phases: { active: 24 }, behind: 0, underWay: 0, failed: 0 },
		runway: null,
		isLowBandwidth: false,
		now,
		width,
		theme,
	});

test('what is frozen says until when, unless that stands beside it', () => {
	const live = { ...emptyAccount, watch: { since: 0, heardAt: now }, reads: { list: told(0) } };
	expect(headerOf({ ...live, standings }, 120)).toContain('other 30/30 frozen, again in 12s');
	const limited = { ...offline, reads: { list: failing('limited', 3 * second) }, standings };
	const line = headerOf(limited, 120);
	expect(line).toContain('✖ rate limited 29s, again in 12s');
	expect(line).toContain('other 30/30 frozen  ');
	expect(headerOf(limited, 60)).toContain('✖ rate limited 29s, try in 12s');
});

test('why nothing comes has room in any width, before the pace and the counts have', () => {
	const frozen = { limit: 60, spent: 60, frozenUntil: now + 12 * second };
	const account = {
		...offline,
		reads: { list: failing('limited', 3 * second) },
		standings: { create: frozen, status: frozen, other: frozen },
	};
	for (let width = 30; width < 200; width += 1) {
		const line = headerOf(account, width);
		expect(line, `${width}`).toContain('✖ rate limited 29s');
		expect(line, `${width}`).toMatch(/^ 24(:| computers) /);
		expect(theme.ruler.width(line)).toBe(width);
	}
});

test('whoever wants everything read at once is told what comes of it', () => {
	expect(readNowText(emptyAccount, now)).toBe('reading now');
	expect(readNowText(offline, now)).toBe('trying now');
	expect(readNowText({ ...offline, standings }, now)).toBe(
		'reads as soon as the rate limit allows, in about 12 s',
	);
	const spent = { ...standings, other: { limit: 30, spent: 30 } };
	expect(readNowText({ ...emptyAccount, standings: spent }, now)).toBe(
		'reads as soon as the rate limit allows',
	);
});

test('it is spoken with the same times', () => {
	expect(freshnessWords({ account: offline, now })).toBe(
		'No news from the platform: no answer within 10 s. The platform cannot be reached. Check the network, the proxy and the address. It is tried again in 12 seconds. What is told here is from 29 seconds ago.',
	);
	expect(freshnessWords({ account: hanging, now })).toMatch(
		/^The list of computers cannot be read: no answer within 10 s\. The platform answers all else/,
	);
});
