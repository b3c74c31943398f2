import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import type { Change, OperationMove, StatusChange } from '../../../source/fleet/change.ts';
import { createLogLines, dayKeyOf } from '../../../source/wording/views/log-lines.ts';
import { logLineSpans } from '../../../source/wording/views/log-view.ts';
import { nothingUnderWay } from '../../../source/wording/views/under-way.ts';
import { hour, now } from '../../arbitraries/values.ts';
import { profileOf, rowId, testAccount } from '../../opened-account.ts';
import { theme } from '../../sample-theme.ts';

const second = 1_000;

const moved = (
	name: string,
	to: OperationMove['to'],
	at: number,
	batch?: string,
): OperationMove => ({
	type: 'operationMoved',
	at,
	wish: {
		key: `k-${name}`,
		operation: 'stop',
		computer: `sb_${name}`,
		name,
		...(batch && { batch }),
	},
	to,
	took: at - now,
	...(to === 'failed' && { message: 'disk quota' }),
});

const became = (name: string, from: string, to: string, at: number): StatusChange => ({
	type: 'statusChanged',
	...{ at, notBefore: at, id: `sb_${name}`, name, from, to },
});

const stopOf = (name: string, at: number, batch?: string): readonly Change[] => [
	moved(name, 'sent', at, batch),
	became(name, 'active', 'stopping', at + 2 * second),
	became(name, 'stopping', 'stopped', at + 9 * second),
	moved(name, 'settled', at + 9 * second, batch),
];

const newestFirst = (changes: readonly Change[]) => changes.toSorted((a, b) => b.at - a.at);
const profile = profileOf(testAccount);
const linesOf = (
	changes: readonly Change[],
	unfolded: readonly string[] = [],
	underWay = nothingUnderWay,
) => createLogLines()(newestFirst(changes), new Set(unfolded), dayKeyOf(now), underWay, profile);

/** What is under way after a change: what has begun, and has no later change that ends it. */
function underWayIn(changes: readonly Change[], at: number) {
	const idOf = (change: Change) =>
		change.type === 'operationMoved' ? [change.wish.batch ?? change.wish.key] : [];
	const later = new Set(changes.slice(at + 1).flatMap(idOf));
	const ids = changes
		.slice(0, at + 1)
		.flatMap(idOf)
		.filter(id => later.has(id));
	return { ...nothingUnderWay, ids: new Set(ids) };
}
const texts = (...options: Parameters<typeof linesOf>) =>
	linesOf(...options).lines.map(line =>
		logLineSpans(line, { own: new Set(['me@example.com']), now, width: 100, theme })
			.map(([text]) => text)
			.join('')
			.trim(),
	);

test('the log sums up an operation and the changes that it caused in one line', () => {
	expect(texts(stopOf('atlas', now))).toEqual(['08:00:09 ○ atlas: stopped by you in 9 s']);
});

test('the log keeps what happened to the computer before and after the operation, and every error', () => {
	const before = became('atlas', 'starting', 'active', now - second);
	const error = became('atlas', 'stopping', 'error', now + 5 * second);
	const later = became('atlas', 'stopped', 'starting', now + 20 * second);
	expect(texts([before, ...stopOf('atlas', now), error, later])).toEqual([
		'08:00:20 ◐ atlas: stopped → starting',
		'08:00:09 ○ atlas: stopped by you in 9 s',
		'08:00:05 ✖ atlas: stopping → error',
		'07:59:59 ● atlas: starting → active',
	]);
});

test('the log has one line for an operation that is under way, and lines for what it did not cause', () => {
	const requested = stopOf('atlas', now).slice(0, 2);
	expect(texts(requested)).toEqual(['08:00:00   atlas: stop requested']);
	const restarted = became('atlas', 'stopping', 'active', now + 3 * second);
	expect(texts([...requested, restarted])).toEqual([
		'08:00:03 ● atlas: stopping → active',
		'08:00:00   atlas: stop requested',
	]);
});

