import { expect, test } from 'vitest';
import { createTheme } from '../../../source/drawing/theme.ts';
import { timeTextWithSeconds } from '../../../source/drawing/time-text.ts';
import type { RateLimitUsage } from '../../../source/fleet/fact.ts';
import type { FailureKind } from '../../../source/foundation/failure.ts';
import { createFailure } from '../../../source/platform/decoding/platform-error.ts';
import { initialScreen } from '../../../source/screen/screen.ts';
import { freshnessWords } from '../../../source/speech/summary-words.ts';
import { type AccountState, emptyAccount, type ReadHealth } from '../../../source/store/state.ts';
import { countsLine } from '../../../source/wording/frame/counts-line.ts';
import { emptyTableLines } from '../../../source/wording/frame/empty-table.ts';
import {
	connectionSpans,
	readAgeSpans,
	refreshNotice,
} from '../../../source/wording/phrases/freshness-text.ts';
import { now } from '../../arbitraries/values.ts';
import { theme } from '../../sample-theme.ts';
import { sampleHeader } from '../frame/sample-header.ts';

const second = 1000;

const readAgo = (age: number): ReadHealth => ({ answer: { askedAt: now - age, at: now - age } });

const failing = (kind: FailureKind, left: number): ReadHealth => ({
	failing: {
		failure: createFailure(kind, 'no answer within 10 s'),
		firstAskedAt: now - 39 * second,
		firstFailedAt: now - 29 * second,
		lastFailedAt: now - second,
		attempts: 4,
		nextAt: now + left,
	},
});

const offline: AccountState = {
	...emptyAccount,
	contact: { since: 0, lastAnswerAt: now - 29 * second },
	reads: { list: failing('offline', 12 * second) },
};

const hanging: AccountState = {
	...emptyAccount,
	reads: { list: failing('offline', 12 * second), credits: readAgo(38 * second) },
};

const textOf = (account: AccountState, room = 57, look = theme, more: { hasRule?: boolean } = {}) =>
	connectionSpans({ account, now, room, theme: look, ...more })
		.map(([text]) => text)
		.join('')
		.trimEnd();

test('during an outage, the header says why, for how long, and when the next read is tried', () => {
	expect(textOf(offline)).toBe('✖ offline 29 s, next try in 12 s');
	expect(textOf(offline, 30)).toBe('✖ offline 29 s');
	expect(textOf(offline, 16)).toBe('✖ offline');
	const sparing = createTheme({
		colourBits: 0,
		background: 'dark',
		hasUnicode: true,
		hasCoarseTimes: true,
	});
	expect(textOf(offline, 57, sparing)).toBe('✖ offline <1 m, next try in <1 m');
});

test('the header gives only the word for an outage while a rule above the table says the rest', () => {
	expect(textOf(offline, 57, theme, { hasRule: true })).toBe('✖ offline');
});

test('where a cause of two words would be cut, the header has a shorter one', () => {
	const unreadable = { ...offline, reads: { list: failing('unreadable', 12 * second) } };
	expect(textOf(unreadable, 19)).toBe('✖ unreadable answer');
	expect(textOf(unreadable, 18)).toBe('✖ unreadable');
	const broken = { ...offline, reads: { list: failing('server', 12 * second) } };
	expect(textOf(broken, 16)).toBe('✖ platform error');
	expect(textOf(broken, 12)).toBe('✖ failing');
});

test('before the first answer, header, empty table and R say until when the platform refuses requests', () => {
	const until = now + 59 * 60 * second;
	const usage = { limit: 30, spent: 30, nextReadAt: until, frozenUntil: until };
	const frozen = { ...emptyAccount, standings: { create: usage, status: usage, other: usage } };
	expect(textOf(frozen)).toMatch(/^◐ next in 59 m/);
	const time = timeTextWithSeconds(until, now);
	const [, line = []] = emptyTableLines(frozen, 0, initialScreen(), now);
	expect(line.map(([text]) => text).join('')).toBe(
		`The list of computers is read at ${time}: rate limit.`,
	);
	expect(refreshNotice(frozen, now)).toContain(`refreshing at ${time}`);
});

