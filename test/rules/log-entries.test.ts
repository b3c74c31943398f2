import { expect, test } from 'vitest';
import {
	type Change,
	failuresTerm,
	type OperationMove,
	type StatusChange,
} from '../../source/fleet/change.ts';
import { entryIdOf, logEntries, withNapsFolded } from '../../source/fleet/log-entries.ts';
import { textOf } from '../../source/lines/span.ts';
import { changesMatching, log } from '../../source/views/log.ts';
import { initialScreen } from '../../source/views/look/screen.ts';
import { entrySpans } from '../../source/views/phrases/entry.ts';
import { accountAfter, listRead } from '../arbitraries/sample-facts.ts';
import { hour, now } from '../arbitraries/values.ts';
import { second } from '../durations.ts';
import { sampleScene } from './sample-scene.ts';

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

const restarting = became('atlas', 'active', 'restarting', now + 2 * second);
const asleep = [
	became('hydra', 'active', 'stopping', now - 5 * second, { lasted: 2 * hour }),
	became('hydra', 'stopping', 'stopped', now, { lasted: 5 * second, reason: 'asleep' }),
];
const awake = [
	became('hydra', 'stopped', 'starting', now - 6 * second, { lasted: hour }),
	became('hydra', 'starting', 'active', now, { lasted: 6 * second }),
];
const accepted = [
	moved('atlas', 'sent', now),
	moved('atlas', 'sent', now + second, { isAccepted: true }),
];

test.each<[title: string, changes: readonly Change[], ...texts: string[]]>([
	[
		'what came before and after an operation, and each error, is an entry of its own',
		[
			became('atlas', 'starting', 'active', now - second),
			...stopOf('atlas', now),
			became('atlas', 'stopping', 'error', now + 5 * second),
			became('atlas', 'stopped', 'starting', now + 20 * second),
		],
		'◐ atlas: stopped → starting',
		'○ atlas: stopped by you in 9 s',
		'✖ atlas: stopping → error',
		'● atlas: starting → active',
	],
	[
		'an operation that has not ended',
		[moved('atlas', 'sent', now, { operation: 'restart' }), restarting],
		'  atlas: restart requested',
	],
	[
		'an operation whose end nobody logged',
		[
			moved('atlas', 'sent', now, { operation: 'restart' }),
			became('atlas', 'active', 'restarting', now + 2 * second),
			became('atlas', 'restarting', 'active', now + 9 * second),
			became('atlas', 'active', 'stopping', now + 60 * second),
		],
		'◐ atlas: active → stopping',
		'● atlas: restarting → active',
		'  atlas: restart requested',
	],
	[
		'a stop that did not wait for its outcome',
		[
			...accepted,
			became('atlas', 'active', 'stopping', now + 2 * second),
			became('atlas', 'stopping', 'stopped', now + 9 * second),
			became('atlas', 'stopped', 'active', now + 60 * second),
		],
		'● atlas: stopped → active',
		'○ atlas: stopped by you in 9 s',
	],
	[
		'a stop whose computer broke down after it was accepted',
		[...accepted, became('atlas', 'active', 'error', now + 9 * second)],
		'✖ atlas: active → error',
		'  atlas: stopping',
	],
	['an awakening', awake, '● hydra: stopped for 1 h → active'],
	[
		'a stop that is no sleep has both its changes',
		asleep.map(change => ({ ...change, reason: undefined })),
		'○ hydra: stopping → stopped in 5 s',
		'◐ hydra: active for 2 h → stopping',
	],
	['a batch', batch, '○ you stopped 3 computers (atlas, borealis, cygnus) in 29 s'],
	[
		'a batch with a failure',
		batch.with(3, moved('atlas', 'failed', now + 9 * second, { batch: 'b1' })),
		'✖ you stopped 2 of 3 computers (borealis, cygnus) in 29 s, 1 failed',
		'○ atlas: stopping → stopped',
		'◐ atlas: active → stopping',
	],
	[
		'a batch that has not ended',
		batch.slice(0, -2),
		'  stopping 3 computers (atlas, borealis, cygnus): 2 done, 1 under way',
	],
	[
		'a batch whose beginning the log no longer has',
		batch.slice(3),
		'○ you stopped at least 3 computers (atlas, borealis, cygnus) in 29 s',
	],
])('one entry has the changes that one thing causes: %s', (_, changes, ...expected) => {
	expect(texts(changes)).toEqual(expected);
});

const at = { at: now, notBefore: now };

test.each<[text: string, Change]>([
	[
		'✖ nova: active for 1 h → error: disk quota',
		became('nova', 'active', 'error', now, { lasted: hour, error: 'disk quota' }),
	],
	[
		'○ nova: active → stopped (out of credits), some time after 07:00',
		became('nova', 'active', 'stopped', now, { notBefore: now - hour, reason: 'credits' }),
	],
	['? nova: active → frozen', became('nova', 'active', 'frozen', now)],
	['  nova: stopping', moved('nova', 'sent', now, { isAccepted: true })],
	['✖ credits of lab are low', { type: 'accountNoted', ...at, event: 'creditsLow', name: 'lab' }],
	['✖ hook page ended', { type: 'hookFailed', ...at, hook: 'page', message: 'ended' }],
])('“%s” is how a change is told', (text, change) => {
	expect(texts([change])).toEqual([text]);
});