const batch = ['atlas', 'borealis', 'cygnus'].flatMap((name, at) =>
	stopOf(name, now + at * 10 * second, 'b1'),
);

test('the log sums up a batch in one line, which opens', () => {
	const summary = '08:00:29 ○ you stopped 3 computers (atlas, borealis, cygnus) in 29 s';
	expect(texts(batch)).toEqual([`${summary} ▸`]);
	expect(texts(batch, ['b1'])).toEqual([
		`${summary} ▾`,
		'08:00:29   ○ cygnus: stopped by you in 9 s',
		'08:00:19   ○ borealis: stopped by you in 9 s',
		'08:00:09   ○ atlas: stopped by you in 9 s',
	]);
});

test('the number of events never falls as operations proceed, and is the same for an open batch', () => {
	const earlier = became('vega', 'active', 'stopped', now - 25 * hour);
	const all = [earlier, ...batch, ...stopOf('draco', now + 40 * second)];
	const counts = all.map(
		(_, at) => linesOf(all.slice(0, at + 1), [], underWayIn(all, at)).eventCount,
	);
	expect(counts).toEqual([...counts].sort((a, b) => a - b));
	// What an operation or a batch has caused is part of it.
	expect(counts.at(-1)).toBe(3);
	expect(linesOf(all, ['b1']).eventCount).toBe(counts.at(-1));
	expect(linesOf(all, ['b1']).lines.length).toBeGreaterThan(linesOf(all).lines.length);
});

test('the log names another person who asked for a batch or an operation', () => {
	const others = batch.map(change =>
		change.type === 'operationMoved' ? { ...change, who: 'norma@example.com' } : change,
	);
	expect(texts(others, ['b1'])).toEqual([
		'08:00:29 ○ norma@example.com stopped 3 computers (atlas, borealis, cygnus) in 29 s ▾',
		'08:00:29   ○ cygnus: stopped by norma@example.com in 9 s',
		'08:00:19   ○ borealis: stopped by norma@example.com in 9 s',
		'08:00:09   ○ atlas: stopped by norma@example.com in 9 s',
	]);
});

test('the line of a batch counts what failed and what is still under way', () => {
	const failed = batch.with(-1, moved('cygnus', 'failed', now + 29 * second, 'b1'));
	expect(texts(failed)).toContain(
		'08:00:29 ✖ you stopped 2 of 3 computers (atlas, borealis) in 29 s, 1 failed ▸',
	);
	expect(texts(batch.slice(0, -1)).at(-1)).toBe(
		'08:00:20   stopping 3 computers (atlas, borealis, cygnus): 2 done, 1 under way ▸',
	);
});

test('the line of a batch names only the computers on which it was done', () => {
	const sent = ['atlas', 'borealis', 'cygnus', 'draco', 'eridanus'].map(name =>
		moved(name, 'sent', now, 'b1'),
	);
	const ended = (name: string, to: 'settled' | 'unknown' | 'failed') =>
		moved(name, to, now + 20 * second, 'b1');
	const unknown = ended('atlas', 'unknown');
	const three = [
		...sent.slice(0, 3),
		ended('borealis', 'settled'),
		ended('cygnus', 'settled'),
		unknown,
	];
	expect(texts(three)[0]).toContain(
		'you stopped 2 of 3 computers (cygnus, borealis) in 20 s, 1 unknown',
	);
	const names = ['borealis', 'cygnus', 'draco', 'eridanus'];
	const five = [...sent, ...names.map(name => ended(name, 'settled')), unknown];
	expect(texts(five)[0]).toContain('you stopped 4 of 5 computers (eridanus, draco …) in 20 s');
	const none = [...sent.slice(0, 2), ended('borealis', 'failed'), unknown];
	expect(texts(none)[0]).toContain('you stopped 0 of 2 computers in 20 s');
});