test('if only the list fails, the platform is not called offline', () => {
	expect(textOf(hanging)).toBe('✖ list: no answer, next try in 12 s');
	const lines = emptyTableLines(hanging, 0, initialScreen(), now).map(spans => spans[0]?.[0]);
	expect(lines).toContain(
		'The platform answers everything else. Run `crowsnest doctor` for details.',
	);
	const lost = emptyTableLines(offline, 0, initialScreen(), now).map(spans => spans[0]?.[0]);
	expect(lost).toContain('Check the network, the proxy and the address of the platform.');
});

test('an outdated list is not called live although other reads succeed', () => {
	const account: AccountState = {
		...emptyAccount,
		contact: { since: 0, lastAnswerAt: now - 4 * second },
		reads: {
			list: {
				answer: { askedAt: now - 60 * second, at: now - 60 * second, every: 5 * second },
				...failing('server', 12 * second),
			},
			status: readAgo(4 * second),
		},
	};
	expect(textOf(account)).toBe('◐ list: platform error 1 m 00 s, next try in 12 s');
	expect(textOf(account, 40)).toBe('◐ list: platform error 1 m 00 s');
});

test('a list is called live only while it is no older than a short polling interval', () => {
	const listed = (age: number, every: number): AccountState => ({
		...emptyAccount,
		contact: { since: 0, lastAnswerAt: now - age },
		reads: { list: { answer: { askedAt: now - age, at: now - age, every } } },
	});
	expect(textOf(listed(8 * second, 5 * second))).toBe('live, 8 s ago');
	expect(textOf(listed(39 * second, 5 * second))).toBe('◐ slow 39 s');
	expect(textOf(listed(8 * second, 28 * second))).toBe('◐ next read in 20 s');
	const nextIn = (left: number, room: number) =>
		textOf(listed(20 * second, 20 * second + left), room);
	expect([19, 18, 13, 8].map(room => nextIn(20 * second, room))).toEqual([
		'◐ next read in 20 s',
		'◐ next in 20 s',
		'◐ in 20 s',
		'◐ 20 s',
	]);
	// The words stay while the seconds run.
	expect(nextIn(9 * second, 13)).toMatch(/^◐ in +9 s$/);
	expect(nextIn(108 * second, 16)).toBe('◐ in 1 m 48 s');
});

test('the time of the next try keeps its width while the time counts down', () => {
	const textIn = (left: number) => {
		const account = { ...emptyAccount, reads: { credits: failing('offline', left) } };
		return readAgeSpans({ account, now, theme }, 'credits')
			.map(([text]) => text)
			.join('');
	};
	const widths = [120_000, 60_000, 12_000, 9_000, 500, 0, -5_000].map(left => textIn(left).length);
	expect(new Set(widths).size).toBe(1);
	expect(textIn(-1)).toContain(', trying now');
});

const standings: RateLimitUsage = {
	create: { limit: 5, spent: 0 },
	status: { limit: 60, spent: 41 },
	other: { limit: 30, spent: 30, frozenUntil: now + 12 * second },
};

const header = (account: AccountState, width: number) => ({
	...sampleHeader,
	account,
	counts: { total: 24, phases: { active: 24 }, outdated: 0 },
	width,
});

const headerOf = (account: AccountState, width: number) => countsLine(header(account, width)).text;

test('the header shows the cause of an outage at every width', () => {
	const frozen = { limit: 60, spent: 60, frozenUntil: now + 12 * second };
	const account = {
		...offline,
		reads: { list: failing('limited', 3 * second) },
		standings: { create: frozen, status: frozen, other: frozen },
	};
	expect(headerOf(account, 120)).toContain('✖ rate limited 29 s, next try in 12 s');
	for (let width = 30; width < 200; width += 1) {
		const line = headerOf(account, width);
		expect(line, `${width}`).toMatch(/✖ (rate )?limited/);
		expect(line, `${width}`).not.toMatch(/reads|status/);
		expect(theme.ruler.width(line)).toBe(width);
	}
});

