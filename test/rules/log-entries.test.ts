import { describe, expect, test } from 'vitest';
import type { Change, OperationMove, StatusChange } from '../../source/fleet/change.ts';
import { logEntries, withNapsFolded } from '../../source/fleet/log-entries.ts';
import { textOf } from '../../source/lines/span.ts';
import { changesMatching, entrySpans } from '../../source/views/log.ts';
import { hour, now } from '../arbitraries/values.ts';

const second = 1_000;
const own = new Set(['me@example.com']);

const moved = (
	name: string,
	to: OperationMove['to'],
	at: number,
	more: Partial<OperationMove> & { batch?: string; operation?: string } = {},
): OperationMove => {
	const { batch, operation = 'stop', ...rest } = more;
	const wish = { key: `k-${name}`, operation, computer: `sb_${name}`, name, batch };
	const message = to === 'failed' ? 'disk quota' : undefined;
	return { type: 'operationMoved', at, wish, to, took: at - now, message, ...rest };
};

const became = (
	name: string,
	from: string | null,
	to: string | null,
	at: number,
	more: Partial<StatusChange> = {},
): StatusChange => ({
	type: 'statusChanged',
	at,
	notBefore: at,
	id: `sb_${name}`,
	name,
	from,
	to,
	...more,
});

const stopOf = (name: string, at: number, batch?: string): readonly Change[] => [
	moved(name, 'sent', at, { batch }),
	became(name, 'active', 'stopping', at + 2 * second),
	became(name, 'stopping', 'stopped', at + 9 * second),
	moved(name, 'settled', at + 9 * second, { batch }),
];

const batch = ['atlas', 'borealis', 'cygnus'].flatMap((name, at) =>
	stopOf(name, now + at * 10 * second, 'b1'),
);

function texts(changes: readonly Change[], width = 200): readonly string[] {
	const inOrder = changes.toSorted((a, b) => a.at - b.at);
	return logEntries(inOrder).map(entry => textOf(entrySpans('', entry, { own, width })));
}

describe('the changes that one thing causes are one entry', () => {
	const beforeIt = became('atlas', 'starting', 'active', now - second);
	const error = became('atlas', 'stopping', 'error', now + 5 * second);
	const later = became('atlas', 'stopped', 'starting', now + 20 * second);
	const asleep = [
		became('hydra', 'active', 'stopping', now - 5 * second, { lasted: 2 * hour }),
		became('hydra', 'stopping', 'stopped', now, { lasted: 5 * second, reason: 'asleep' }),
	];
	const awake = [
		became('hydra', 'stopped', 'starting', now - 6 * second, { lasted: hour }),
		became('hydra', 'starting', 'active', now, { lasted: 6 * second }),
	];
	const restart = [
		moved('atlas', 'sent', now, { operation: 'restart' }),
		became('atlas', 'active', 'restarting', now + 2 * second),
	];
	const cases: Readonly<Record<string, [readonly Change[], readonly string[]]>> = {
		'an operation': [stopOf('atlas', now), ['○ atlas: stopped by you in 9 s']],
		'what came before and after an operation, and each error, is an entry of its own': [
			[beforeIt, ...stopOf('atlas', now), error, later],
			[
				'◐ atlas: stopped → starting',
				'○ atlas: stopped by you in 9 s',
				'✖ atlas: stopping → error',
				'● atlas: starting → active',
			],
		],
		'an operation that has not ended': [restart, ['  atlas: restart requested']],
		'a stop that did not wait for its outcome': [
			[
				moved('atlas', 'sent', now),
				moved('atlas', 'sent', now + second, { isAccepted: true }),
				became('atlas', 'active', 'stopping', now + 2 * second),
				became('atlas', 'stopping', 'stopped', now + 9 * second),
				became('atlas', 'stopped', 'active', now + 60 * second),
			],
			['● atlas: stopped → active', '○ atlas: stopped by you in 9 s'],
		],
		'a stop whose computer broke down after it was accepted': [
			[
				moved('atlas', 'sent', now),
				moved('atlas', 'sent', now + second, { isAccepted: true }),
				became('atlas', 'active', 'error', now + 9 * second),
			],
			['✖ atlas: active → error', '  atlas: stopping'],
		],
		'a sleep': [asleep, ['○ hydra: active for 2 h → stopped (asleep)']],
		'an awakening': [awake, ['● hydra: stopped for 1 h → active']],
		'a stop that is no sleep has both its changes': [
			asleep.map(change => ({ ...change, reason: undefined })),
			['○ hydra: stopping → stopped in 5 s', '◐ hydra: active for 2 h → stopping'],
		],
		'a batch': [batch, ['○ you stopped 3 computers (atlas, borealis, cygnus) in 29 s']],
		'a batch with a failure': [
			batch.with(-1, moved('cygnus', 'failed', now + 29 * second, { batch: 'b1' })),
			[
				'✖ you stopped 2 of 3 computers (atlas, borealis) in 29 s, 1 failed',
				'○ cygnus: stopping → stopped',
				'◐ cygnus: active → stopping',
			],
		],
		'a batch that has not ended': [
			batch.slice(0, -2),
			['  stopping 3 computers (atlas, borealis, cygnus): 2 done, 1 under way'],
		],
		'a batch of someone else': [
			batch.map(change =>
				change.type === 'operationMoved' ? { ...change, who: 'norma@example.com' } : change,
			),
			['○ norma@example.com stopped 3 computers (atlas, borealis, cygnus) in 29 s'],
		],
		'a batch whose beginning the log no longer has': [
			batch.slice(3),
			['○ you stopped at least 3 computers (atlas, borealis, cygnus) in 29 s'],
		],
		'a batch of more computers than there is room to name': [
			['atlas', 'borealis', 'cygnus', 'draco'].flatMap(name => stopOf(name, now, 'b1')),
			['○ you stopped 4 computers (atlas, borealis, cygnus and 1 more) in 9 s'],
		],
	};
	test.each(Object.entries(cases))('%s', (_, [changes, expected]) => {
		expect(texts(changes)).toEqual(expected);
	});
});