test('a batch that was cancelled before anything was sent is one line, which names two of its computers', () => {
	const cancelled = Array.from({ length: 1_500 }, (_, n) =>
		moved(`box${n}`, 'cancelled', now + 2 * second, 'b1'),
	);
	const line = '08:00:02   you cancelled stopping 1,500 computers (box1499, box1498 …)';
	expect(texts(cancelled)).toEqual([`${line} ▸`]);
	expect(texts(cancelled, ['b1'])).toContain('08:00:02     box1499: stop cancelled');
});

test('the line of a batch whose beginning the log no longer has says that it counts at least so many computers', () => {
	const kept = batch.slice(2);
	expect(texts(kept)).toContain(
		'08:00:29 ○ you stopped at least 3 computers (atlas, borealis, cygnus …) in 29 s ▸',
	);
	const earlier = became('vega', 'active', 'stopped', now - hour);
	expect(texts([earlier, ...batch]).join()).not.toContain('at least');
});

test('a narrow line of the log leaves out whole parts, and is cut only between words', () => {
	const textAt = (changes: readonly Change[], width: number) => {
		const { lines } = linesOf(changes);
		const line = lines.find(({ type }) => type === 'batch') ?? lines[0];
		const spans = line ? logLineSpans(line, { own: new Set(), now, width, theme }) : [];
		return spans.map(([text]) => text).join('');
	};
	const failed = batch.with(-1, moved('cygnus', 'failed', now + 29 * second, 'b1'));
	const all = ' 08:00:29 ✖ you stopped 2 of 3 computers (atlas, borealis) in 29 s, 1 failed ▸';
	expect(textAt(failed, all.length + 1)).toBe(all);
	expect(textAt(failed, all.length)).toBe(all.replace(' in 29 s', ''));
	expect(textAt(failed, 60)).toBe(' 08:00:29 ✖ you stopped 2 of 3 computers, 1 failed ▸');
	expect(textAt(failed, 48)).toBe(' 08:00:29 ✖ you stopped 2 of 3 computers, … ▸');
	const fell = { ...became('cygnus', 'active', 'error', now), lasted: 1.5 * hour };
	const seen = { ...fell, notBefore: now - hour, error: 'image pull failed: disk quota exceeded' };
	const reason = ' 08:00:00 ✖ cygnus: active → error: image pull failed: disk quota exceeded';
	const whole = reason.replace('active', 'active for 1 h 30 min');
	expect(textAt([seen], 120)).toBe(`${whole}, some time after 07:00`);
	expect(textAt([seen], 100)).toBe(`${reason}, some time after 07:00`);
	expect(textAt([seen], 80)).toBe(reason);
	expect(textAt([seen], 72)).toBe(reason.replace('image pull failed: ', ''));
	expect(textAt([seen], 54)).toBe(
		reason.replace('image pull failed: ', '').replace('exceeded', '…'),
	);
	for (let width = 20; width < 120; width += 1)
		for (const changes of [failed, [seen], batch])
			expect(stringWidth(textAt(changes, width))).toBeLessThan(width);
});

test('the log sets off the changes of each earlier day', () => {
	const yesterday = became('atlas', 'active', 'stopped', now - 9 * hour);
	const today = became('atlas', 'stopped', 'starting', now);
	expect(texts([yesterday, today])).toEqual([
		'08:00:00 ◐ atlas: stopped → starting',
		expect.stringMatching(/^─ Fri 2026-11-20 ─+$/),
		'23:00:00 ○ atlas: active → stopped',
	]);
});

test('a failure says why the computer is in error', () => {
	const [change] = linesOf([became('lyra', 'active', 'error', now - hour)]).lines;
	const reasonOf = () => 'disk quota exceeded';
	const options = { own: new Set<string>(), reasonOf, now, width: 80, theme };
	const text = change && logLineSpans(change, options).map(([part]) => part);
	expect(text?.join('')).toContain('lyra: active → error: disk quota exceeded');
});

