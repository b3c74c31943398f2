import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { Change } from '../../../source/fleet/change.ts';
import { type Notice, refusalMessage } from '../../../source/screen/notice.ts';
import { initialScreen } from '../../../source/screen/screen.ts';
import { importantNews } from '../../../source/wording/frame/important-news.ts';
import { type FooterOptions, messageLine } from '../../../source/wording/frame/messages.ts';
import { countdownLine, type WaitLine } from '../../../source/wording/phrases/waiting-text.ts';
import { now } from '../../arbitraries/values.ts';
import { theme } from '../../sample-theme.ts';

const second = 1_000;
const wish = { key: 'k', operation: 'restart', computer: 'sb_1', name: 'atlas' };

function moveTo(to: 'failed' | 'settled', at: number, others: object = {}): Change {
	const message = to === 'failed' ? { message: 'disk quota exceeded' } : {};
	return { type: 'operationMoved', at, wish: { ...wish, ...others }, to, took: second, ...message };
}

const newsOf = (...changes: readonly Change[]) => importantNews({ changes }, new Set(), now);

function lineOf(
	notice: Notice,
	options: Partial<FooterOptions> = {},
	countdown?: WaitLine,
): string {
	const screen = { ...initialScreen(), notice };
	const line = messageLine(
		{ screen, keyContext: 'fleet', width: 120, now, theme, ...options },
		countdown,
		undefined,
		[],
		new Set(),
	);
	return stripVTControlCharacters(line).trim();
}

const noticeAt = (shownAt: number, others: Partial<Notice> = {}): Notice => ({
	text: 'T does nothing here · ? help',
	shownAt,
	...others,
});

const done = 'atlas: restarted by you';

test('the newest message wins, and leaves by itself', () => {
	const news = newsOf(moveTo('settled', now - second));
	const older = noticeAt(now - 2 * second);
	expect(lineOf(older, { news })).toBe(done);
	expect(lineOf(noticeAt(now), { news })).toBe(older.text);
	expect(newsOf(moveTo('settled', now - 8 * second))).toEqual([]);
	expect(lineOf(noticeAt(now - 8 * second))).toBe('');
});

const failure = {
	spans: [['✖ atlas: restart failed: disk quota exceeded', 'bad']],
	isFailure: true,
} as const;
const failureText = failure.spans[0][0];

test('a failure stands before the newest message, and is cut where both have no room', () => {
	const notice = noticeAt(now);
	const lineAt = (width: number) => lineOf(notice, { failure, width });
	expect(lineAt(120)).toBe(`${failureText}   ${notice.text}`);
	expect(lineAt(70)).toBe(`✖ atlas: restart failed: disk quota …   ${notice.text}`);
	expect(lineAt(40)).toBe(notice.text);
	expect(lineOf(noticeAt(now - 8 * second), { failure, width: 60 })).toBe(failureText);
});

test('a countdown stands before a failure, and is never cut for it', () => {
	const line = countdownLine('stop', 'zosma', running, now, {});
	const countdown = 'Stopping zosma in 4 s, Esc to cancel';
	const old = noticeAt(now - 8 * second);
	expect(lineOf(old, { failure }, line)).toBe(`${countdown}   ${failureText}`);
	expect(lineOf(old, { failure, width: 60 }, line)).toBe(countdown);
});

test('an outcome is not shown twice if the message tells it', () => {
	const news = newsOf(moveTo('settled', now - second));
	const notice = noticeAt(now, { text: 'port 80 of atlas: published', outcomeOf: 'k' });
	expect(lineOf(notice, { news })).toBe(notice.text);
});

test('the news has operations of this process and computers that failed, and leaves out batches and failures', () => {
	const at = now - second;
	const became = { type: 'statusChanged', at, notBefore: at, id: 'sb_2', name: 'draco' } as const;
	const operationsOf = (changes: readonly Change[]) =>
		newsOf(...changes).map(({ operation = 'computer' }) => operation);
	expect(operationsOf([{ ...became, from: 'active', to: 'error' }])).toEqual(['computer']);
	expect(operationsOf([{ ...became, from: 'active', to: 'stopped' }])).toEqual([]);
	expect(operationsOf([moveTo('settled', at), moveTo('failed', at)])).toEqual(['k']);
	expect(operationsOf([moveTo('settled', at, { batch: 'b' })])).toEqual([]);
	const ofAnotherPane = { ...moveTo('settled', at), pane: 7 } as Change;
	expect(operationsOf([ofAnotherPane])).toEqual([]);
});

