import { describe, expect, test } from 'vitest';
import type { Credits } from '../../source/fleet/computers/account.ts';
import { operationIds, operationRowOf } from '../../source/fleet/operations/operation-table.ts';
import { joinedParts, partsThatFit } from '../../source/lines/parts.ts';
import { plainTexts } from '../../source/lines/print.ts';
import { textOf } from '../../source/lines/span.ts';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import { billing } from '../../source/views/billing.ts';
import { footerLines } from '../../source/views/frame/footer.ts';
import { headerLines } from '../../source/views/frame/header.ts';
import { alarmRules } from '../../source/views/frame/rules.ts';
import { initialScreen } from '../../source/views/look/screen.ts';
import { waitParts } from '../../source/views/phrases/waiting.ts';
import { accountAfter, fact, listRead, operationFacts } from '../arbitraries/sample-facts.ts';
import { now } from '../arbitraries/values.ts';
import { profileOf } from '../opened-account.ts';
import { sampleScene } from './sample-scene.ts';

const wait = { type: 'countdown', until: now + 4_000 } as const;

test.each(operationIds().filter(id => operationRowOf(id).subject !== 'account'))(
	'a countdown of %s says its seconds and its key in 28 cells, however many there are',
	operation => {
		for (const otherCount of [0, 1, 20]) {
			const parts = waitParts(operation, 'a-computer-with-a-long-name', wait, now, { otherCount });
			for (let width = 28; width < 120; width += 1) {
				const text = textOf(joinedParts(partsThatFit(parts, width, '')));
				expect(text.length).toBeLessThanOrEqual(width);
				expect(text).toMatch(
					otherCount === 0 ? /^\w+.* in 4 s.*, Esc/ : /\bin 4 s.*, Esc cancels (both|all 21)/,
				);
			}
		}
	},
);

const accountWith = (credits: Credits) =>
	accountAfter(
		listRead(now, [{ id: 'sb_1', name: 'atlas', status: 'active' }]),
		fact(now, { type: 'answered', read: 'credits', answer: credits }),
	);
const account = accountWith({ balance: 38.75 });

test.each([
	['of this run counts since its last answer', 5_000, '50 s', '08:00:00'],
	['after an earlier run counts since the first read that failed', undefined, '6 s', '08:00:00'],
])('an outage %s, and says when the rows were true', (_, every, duration, truth) => {
	const failure = createFailure('offline', 'nothing answers at that address');
	const failed = fact(now + 50_000, { type: 'readFailed', read: 'list', failure });
	const computers = [{ id: 'sb_1', name: 'atlas', status: 'active' }];
	const told = { ...listRead(now, computers), ...(every && { every }) };
	const state = accountAfter(told, { ...failed, askedAt: now + 44_000 });
	const [rule = []] = alarmRules({ ...sampleScene(state), now: now + 50_000 });
	expect(textOf(rule)).toContain(`OFFLINE for ${duration} · what you see was true at ${truth}`);
});

describe('the header', () => {
	test('fits at every width, and keeps the open view and the state of the connection', () => {
		for (let width = 30; width <= 200; width += 1) {
			const [title = [], counts = []] = headerLines(sampleScene(account, [width, 24])).map(textOf);
			expect([title, counts].map(line => line.length)).toEqual([width, width]);
			expect(title).toContain('1 Fleet');
			expect(counts).toContain('0 s ago');
		}
	});

	test('says how long the credits last rather than how many there are', () => {
		const runway = { burnPerHour: 0.9, timeLeftMs: 180_000_000 };
		const titleIn = (width: number) =>
			textOf(headerLines(sampleScene(account, [width, 24], { runway }))[0] ?? []);
		expect(titleIn(120)).toMatch(/credits 38\.75 +−0\.90\/h +2 d 2 h left$/);
		expect(titleIn(60)).toMatch(/2 d 2 h left$/);
		expect(titleIn(30)).toMatch(/^ 1 Fleet .*2 d 2 h left$/);
	});
});

test('while it records, the header of a usual account says its e-mail beside the money, also with the name of the profile', () => {
	const runway = { burnPerHour: 0.91, timeLeftMs: 277_200_000 };
	const signedIn = accountAfter(
		...[listRead(now, []), fact(now, { type: 'signInTried', email: 'owner@example.com' })],
		fact(now, { type: 'answered', read: 'credits', answer: { balance: 71.03 } }),
		fact(now, { type: 'answered', read: 'subscription', answer: { plan: 'pro', planName: 'Pro' } }),
	);
	const badge = { text: 'rec', colour: 'red' };
	const profiles = [profileOf('demo')];
	const scene = sampleScene(signedIn, [120, 36], { runway, badge, profiles });
	expect(textOf(headerLines(scene)[0] ?? [])).toMatch(
		/ rec +demo +owner@example\.com · Pro +71\.03 −0\.91\/h 3 d 5 h left$/,
	);
	// Without room for the e-mail, the word "credits" stays.
	const narrow = sampleScene(signedIn, [104, 36], { runway, badge, profiles });
	expect(textOf(headerLines(narrow)[0] ?? [])).toMatch(
		/ rec +demo +Pro +credits 71\.03 −0\.91\/h 3 d 5 h left$/,
	);
});

test('credits that run no computer are said in the header and in the billing view', () => {
	const scene = sampleScene(accountWith({ balance: 0.1, canRun: false }), [120, 36]);
	expect(textOf(headerLines(scene)[0] ?? [])).toMatch(/credits 0\.10 +used up/);
	expect(plainTexts(billing.lines(scene)).join('\n')).toContain('too few to run a computer');
});

describe('the footer', () => {
	const footerIn = (columns: number, rows: number, changes = {}) => {
		const scene = sampleScene(account, [columns, rows], changes);
		return footerLines(scene).map(textOf);
	};

	test('keeps the keys for help and for quitting at every width', () => {
		for (let width = 30; width <= 160; width += 1) {
			const [, keys = ''] = footerIn(width, 24);
			expect(keys).toHaveLength(width);
			expect(keys).toMatch(/\? help {2}q quit/);
		}
	});

	const notice = { why: 'Copied sb_1', shownAt: now };
	const screen = { ...initialScreen(), notice };

	test('shows a message in the line above the keys for eight seconds', () => {
		const lineAt = (at: number) => footerIn(120, 24, { screen, now: at })[0];
		expect(lineAt(now)).toMatch(/Copied sb_1/);
		expect(lineAt(now + 8_000)).toMatch(/^ *$/);
	});

	test('shows a failure until a person acts, but for eight seconds where there is one line', () => {
		const spec = { key: 'k1', operation: 'stop', computer: 'sb_1' };
		const facts = operationFacts(spec, { sent: now, failed: now });
		const failed = accountAfter(listRead(now, [{ id: 'sb_1', name: 'atlas' }]), ...facts);
		const footerAt = (rows: number, at: number) =>
			footerLines(sampleScene(failed, [80, rows], { now: at }))
				.map(textOf)
				.join('');
		expect(footerAt(24, now + 60_000)).toContain('✖');
		expect(footerAt(8, now + 7_999)).toContain('✖');
		expect(footerAt(8, now + 8_000)).not.toContain('✖');
	});

	test('shows a message in the place of the keys where there is one line', () => {
		const lines = footerIn(60, 8, { screen });
		expect(lines).toHaveLength(1);
		expect(lines[0]).toContain('Copied sb_1');
	});
});
