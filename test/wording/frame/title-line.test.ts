import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { createTheme } from '../../../source/drawing/theme.ts';
import { tabViews, views } from '../../../source/screen/view-table.ts';
import { type TitleOptions, titleLine } from '../../../source/wording/frame/title-line.ts';
import { amount, hour, maybe, now } from '../../arbitraries/values.ts';
import { readAccount, sampleHeader } from './sample-header.ts';

const account = {
	...readAccount,
	credits: { balance: 38.75 },
	signIn: { isSignedIn: true, at: now, email: 'owner@example.com' } as const,
	subscription: { plan: 'pro', planName: 'Pro' },
};
const runway = { burnPerHour: 0.9, timeLeftMs: 50 * hour };

const titleIn = (width: number, change: Partial<TitleOptions> = {}) =>
	stripVTControlCharacters(
		titleLine({ ...sampleHeader, account, runway, badge: undefined, width, ...change }).text,
	);

test('the first line shows the views with their keys, the account, and how long the credits last', () => {
	expect(titleIn(120)).toBe(
		'[1 Fleet] 2 Billing  3 Models  4 Versions  5 Log  owner@example.com · Pro         credits 38.75    −0.90/h  2 d 2 h left',
	);
});

test('on a narrower screen, the parts of the first line leave in a fixed order', () => {
	expect(titleIn(100)).toMatch(/5 Log {2}owner@\S+ +credits 38.75 +2 d 2 h left$/);
	expect(titleIn(80)).toMatch(/5 Log +credits 38.75 +2 d 2 h left$/);
	expect(titleIn(72)).toMatch(/5 Log +38.75 +2 d 2 h left$/);
	expect(titleIn(62)).toMatch(/5 Log +2 d 2 h left$/);
	expect(titleIn(60)).toMatch(/^\[1 Fleet\] 2 {2}3 {2}4 {2}5 +Pro +credits 38.75 +2 d 2 h left$/);
	expect(titleIn(50)).toMatch(/^\[1 Fleet\] 2 {2}3 {2}4 {2}5 +38.75 +2 d 2 h left$/);
	expect(titleIn(36)).toMatch(/^\[Fleet\] .*38.75 +2 d 2 h left$/);
	expect(titleIn(30)).toMatch(/^\[Fleet\] +(38.75 +)?2 d 2 h left$/);
	const badge = { text: 'demo', colour: undefined };
	expect(titleIn(80, { badge })).toMatch(/5 Log +demo +38.75 +2 d 2 h left$/);
});

test.each(tabViews)('the tab of the open view %s is marked without colours', view => {
	for (const width of [120, 60, 20])
		expect(titleIn(width, { view })).toMatch(new RegExp(`\\[(\\w )?${view}\\]`, 'i'));
});

test('the tab of the open view is inverse in a terminal with colours', () => {
	const colourful = createTheme({ colourBits: 4, background: 'dark', hasUnicode: true });
	expect(titleLine({ ...sampleHeader, theme: colourful, view: 'billing' }).text).toContain(
		'\x1b[36;7m 2 Billing \x1b[27;39m',
	);
});

test('a tab shows the key that the configuration sets for its view', () => {
	const bindings = sampleHeader.bindings.map(binding =>
		binding.action === 'log' ? { ...binding, keys: ['w'] } : binding,
	);
	expect(titleIn(120, { bindings })).toContain(' w Log ');
});

test('read-only and locked are shown at every width, and move no part of a screen of 80 columns', () => {
	for (const width of [120, 100, 80, 60, 30]) {
		const plain = titleIn(width);
		expect(plain).not.toMatch(/read-only|locked/);
		expect(titleIn(width, { isReadOnly: true })).toContain(' read-only ');
		const locked = titleIn(width, { isLocked: true });
		expect(locked).toContain(' locked ');
		if (width >= 80) expect(locked.indexOf('38.75')).toBe(plain.indexOf('38.75'));
	}
	const badge = { text: 'demo', colour: undefined };
	const [open, locked] = [titleIn(80, { badge }), titleIn(80, { badge, isLocked: true })];
	expect(locked.slice(0, locked.indexOf('demo'))).toBe(open.slice(0, open.indexOf('demo')));
});

test('a badge of more than 16 cells is cut with an ellipsis', () => {
	const titleWith = (text: string) => titleIn(120, { badge: { text, colour: 'red' } });
	expect(titleWith('replay environment')).toContain('  replay environm…  ');
	expect(titleWith('rec production01')).toContain('  rec production01  ');
});

test('credits that are used up or not known yet keep their slots', () => {
	const usedUp = { ...account, credits: { balance: 0, canRun: false } };
	expect(titleIn(120, { account: usedUp })).toMatch(/credits 0\.00 +−0\.90\/h +used up$/);
	const { credits: _, ...withoutCredits } = account;
	expect(titleIn(120, { account: withoutCredits })).not.toContain('credits');
});