test('the cursor passes over the days, opens batches and opens computers', () => {
	const yesterday = became('atlas', 'active', 'stopped', now - 9 * hour);
	const { choices } = linesOf([yesterday, ...batch]);
	expect(choices.map(({ line }) => line)).toEqual([0, 2]);
	expect(choices.map(({ opens }) => opens)).toEqual([
		{ type: 'parts' },
		{ type: 'computer', id: rowId('sb_atlas'), name: 'atlas' },
	]);
});

test('with several accounts, a line opens the computer of the account that it names', () => {
	const [work, lab] = [profileOf('work'), profileOf('lab')];
	const change = { ...became('atlas', 'active', 'stopped', now), name: 'lab/atlas' };
	const { choices } = createLogLines()(
		[change],
		new Set(),
		dayKeyOf(now),
		nothingUnderWay,
		work,
		lab,
	);
	expect(choices[0]?.opens).toMatchObject({ type: 'computer', id: expect.stringContaining('lab') });
});

test('the lines of ten thousand changes are composed only once', () => {
	const many = Array.from({ length: 10_000 }, (_, at) =>
		became(`c${at}`, 'active', 'stopped', now - at),
	);
	const logLinesOf = createLogLines();
	const unfolded = new Set<string>();
	const first = logLinesOf(many, unfolded, dayKeyOf(now), nothingUnderWay, profile);
	expect(logLinesOf(many, unfolded, dayKeyOf(now + second), nothingUnderWay, profile)).toBe(first);
	expect(logLinesOf([...many], unfolded, dayKeyOf(now), nothingUnderWay, profile)).not.toBe(first);
});

test('the log has a verb for a batch of an own command that this process does not know', () => {
	const moves = ['atlas', 'nova'].map((name): OperationMove => {
		const { wish, ...rest } = moved(name, 'settled', now, 'b1');
		return { ...rest, pane: 8079, wish: { ...wish, operation: 'command tool' } };
	});
	expect(texts(moves)[0]).toContain('you processed with tool 2 computers (nova, atlas)');
});

test('the log has one line for a computer that falls asleep, with how long it was active, and counts it once', () => {
	const asleep = (name: string, at: number): readonly Change[] => [
		{ ...became(name, 'active', 'stopping', at - 5 * second), lasted: 2 * hour },
		{ ...became(name, 'stopping', 'stopped', at), lasted: 5 * second, reason: 'asleep' },
	];
	const changes = [
		...asleep('hydra', now),
		...asleep('kochab', now + second),
		became('hydra', 'stopped', 'active', now + hour),
	];
	expect(texts(changes)).toEqual([
		'09:00:00 ● hydra: stopped → active',
		'08:00:01 ○ kochab: active for 2 h → stopped (asleep)',
		'08:00:00 ○ hydra: active for 2 h → stopped (asleep)',
	]);
	expect(linesOf(changes).eventCount).toBe(3);
});

test('the log has one line for a computer that wakes up, with how long it was stopped', () => {
	const begin = { ...became('hydra', 'stopped', 'starting', now - 6 * second), lasted: hour };
	const end = { ...became('hydra', 'starting', 'active', now), lasted: 6 * second };
	expect(texts([begin, end])).toEqual(['08:00:00 ● hydra: stopped for 1 h → active']);
	expect(texts([begin])).toEqual(['07:59:54 ◐ hydra: stopped for 1 h → starting']);
	expect(texts([end])).toEqual(['08:00:00 ● hydra: starting → active in 6 s']);
});

test('a stop for another reason, and a sleep whose beginning the filter left out, keep their lines', () => {
	const end = became('hydra', 'stopping', 'stopped', now);
	const begin = became('hydra', 'active', 'stopping', now - 5 * second);
	expect(texts([begin, end])).toHaveLength(2);
	expect(texts([{ ...end, reason: 'asleep' }])).toEqual([
		'08:00:00 ○ hydra: stopping → stopped (asleep)',
	]);
	const ofOther = { ...begin, name: 'lab/hydra' };
	expect(texts([ofOther, { ...end, name: 'work/hydra', reason: 'asleep' }])).toHaveLength(2);
});