test('the notice of the refresh key says when the next read is possible if the read limit is used up', () => {
	expect(refreshNotice(emptyAccount, now)).toBe('Reading now');
	expect(refreshNotice(offline, now)).toBe('Trying now');
	const at = (time: number) => timeTextWithSeconds(time, now);
	expect(refreshNotice({ ...offline, standings }, now)).toBe(
		`Waiting for the rate limit: refreshing at ${at(now + 12 * second)}`,
	);
	const other = { limit: 30, spent: 24, nextReadAt: now + 20 * second };
	expect(refreshNotice({ ...emptyAccount, standings: { ...standings, other } }, now)).toBe(
		`Waiting for the rate limit: refreshing at ${at(now + 20 * second)}`,
	);
});

const listed = (age: number, more: Partial<AccountState> = {}): AccountState => ({
	...emptyAccount,
	contact: { since: 0, lastAnswerAt: now },
	reads: { list: { answer: { askedAt: now - age, at: now - age, every: 5 * second } } },
	...more,
});

test('the header does not name the process that reads for this pane', () => {
	const following = { ...listed(2 * second), sharedWatch: { leader: 4121 } };
	expect(textOf(following)).toBe('live, 2 s ago');
	expect(textOf(following, 9)).toBe('2 s ago');
});

test('the header calls the list live until its next read is overdue', () => {
	expect(textOf(listed(2 * second))).toBe('live, 2 s ago');
	expect(textOf(listed(10 * second))).toBe('live, 10 s ago');
	expect(textOf(listed(11 * second))).toBe('◐ slow 11 s');
	const other = { limit: 30, spent: 24, nextReadAt: now + 19_400 };
	const spent = listed(11 * second, { standings: { ...standings, other } });
	expect(textOf(spent)).toBe('◐ next read in 20 s');
});

test('the header says that the list fails, also if it was never answered', () => {
	const contact = { since: 0, lastAnswerAt: now };
	const reads = { list: failing('offline', 20 * second), status: readAgo(second) };
	expect(textOf({ ...emptyAccount, contact, reads })).toMatch(/^◐ list: no answer/);
});

test('after a refused sign-in, the header says "signed out" and names the key that signs in', () => {
	const account = { ...offline, reads: { list: failing('auth', 12 * second) } };
	const sample = header(account, 120);
	expect(countsLine({ ...sample, canSignIn: true }).text).toContain('✖ signed out · l signs in ');
	expect(textOf(account)).toBe('✖ signed out 29 s');
	const lines = emptyTableLines(account, 0, initialScreen(), now).flat();
	expect(lines.map(([text]) => text).join(' ')).not.toContain('keeps trying');
});

test('while the sign-in waits for a password, the header and the table say so and not that they connect', () => {
	const sample = { ...header(emptyAccount, 120), canSignIn: true };
	expect(countsLine(sample).text).toContain('○ connecting');
	const asking = countsLine({ ...sample, isPasswordWanted: true }).text;
	expect(asking).toContain('✖ signed out ');
	expect(asking).not.toContain('connecting');
	const lines = emptyTableLines(emptyAccount, 0, initialScreen(), now, { isPasswordWanted: true });
	expect(lines).toContainEqual([['Sign in to read the list of computers.']]);
});

test('during a replay, the header shows the replayed time, no connection and no rate-limit gauges', () => {
	const replayAt = now - 3_600_000;
	const line = countsLine({ ...header(listed(0, { standings }), 120), replayAt }).text;
	expect(line).toContain(` ◷ replay ${timeTextWithSeconds(replayAt, replayAt)} `);
	expect(line).not.toContain('reads');
	expect(line).not.toContain('live');
});

test('during an outage, the counts of computers are grey', () => {
	const colourful = createTheme({ colourBits: 8, background: 'dark', hasUnicode: true });
	const line = countsLine({ ...header(offline, 120), theme: colourful }).text;
	const green = colourful.paint('good', colourful.glyphs.active);
	expect(line).not.toContain(green);
	expect(countsLine({ ...header(listed(0), 120), theme: colourful }).text).toContain(green);
});

test('the spoken summary gives the cause of an outage, the next try and the age of the data', () => {
	expect(freshnessWords({ account: offline, now })).toBe(
		'Cannot read from the platform: no answer within 10 s. Check the network, the proxy and the address of the platform. Next try in 12 seconds. The data is 29 seconds old.',
	);
	expect(freshnessWords({ account: hanging, now })).toMatch(
		/^Cannot read the list of computers: no answer within 10 s\. The platform answers everything else/,
	);
});
