import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { Change } from '../../../source/fleet/change.ts';
import type { BatchProgress, Operation } from '../../../source/fleet/operations/operation.ts';
import { type Notice, refusalMessage } from '../../../source/screen/notice.ts';
import { initialScreen } from '../../../source/screen/screen.ts';
import { importantNews } from '../../../source/wording/frame/important-news.ts';
import { type FooterOptions, messageLine } from '../../../source/wording/frame/messages.ts';
import { countdownLine, type WaitLine } from '../../../source/wording/phrases/waiting-text.ts';
import { now } from '../../arbitraries/values.ts';
import { theme } from '../../sample-theme.ts';

const second = 1_000;
const wish = { key: 'k', operation: 'restart', computer: 'sb_1', name: 'atlas' };
const failed: Operation = {
	spec: wish,
	stage: 'failed',
	askedAt: now - 30 * second,
	hasPhaseChanged: false,
};

function moveTo(to: 'failed' | 'settled', at: number, others: object = {}): Change {
	const message = to === 'failed' ? { message: 'disk quota exceeded' } : {};
	return { type: 'operationMoved', at, wish: { ...wish, ...others }, to, took: second, ...message };
}

const newsOf = (...changes: readonly Change[]) =>
	importantNews({ changes, operations: new Map([[wish.key, failed]]) }, new Set(), now);

function lineOf(
	notice: Notice,
	options: Partial<FooterOptions> = {},
	countdown?: WaitLine,
): string {
	const screen = { ...initialScreen(), notice };
	const line = messageLine(
		{ screen, keyContext: 'fleet', width: 120, now, theme, ...options },
		countdown,
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

const failure = 'atlas: restart failed: disk quota exceeded';

test('an outcome that is newer than a message comes before it, and alone where only one has room', () => {
	const news = newsOf(moveTo('failed', now - second));
	const notice = noticeAt(now - 2 * second);
	expect(lineOf(notice, { news })).toBe(`${failure}   ${notice.text}`);
	expect(lineOf(notice, { news, width: 60 })).toBe(failure);
});

test('a message that is newer than an outcome waits until the outcome could be read', () => {
	const notice = noticeAt(now);
	const after = (seconds: number) =>
		lineOf(notice, { news: newsOf(moveTo('failed', now - seconds * second)), width: 60 });
	expect(after(2)).toBe(failure);
	expect(after(3)).toBe(notice.text);
	expect(lineOf(notice, { news: newsOf(moveTo('failed', now - 3 * second)) })).toBe(
		`${notice.text}   ${failure}`,
	);
	expect(newsOf(moveTo('failed', now - 8 * second))).toEqual([]);
});

test('a message that tells what a key has cancelled comes first at once, and after three seconds the newer comes first', () => {
	const text = 'Cancelled: stop borealis was not sent';
	const news = newsOf(moveTo('failed', now - second));
	const lineAfter = (seconds: number) =>
		lineOf(noticeAt(now - seconds * second, { text, outcomeOf: 'b' }), { news, width: 60 });
	expect(lineAfter(0)).toBe(text);
	expect(lineAfter(2)).toBe(text);
	expect(lineAfter(4)).toBe(failure);
});

test('an outcome is not shown twice if the message tells it', () => {
	const news = newsOf(moveTo('settled', now - second));
	const notice = noticeAt(now, { text: 'port 80 of atlas: published', outcomeOf: 'k' });
	expect(lineOf(notice, { news })).toBe(notice.text);
});

test('the news has operations of this process and computers that failed, and leaves out batches and what was dismissed', () => {
	const at = now - second;
	const became = { type: 'statusChanged', at, notBefore: at, id: 'sb_2', name: 'draco' } as const;
	const operationsOf = (changes: readonly Change[]) =>
		newsOf(...changes).map(({ operation = 'computer' }) => operation);
	expect(operationsOf([{ ...became, from: 'active', to: 'error' }])).toEqual(['computer']);
	expect(operationsOf([{ ...became, from: 'active', to: 'stopped' }])).toEqual([]);
	expect(operationsOf([moveTo('settled', at), moveTo('failed', at)])).toEqual(['k', 'k']);
	expect(operationsOf([moveTo('settled', at, { batch: 'b' })])).toEqual([]);
	expect(operationsOf([moveTo('failed', at, { key: 'dismissed' })])).toEqual([]);
	const ofAnotherPane = { ...moveTo('settled', at), pane: 7 } as Change;
	expect(operationsOf([ofAnotherPane])).toEqual([]);
});

test('a message about a cancelled batch is left out while the line of the batch says the same', () => {
	const counts = { waiting: 0, underWay: 0, checking: 0, done: 0, failed: 0, unknown: 0 };
	const shownBatch: BatchProgress = {
		...{ id: 'b1', operation: 'stop', total: 3, isOver: true, askedAt: now, endedAt: now },
		...{ failures: [], unknownOutcomes: [], skipped: [] },
		countsByState: { ...counts, cancelled: 3 },
	};
	const notice = noticeAt(now, { text: 'Cancelled: 3 operations were not sent', outcomeOf: 'b1' });
	expect(lineOf(notice, { shownBatch })).toBe('');
	expect(lineOf(notice, { shownBatch: { ...shownBatch, id: 'b2' } })).toBe(notice.text);
	const half = { ...counts, done: 1, cancelled: 2 };
	expect(lineOf(notice, { shownBatch: { ...shownBatch, countsByState: half } })).toBe(notice.text);
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

test('the line of activity says only once what happened twice within a minute', () => {
	const changes = [1, 2].map((count): Change => {
		const spec = { ...wish, key: `k${count}` };
		return { type: 'operationMoved', at: now, wish: spec, to: 'cancelled', took: second };
	});
	const screen = initialScreen();
	const line = messageLine(
		{ screen, keyContext: 'fleet', width: 120, now, theme },
		undefined,
		changes,
		new Set(),
	);
	expect(stripVTControlCharacters(line)).toMatch(/^ \d\d:\d\d atlas: restart cancelled *$/);
});