test('each kind of change has its words', () => {
	const at = { at: now, notBefore: now };
	const cases: readonly [Change, text: string][] = [
		[became('nova', null, 'provisioning', now), '◐ nova is new: creating'],
		[became('nova', 'active', null, now), '– nova is gone'],
		[
			became('nova', 'active', 'error', now, { lasted: hour, error: 'disk quota' }),
			'✖ nova: active for 1 h → error: disk quota',
		],
		[
			became('nova', 'creating', 'error', now, { lasted: 9 * second }),
			'✖ nova: creating → error after 9 s',
		],
		[
			became('nova', 'active', 'stopped', now, { notBefore: now - hour, reason: 'credits' }),
			'○ nova: active → stopped (out of credits), some time after 07:00',
		],
		[became('nova', 'active', 'frozen', now), '? nova: active → frozen'],
		[
			moved('nova', 'unknown', now, { message: 'no answer' }),
			'? nova: stop outcome unknown: no answer',
		],
		[moved('nova', 'failed', now), '✖ nova: stop failed: disk quota'],
		[moved('nova', 'cancelled', now), '  nova: stop cancelled'],
		[moved('nova', 'sent', now, { isAccepted: true }), '  nova: stopping'],
		[{ type: 'toppedUp', ...at, from: 10, to: 60 }, '+ credits rose by 50.00 to 60.00'],
		[{ type: 'released', ...at, from: '1', to: '1.4.2' }, '↑ version 1.4.2 is out'],
		[
			{ type: 'hookFailed', ...at, hook: 'page', message: 'ended with code 1' },
			'✖ hook page ended with code 1',
		],
	];
	for (const [change, text] of cases) expect(texts([change])).toEqual([text]);
});

test('a narrow line leaves out the duration, then the names, then the uncertainty, then the beginning of an error', () => {
	const error = 'image pull failed: disk quota exceeded';
	const fell = became('cygnus', 'active', 'error', now, {
		lasted: 1.5 * hour,
		notBefore: now - hour,
		error,
	});
	const [whole = ''] = texts([fell]);
	const withoutTime = whole.replace(' for 1 h 30 min', '');
	const certain = withoutTime.replace(', some time after 07:00', '');
	const brief = certain.replace('image pull failed: ', '');
	const narrower = (text: string) => texts([fell], text.length - 1);
	expect(narrower(whole)).toEqual([withoutTime]);
	expect(narrower(withoutTime)).toEqual([certain]);
	expect(narrower(certain)).toEqual([brief]);
	expect(narrower(brief)).toEqual([`${brief.slice(0, -2)}…`]);
	expect(texts(batch, 55)).toEqual(['○ you stopped 3 computers (atlas, borealis, cygnus)']);
	expect(texts(batch, 40)).toEqual(['○ you stopped 3 computers']);
});