const anyCredits = fc.record({ balance: amount, burnPerHour: amount, timeLeftMs: amount });

test('no part of the first line moves when a number changes', () => {
	fc.assert(
		fc.property(fc.integer({ min: 30, max: 200 }), maybe(anyCredits), (width, credits) => {
			const line = titleIn(width, {
				account: { ...readAccount, ...account, ...(credits && { credits }) },
				runway: credits ? { ...credits, timeLeftMs: credits.timeLeftMs * hour } : null,
			});
			const usual = titleIn(width);
			expect(stringWidth(line)).toBe(width);
			const start = usual.indexOf('credits');
			// Without a label, the word stands in the place of a time that is not known.
			if (start < 0) return;
			expect(line.slice(0, start - 9)).toBe(usual.slice(0, start - 9));
			if (credits) expect(line[start]).not.toBe(' ');
			if (credits) expect(line[start - 1]).toBe(' ');
		}),
	);
});

test('a burn rate that was measured for a short time is marked as an estimate, in the same slots', () => {
	const account = { ...readAccount, credits: { balance: 38.75 } };
	const burn = { burnPerHour: 0.9, timeLeftMs: 50.4 * hour };
	const lineOf = (runway: TitleOptions['runway']) =>
		stripVTControlCharacters(titleLine({ ...sampleHeader, account, runway }).text);
	expect(lineOf(burn)).toMatch(/credits 38\.75 +−0\.90\/h +2 d 2 h left$/);
	const estimate = lineOf({ ...burn, isEstimate: true });
	expect(estimate).toMatch(/credits 38\.75 +≈0\.90\/h +≈ 2 d left$/);
	expect(stringWidth(estimate)).toBe(stringWidth(lineOf(burn)));
});

test('nothing moves when a view without a tab opens', () => {
	const subscription = { plan: 'pro', planName: 'Pro' };
	const account = { ...readAccount, subscription, credits: { balance: 38.75 } };
	const badge = { text: 'demo', colour: undefined };
	for (let width = 60; width < 200; width += 1) {
		const lineOf = (view: TitleOptions['view']) =>
			stripVTControlCharacters(titleLine({ ...sampleHeader, account, badge, view, width }).text);
		const [log, output] = [lineOf('log'), lineOf('output')];
		expect(stringWidth(output)).toBe(width);
		for (const part of ['demo', 'Pro', 'credits', ' left'])
			expect(output.indexOf(part), `${part} at ${width}`).toBe(log.indexOf(part));
	}
});

test('the credits stand beside their label or the time that they last, and the time stays longest', () => {
	for (const badge of [undefined, { text: 'demo', colour: undefined }])
		for (const view of views)
			for (let width = 20; width < 200; width += 1) {
				const line = titleIn(width, { view, badge });
				if (line.includes('38.75')) expect(line, `${view} at ${width}`).toContain('2 d 2 h left');
			}
	for (let width = 30; width < 200; width += 1) expect(titleIn(width)).toMatch(/2 d 2 h left$/);
	expect(titleIn(80, { runway: null })).toMatch(/credits 38.75 +$/);
	expect(titleIn(72, { runway: null })).toMatch(/38.75 +credits$/);
	expect(titleIn(62, { runway: null })).toMatch(/ 38.75 left$/);
});

const states: readonly Partial<TitleOptions>[] = [{}, { isReadOnly: true }, { isLocked: true }];

test.each(views)('no width hides the badge or the warning in the view %s', view => {
	for (let width = 30; width < 130; width += 1) {
		for (const state of states) {
			const at = `${JSON.stringify(state)} at ${width}`;
			const badge = { text: 'demo', colour: undefined };
			const line = titleIn(width, { view, badge, ...state });
			expect(stringWidth(line), at).toBe(width);
			expect(line, at).toContain(' demo ');
			if (state.isReadOnly) expect(line, at).toContain(' read-only ');
			if (state.isLocked) expect(line, at).toContain(' locked ');
			// A long badge is cut only where it would hide the name of the view.
			const long = titleIn(width, { view, badge: { text: 'production', colour: 'red' }, ...state });
			expect(stringWidth(long), at).toBe(width);
			expect(long, at).toMatch(width < 40 ? / p(?:r?[a-z]*…|roduction) / : / production /);
			if (tabViews.includes(view)) expect(long.toLowerCase(), at).toContain(view);
		}
	}
});

test('several accounts keep their badges in every view', () => {
	const profiles = ['work', 'lab', 'home'].map(name => ({
		account: name,
		name,
		shortName: name,
		isReadOnly: false,
		isProduction: false,
	}));
	for (const view of views)
		for (let width = 40; width < 130; width += 1) {
			const line = titleIn(width, { view, profiles });
			expect(line).toMatch(width < 120 ? / 3 accounts / : / work .* lab .* home /);
		}
});