test('what two accounts note at once are entries of their own', () => {
	const note = { type: 'accountNoted', at: now, notBefore: now } as const;
	const changes = (['work', 'lab'] as const).flatMap(name => [
		{ ...note, name, event: 'accountDown' as const },
		{ ...note, name, event: 'creditsLow' as const },
	]);
	expect(new Set(logEntries(changes).map(entryIdOf)).size).toBe(4);
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

const noon = new Date(2026, 10, 25, 12).getTime();

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
])('the filter %s finds “%s”', (filter, found) => {
	const changes: readonly Change[] = [
		became('cygnus', 'running', 'stopped', noon),
		moved('eridanus', 'failed', noon, { who: 'norma@example.com' }),
		{ type: 'toppedUp', at: noon, notBefore: noon, from: 10, to: 60 },
	];
	const matching = changesMatching(changes, filter, own, noon);
	expect(matching.map(({ type }) => type).join(' ')).toBe(found);
});

// It is Wednesday noon, and last night ended at 8:00.
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
])('the filter %s selects “%s” by time', (filter, found) => {
	const times = {
		d: new Date(2026, 9, 3, 9).getTime(),
		c: noon - 7 * 24 * hour,
		b: noon - 24 * hour,
		n: new Date(2026, 10, 24, 20).getTime(),
		m: new Date(2026, 10, 25, 8).getTime(),
		a: noon - hour,
	};
	const changes = Object.entries(times).map(([to, at]): Change => {
		return { type: 'released', at, notBefore: at, from: '1', to };
	});
	const matching = changesMatching(changes, filter, own, noon);
	expect(matching.map(change => 'to' in change && change.to).join('')).toBe(found);
});

test('the title of the log counts the lines that an export has, and the failures that its filter shows', () => {
	const down = { type: 'accountNoted', at: noon, notBefore: noon, event: 'accountDown' } as const;
	const hook = { type: 'hookFailed', at: noon, notBefore: noon, hook: 'h', message: 'm' } as const;
	const lost = moved('atlas', 'unknown', noon);
	const changes = [
		...stopOf('nova', noon - hour),
		became('hydra', 'active', 'error', noon),
		down,
		hook,
		lost,
	];
	const countsWith = (filter: string) => {
		const screen = { ...initialScreen(), view: 'log' as const };
		const filters = { ...screen.filters, log: filter };
		const scene = sampleScene(accountAfter(listRead(noon, [])), undefined, {
			changes,
			screen: { ...screen, filters },
		});
		return [textOf(log.title(scene)[1] ?? []), log.records(scene).length];
	};
	expect(countsWith('')).toEqual([' 5 lines, 4 failed ', 5]);
	expect(countsWith(failuresTerm)).toEqual([' 4 lines ', 4]);
});

const fellAsleep = (name: string, minutes: number) =>
	became(name, 'active', 'stopped', noon + minutes * 60 * second, { reason: 'asleep' });
const wokeUp = (name: string, minutes: number) =>
	became(name, 'stopped', 'active', noon + minutes * 60 * second, { wasAsleep: true });
const naps = (from: number) => [
	fellAsleep('hydra', from),
	wokeUp('kochab', from + 1),
	fellAsleep('hydra', from + 2),
];

test.each<[title: string, changes: readonly Change[], ...texts: string[]]>([
	['three are one', naps(0), '  2 computers slept or woke 3 times since 12:00 (hydra, kochab)'],
	[
		'two are two',
		naps(0).slice(1),
		'○ hydra: active → stopped (asleep)',
		'● kochab: asleep → active',
	],
	[
		'anything else stays between them',
		[...naps(0), became('atlas', 'active', 'error', noon + 180 * second), ...naps(10)],
		'  2 computers slept or woke 3 times since 12:10 (hydra, kochab)',
		'✖ atlas: active → error',
		'  2 computers slept or woke 3 times since 12:00 (hydra, kochab)',
	],
	[
		'a stop that a person asked for is none',
		[
			...naps(0).slice(1),
			became('hydra', 'active', 'stopped', noon + 300 * second, { reason: 'asked' }),
		],
		'○ hydra: active → stopped',
		'○ hydra: active → stopped (asleep)',
		'● kochab: asleep → active',
	],
])('computers that slept or woke with nothing else between: %s', (_, changes, ...expected) => {
	const folded = withNapsFolded(logEntries(changes));
	expect(folded.map(entry => textOf(entrySpans('', entry, { own, width: 200 })))).toEqual(expected);
});