describe('the filter of the log', () => {
	const noon = new Date(2026, 10, 25, 12).getTime();
	const released = (at: number, to: string): Change => ({
		type: 'released',
		at,
		notBefore: at,
		from: '1',
		to,
	});
	// It is Wednesday noon, and last night ended at 8:00.
	const dated = [
		released(new Date(2026, 9, 3, 9).getTime(), 'd'),
		released(noon - 7 * 24 * hour, 'c'),
		released(noon - 24 * hour, 'b'),
		released(new Date(2026, 10, 24, 20).getTime(), 'n'),
		released(new Date(2026, 10, 25, 8).getTime(), 'm'),
		released(noon - hour, 'a'),
	];
	const mixed: readonly Change[] = [
		became('cygnus', 'running', 'stopped', noon),
		moved('eridanus', 'failed', noon, { who: 'norma@example.com' }),
		{ type: 'toppedUp', at: noon, notBefore: noon, from: 10, to: 60 },
	];
	test.each([
		['CYGNUS', 'statusChanged'],
		['running', 'statusChanged'],
		['sb_eridanus quota', 'operationMoved'],
		['sb_eridanus cygnus', ''],
		['norma@', 'operationMoved'],
		['stop -eridanus', 'statusChanged'],
		['kind:failure', 'operationMoved'],
		['who:you', ''],
		['-who:norma@example.com', 'statusChanged toppedUp'],
		['kind:credits OR kind:stop', 'operationMoved toppedUp'],
		['kind:top OR "active → stopped"', 'statusChanged'],
		['kind:=stat', ''],
	])('%s finds “%s”', (filter, found) => {
		const matching = changesMatching(mixed, filter, own, noon);
		expect(matching.map(({ type }) => type).join(' ')).toBe(found);
	});
	test.each([
		['since:8h', 'ma'],
		['-since:8h', 'dcbn'],
		['since:2d', 'bnma'],
		['on:tue', 'bn'],
		['on:wed', 'ma'],
		['on:yesterday', 'bn'],
		['on:10-03', 'd'],
		['on:2026-11-18', 'c'],
		['on:night', 'n'],
	])('%s selects by time', (filter, found) => {
		const matching = changesMatching(dated, filter, own, noon);
		expect(matching.map(change => (change.type === 'released' ? change.to : '')).join('')).toBe(
			found,
		);
	});
});

describe('computers that slept or woke with nothing else between', () => {
	const asleep = (name: string, at: number) =>
		became(name, 'active', 'stopped', at, { reason: 'asleep' });
	const awake = (name: string, at: number) =>
		became(name, 'stopped', 'active', at, { wasAsleep: true });
	const folded = (changes: readonly Change[]) =>
		withNapsFolded(logEntries(changes)).map(entry =>
			textOf(entrySpans('', entry, { own, width: 200 })),
		);
	const noon = new Date(2026, 10, 25, 12).getTime();
	const minutes = (count: number) => noon + count * 60 * second;
	const three = [asleep('hydra', noon), awake('kochab', minutes(1)), asleep('hydra', minutes(2))];

	test.each<[string, readonly Change[], readonly string[]]>([
		[
			'three of them are one line',
			three,
			['  2 computers slept or woke 3 times since 12:00 (hydra, kochab)'],
		],
		[
			'two are two',
			three.slice(1),
			['○ hydra: active → stopped (asleep)', '● kochab: asleep → active'],
		],
		[
			'anything else stays between them',
			[...three, became('atlas', 'active', 'error', minutes(3)), ...three.map(later)],
			[
				'  2 computers slept or woke 3 times since 12:10 (hydra, kochab)',
				'✖ atlas: active → error',
				'  2 computers slept or woke 3 times since 12:00 (hydra, kochab)',
			],
		],
		[
			'a stop that a person asked for is none',
			[...three.slice(1), became('hydra', 'active', 'stopped', minutes(5), { reason: 'asked' })],
			[
				'○ hydra: active → stopped',
				'○ hydra: active → stopped (asleep)',
				'● kochab: asleep → active',
			],
		],
	])('%s', (_, changes, lines) => {
		expect(folded(changes)).toEqual(lines);
	});

	function later(change: StatusChange): StatusChange {
		return { ...change, at: change.at + 600 * second, notBefore: change.at + 600 * second };
	}
});