const running = { type: 'grace', until: now + 4 * second } as const;
const refused = (what: string, why: string, advice = ''): Notice =>
	noticeAt(now, refusalMessage({ what, why, advice }));
const stopRefused = refused('Cannot restart ', 'zosma-21: its stop counts down');

test('a countdown becomes shorter where it would hide the refusal of a key', () => {
	const line = countdownLine('stop', 'zosma-21', running, now, {});
	const countdown = 'Stopping zosma-21 in 4 s, Esc to cancel';
	const lineAt = (width: number, notice = stopRefused) => lineOf(notice, { width }, line);
	expect(lineAt(120)).toBe(`${countdown}   ${stopRefused.text}`);
	expect(lineAt(80)).toBe(`Stopping in 4 s, Esc cancels   ${stopRefused.text}`);
	expect(lineAt(60)).toBe('Stopping in 4 s, Esc cancels   zosma-21: its stop counts …');
	expect(lineAt(50), 'too little is left of the refusal').toBe(countdown);
	expect(lineAt(30)).toBe('Stopp… in 4 s, Esc to cancel');
	const unbound = refused('', 'T does nothing here', ' · ? help');
	expect(lineAt(80, unbound)).toBe(`${countdown}   T does nothing here · ? help`);
	expect(lineAt(61, unbound)).toBe('Stopping in 4 s, Esc cancels   T does nothing here · ? help');
	expect(lineAt(60, unbound)).toBe('Stopping in 4 s, Esc cancels   T does nothing here');
	expect(lineAt(30, unbound)).toBe('Stopp… in 4 s, Esc to cancel');
	const copied = noticeAt(now, { text: 'Copied the address of zosma-21' });
	expect(lineAt(60, copied), 'no refusal').toBe(countdown);
});

test('beside a refusal, several countdowns say that Esc cancels them all', () => {
	const line = countdownLine('stop', 'zosma-21', running, now, { otherCount: 2 });
	const brief = 'Stopping in 4 s, Esc cancels all 3';
	expect(lineOf(stopRefused, { width: 80 }, line)).toBe(
		`${brief}   zosma-21: its stop counts down`,
	);
	const held = countdownLine('stop', 'zosma-21', { type: 'held', leftMs: 0 }, now, {});
	expect(lineOf(stopRefused, { width: 60 }, held)).toBe('Stopping zosma-21: on hold');
});

test('a refusal that is too long leaves out what the key cannot do, then the advice, and keeps the reason', () => {
	const notice = refused(
		'No request of yours failed here; ',
		'atlas is in error',
		': r restarts it',
	);
	const lineAt = (width: number) => lineOf(notice, { width });
	expect(lineAt(80)).toBe('No request of yours failed here; atlas is in error: r restarts it');
	expect(lineAt(60)).toBe('atlas is in error: r restarts it');
	expect(lineAt(30)).toBe('atlas is in error');
});

test('a message that is too long is cut before a word', () => {
	const text = 'Cannot update atlas and 3 more: already on 1.4.2, the latest; draco: in error';
	expect(lineOf(noticeAt(now, { text }), { width: 74 })).toBe(
		'Cannot update atlas and 3 more: already on 1.4.2, the latest; draco: in …',
	);
});

test('without a message, the line has the newest change of the fleet while it is new', () => {
	const change = moveTo('settled', now - second);
	const screen = initialScreen();
	const lineAfter = (later: number) =>
		stripVTControlCharacters(
			messageLine(
				{ screen, keyContext: 'fleet', width: 120, now: now + later, theme },
				undefined,
				undefined,
				[{ ...change, at: now - 2 * second }, change],
				new Set(),
			),
		).trim();
	expect(lineAfter(0)).toMatch(/^\d\d:\d\d atlas: restarted by you$/);
	expect(lineAfter(7 * second)).toBe('');
});
