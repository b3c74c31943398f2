import fc from 'fast-check';
import type { Binding } from '../../../source/keys/binding.ts';
import { bindings } from '../../../source/keys/bindings.ts';
import { withOwnKeys } from '../../../source/keys/own-keys.ts';
import type { ChangeFate, ReadFate } from '../../operations/pretend-platform.ts';
import { unfinishedSequence, unknownSequence } from '../terminal-bytes.ts';

const own = (action: string, ...keys: readonly string[]) => ({ action, keys, line: undefined });

/** As it comes, and as somebody made it who would confirm with the very keys that ask. */
export const tables: readonly (readonly Binding[])[] = [
	bindings,
	bindings,
	withOwnKeys(bindings, [
		own('copyId', 'z'),
		own('copyAddress', 'Z'),
		own('stop', 'x', 'y'),
		own('restart', 'Y', 'r'),
	]),
	withOwnKeys(bindings, [own('copyId', 'z'), own('retry', 'y')]),
];

const allKeys = [
	...bindings.flatMap(({ keys }) => keys).filter(key => !['q', 'ctrl-c', 'ctrl-z'].includes(key)),
	...['y', 'y', 'Y', 'n', 'enter', 'escape', 'escape', 'space', 'backspace', '8', '0', 'A'],
];
const askingKeys = ['s', 'x', 'x', 'r', 'u', 'p', 'P', 'D', 'D', 'D', 'n', 'n', 'F', 'y', 'o', 'b'];
const fates: readonly ChangeFate[] = [
	...([400, 401, 402, 403, 404, 409, 429, 429, 500, 'cutBefore', 'cutAfter', 'hang'] as const),
];
const sizes = [
	[120, 30],
	[80, 20],
	[80, 20],
	[60, 14],
	[40, 10],
	[30, 6],
	[20, 5],
] as const;
const texts = ['atlas', 'y', 'delete 2', 'stop 2\n', 'atlas\nbox 1\n', '8080', 'sb_1\x1b[A'];

const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const place = fc.nat({ max: 7 });
const many = <T extends string>(what: T, times: number) =>
	Array.from({ length: times }, () => what);
const a = <const T extends string>(...what: readonly T[]) => fc.constantFrom(...what);
const soon = fc.constantFrom(1, 100, 299, 300, 300, 1_000, 1_000, 4_000, 6_000);
const later = fc.constantFrom(20_000, 20_000, 61_000, 61_000, 700_000, 3_700_000);
const by = fc.constantFrom(-3_600_000, -500, 500, 3_600_000);
const key = fc.constantFrom(...allKeys);
const asking = fc.constantFrom(...askingKeys);
const fate = fc.oneof(fc.constant('done' as const), fc.constantFrom(...fates));

const telling = fc.constantFrom<ReadFate>('answer', 'answer', 'answer', 'cut', 'hang', 401, 500);

/** A cover over what may be counting down, and how it is taken away. */
const over = fc.record({
	by: a(
		...many('quit', 2),
		...(['question', 'typed', 'port', 'create', 'pay', 'interrupt', 'signIn'] as const),
		...(['small', 'shell'] as const),
	),
	before: fc.constantFrom(0, 500, 3_000),
	during: fc.constantFrom(100, 400, 2_000, 20_000),
	end: a('escape', 'escape', 'n', 'y', 'stay'),
	after: fc.constantFrom(0, 1_000, 3_500, 5_000),
});
export type Over = typeof over extends fc.Arbitrary<infer T> ? T : never;

const junk = fc.oneof(
	often(
		5,
		unknownSequence.map(bytes => ({ bytes, isUnfinished: false })),
	),
	often(
		1,
		unfinishedSequence.map(bytes => ({ bytes, isUnfinished: true })),
	),
);
const stall = fc.constantFrom(0, 0, 100, 1_999);

const order = {
	do: a('order'),
	asking,
	down: place,
	marks: fc.constantFrom(0, 0, 0, 1, 2, 3),
	wait: fc.constantFrom(0, 100, 299, 300, 400, 400, 400),
	how: a(...many('comply', 5), ...many('over', 4), 'enter', 'paste', 'cover', 'keep', 'leave'),
	over,
};
const hold = {
	do: a('hold'),
	key: fc.oneof(key, asking),
	times: fc.integer({ min: 2, max: 8 }),
	wait: soon,
};

/** What may happen next to a person before the screen, or behind it. */
const step = fc.oneof(
	often(34, fc.record({ do: a('keys'), keys: fc.array(key, { minLength: 1, maxLength: 8 }) })),
	often(6, fc.record(hold)),
	often(40, fc.record(order)),
	often(12, fc.record({ do: a('comply', 'comply', 'comply', 'misname', 'clear') })),
	often(4, fc.record({ do: a('paste'), text: fc.constantFrom(...texts), pause: stall })),
	often(
		3,
		fc.record({ do: a('point'), kind: a('press', 'wheelDown'), x: fc.nat(40), y: fc.nat(12) }),
	),
	often(
		5,
		fc
			.record({ junk, at: fc.nat(12), pause: stall })
			.map(({ junk, ...how }) => ({ do: 'junk' as const, ...junk, ...how })),
	),
	often(
		6,
		over.map(how => ({ do: 'over' as const, ...how })),
	),
	often(2, fc.record({ do: a('suspend', 'resume') })),
	often(26, fc.record({ do: a('wait'), time: soon })),
	often(6, fc.record({ do: a('wait'), time: later })),
	often(3, fc.record({ do: a('jump'), by })),
	often(5, fc.record({ do: a('resize'), size: fc.constantFrom(...sizes) })),
	often(8, fc.record({ do: a('focus', 'lock', 'release', 'settle', 'settle', 'settle') })),
	often(10, fc.record({ do: a('remove', 'appear', 'appear'), place })),
	often(8, fc.record({ do: a('change', 'rename'), place, other: place })),
	often(9, fc.record({ do: a('fate'), fate })),
	often(5, fc.record({ do: a('tell'), telling })),
	often(1, fc.record({ do: a('quit', 'interrupt', 'kill') })),
);

export type Step =
	| (typeof step extends fc.Arbitrary<infer T> ? T : never)
	/** Fails unless the screen shows this text. */
	| { do: 'see'; text: string };

/** One sitting: who sits there, and what comes. */
export const sitting = fc.record({
	isReadOnly: fc.constantFrom(...Array.from({ length: 12 }, (_, at) => at === 11)),
	isSlow: fc.constantFrom(false, false, true),
	table: fc.nat({ max: tables.length - 1 }),
	steps: fc.array(step, { maxLength: 160, size: 'max' }),
});
