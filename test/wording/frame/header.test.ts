import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { sparkline } from '../../../source/drawing/chart.ts';
import { createTheme } from '../../../source/drawing/theme.ts';
import type { CreditSample } from '../../../source/fleet/computers/runway.ts';
import { type Counts, createCountsSelector } from '../../../source/store/selectors.ts';
import { emptyAccount } from '../../../source/store/state.ts';
import { countsLine, titleLine } from '../../../source/wording/frame/header-text.ts';
import { hour, now } from '../../arbitraries/values.ts';
import { theme } from '../../sample-theme.ts';

const minute = 60_000;

const falling = Array.from({ length: 24 * 6 }, (_, at): CreditSample => {
	const age = 24 * 6 - at;
	return { at: now - age * 10 * minute, balance: age };
});

test('the sparkline in the header shows the credits of the last day', () => {
	expect(sparkline(falling, now, theme)).toBe('▇▆▅▄▃▃▂▁');
	const ascii = createTheme({ colourBits: 0, background: 'dark', hasUnicode: false });
	expect(sparkline(falling, now, ascii)).toMatch(/^#[*=.-]+_$/);
});

test('the sparkline of a nearly constant balance is a flat line', () => {
	const resting = falling.map(({ at }, place) => ({ at, balance: 42 - place / 10_000 }));
	expect(sparkline(resting, now, theme)).toBe('▁▁▁▁▁▁▁▁');
});

test('the sparkline stays the same within one time step', () => {
	const short = [0, 1, 2, 3, 4].map(at => ({ at: now + at * minute, balance: 10 - at }));
	const seen = new Set(
		[5, 20, 35, 50].map(s => sparkline(short, now + 4 * minute + s * 1000, theme)),
	);
	expect(seen.size).toBe(1);
});

test('the sparkline has gaps for times without a read, and is absent with too few samples', () => {
	const gap = falling.filter(({ at }) => Math.abs(now - 12 * hour - at) > 4 * hour);
	expect(sparkline(gap, now, theme)).toMatch(/^\S+ +\S+$/);
	expect(sparkline([], now, theme)).toBe('');
	expect(sparkline(falling.slice(0, 1), now, theme)).toBe('');
	expect(
		sparkline(
			[
				{ at: now - 40 * 24 * hour, balance: 1 },
				{ at: now, balance: 2 },
			],
			now,
			theme,
		),
	).toBe('');
});

test.each([
	[120, 'shows', true],
	[92, 'leaves out', false],
	[60, 'leaves out', false],
])('in %i columns, the header %s the sparkline', (width, _, isShown) => {
	const account = {
		...emptyAccount,
		samples: falling,
		credits: { balance: 41.5 },
		signIn: {
			isSignedIn: true,
			at: now,
			email: 'the-owner-of-it-all-and-of-more@example.com',
		} as const,
	};
	const runway = { burnPerHour: 0.82, timeLeftMs: 50 * hour };
	const counts = createCountsSelector()([]);
	const badge = undefined;
	const line = titleLine({
		account,
		badge,
		counts,
		runway,
		isLowBandwidth: false,
		isReadOnly: false,
		now,
		width,
		theme,
	});
	expect(line.includes('▇')).toBe(isShown);
	expect(line).toContain('41.50');
	expect(stringWidth(line)).toBe(width);
});

test('the header says read-only at every width, and only for a read-only account', () => {
	for (const width of [120, 60, 30]) {
		for (const isReadOnly of [true, false]) {
			const line = titleLine({
				account: { ...emptyAccount, credits: { balance: 41.5 } },
				badge: undefined,
				isReadOnly,
				counts: createCountsSelector()([]),
				runway: null,
				isLowBandwidth: false,
				now,
				width,
				theme,
			});
			const text = stripVTControlCharacters(line);
			expect(text.startsWith(' crowsnest read-only '), String(width)).toBe(isReadOnly);
			expect(stringWidth(line)).toBe(width);
		}
	}
});

const phases = { active: 17, creating: 2, stopping: 1, stopped: 3, error: 1 };

const countsIn = (width: number, counts: Partial<Counts> = {}, frozenUntil?: number) =>
	countsLine({
		account: {
			...emptyAccount,
			contact: { since: now, lastAnswerAt: now },
			reads: { list: { answer: { askedAt: now, at: now } } },
			standings: {
				create: { limit: 5, spent: 0 },
				status: { limit: 60, spent: 41 },
				other: { limit: 30, spent: 22, ...(frozenUntil && { frozenUntil }) },
			},
		},
		badge: undefined,
		counts: { total: 24, phases, outdated: 3, ...counts },
		runway: null,
		isLowBandwidth: false,
		isReadOnly: false,
		now,
		width,
		theme,
	});

test('on a narrower screen, the header leaves out first the rate-limit gauges and then the words of the counts', () => {
	const words =
		'24 computers  ● 17 active  ◐ 2 creating  ◐ 1 stopping  ○ 3 stopped  ✖ 1 error  ↑ 3 updates';
	expect(countsIn(160)).toContain(words);
	expect(countsIn(160)).toContain('other 22/30');
	expect(countsIn(120)).toContain(words);
	expect(countsIn(120)).not.toContain('other');
	expect(countsIn(100)).toContain('24: ●17 ◐3 ○3 ✖1 ↑3');
	expect(countsIn(60)).toContain('24: ●17 ◐3 ○3 ✖1 ↑3');
	expect(countsIn(120, { outdated: 1, phases: {} })).toContain('↑ 1 update ');
});

test('a badge of more than 16 cells is cut with an ellipsis', () => {
	const asked = {
		account: emptyAccount,
		isReadOnly: false,
		counts: createCountsSelector()([]),
		runway: null,
		isLowBandwidth: false,
		now,
		width: 80,
		theme,
	};
	const titleWith = (text: string) =>
		stripVTControlCharacters(titleLine({ ...asked, badge: { text, colour: 'red' } }));
	expect(titleWith('replay environment')).toContain(' replay environm…  crowsnest');
	expect(titleWith('rec production01')).toContain(' rec production01  crowsnest');
});

test('the header says which rate limit is frozen at every width', () => {
	expect(countsIn(160, {}, now + 5000)).toContain('other 22/30 frozen');
	for (const width of [120, 100, 60])
		expect(countsIn(width, {}, now + 5000)).toContain('other frozen');
});

test('the header shows a dash as the number of computers until the list has been read', () => {
	const none = { total: 0, phases: {}, outdated: 0 };
	expect(countsIn(120, none)).toMatch(/^ 0 computers /);
	expect(countsIn(60, none)).toMatch(/^ 0: /);
	const account = { ...emptyAccount, reads: {} };
	const asked = { account, badge: undefined, counts: { ...none } };
	const look = { isReadOnly: false, runway: null, isLowBandwidth: false, now, theme };
	expect(countsLine({ ...asked, ...look, width: 120 })).toMatch(/^ – computers /);
	expect(countsLine({ ...asked, ...look, width: 60 })).toMatch(/^ –: /);
});
