import fc from 'fast-check';
import { withKeyOverrides } from '../../../source/monitor/actions/dispatcher.ts';
import { actions } from '../../../source/monitor/actions/table.ts';
import type { Action } from '../../../source/views/scene.ts';
import { unfinishedSequence, unknownSequence } from '../../hostile/terminal-bytes.ts';

const own = (action: string, ...keys: readonly string[]) => ({
	action,
	keys,
	line: undefined,
});

/** The default actions, and two tables of actions in which `y`, `Y` or both open questions as well. */
export const actionTables: readonly (readonly Action[])[] = [
	actions,
	actions,
	withKeyOverrides(actions, [
		own('copyId', 'z'),
		own('copyAddress', 'Z'),
		own('stop', 'x', 'y'),
		own('restart', 'Y', 'r'),
	]),
	withKeyOverrides(actions, [own('copyId', 'z'), own('retry', 'y')]),
];

/** They stand here whole, with some that are free, so that a new key of the program does not choose other steps. */
const alphabet = `
	s x r u p P D n F j k down up pagedown pageup ctrl-f ctrl-b ctrl-d ctrl-u g G home end enter enter enter space space
	shift-down shift-up V a * / < > = o e E t v c m d w i 1 2 3 4 5 O J K tab shift-tab h l left right b f C L R : ?
	ctrl-l ctrl-y ctrl-r ctrl-p ctrl-n ctrl-a ctrl-e ctrl-w ctrl-k ctrl-left ctrl-right alt-left alt-right alt-b alt-f
	alt-d alt-backspace backspace delete y y y Y Y n escape escape escape 8 0 A`;
const allKeys = alphabet.trim().split(/\s+/);
/** Keys that open a question, some of them only in certain actions or states. */
const askingKeys = ['s', 'x', 'x', 'r', 'u', 'p', 'P', 'D', 'D', 'D', 'n', 'n', 'F', 'y', 'o', 'b'];
const changeFaults = ['throttle', 'unauthorized', '500', 'reset', 'lost', 'hang'] as const;
const readFaults = ['reset', 'hang', '500', 'unauthorized'] as const;
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

const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
/** A step with these parts, which comes as often as its weight says. */
const often = <T>(weight: number, parts: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) =>
	weighted(weight, fc.record(parts));
const place = fc.nat({ max: 7 });
const repeat = <T extends string>(value: T, times: number) =>
	Array.from({ length: times }, () => value);
const oneOf = <const T extends string>(...values: readonly T[]) => fc.constantFrom(...values);
const shortTime = fc.constantFrom(1, 100, 299, 300, 300, 1_000, 1_000, 4_000, 6_000);
const longTime = fc.constantFrom(20_000, 20_000, 61_000, 61_000, 700_000, 3_700_000);
const clockJump = fc.constantFrom(-3_600_000, -500, 500, 3_600_000);
const key = fc.constantFrom(...allKeys);
const askingKey = fc.constantFrom(...askingKeys);
/** Most reads are answered, and half of the changes. */
const fates = fc.oneof(
	often(2, { changes: fc.constantFrom(undefined, undefined, undefined, ...changeFaults) }),
	often(1, { reads: fc.constantFrom(undefined, undefined, undefined, ...readFaults) }),
);

/** A dialog, a small terminal or a suspension that covers countdowns, and how it ends. */
const cover = fc.record({
	by: oneOf(
		...repeat('quit', 2),
		...(['question', 'typed', 'port', 'create', 'pay', 'interrupt', 'signIn'] as const),
		...(['small', 'shell'] as const),
	),
	before: fc.constantFrom(0, 500, 3_000),
	during: fc.constantFrom(100, 400, 2_000, 20_000),
	end: oneOf('escape', 'escape', 'n', 'y', 'stay'),
	after: fc.constantFrom(0, 1_000, 3_500, 5_000),
});
export type CoverOptions = typeof cover extends fc.Arbitrary<infer T> ? T : never;

const coverCountdown = cover.map(how => ({ do: 'coverCountdown' as const, cover: how }));

const unknown = unknownSequence.map(bytes => ({ bytes, isUnfinished: false }));
const unfinished = unfinishedSequence.map(bytes => ({ bytes, isUnfinished: true }));
const junk = fc.oneof(weighted(5, unknown), weighted(1, unfinished));
const stall = fc.constantFrom(0, 0, 100, 1_999);
const feedJunk = fc
	.record({ junk, at: fc.nat(12), pause: stall })
	.map(how => ({ do: 'junk' as const, ...how }));

const beginOperation = {
	do: oneOf('beginOperation'),
	key: askingKey,
	down: place,
	marks: fc.constantFrom(0, 0, 0, 1, 2, 3),
	wait: fc.constantFrom(0, 100, 299, 300, 400, 400, 400),
	answer: oneOf(
		...repeat('confirm', 10),
		...repeat('coverCountdown', 8),
		...(['enter', 'enter', 'paste', 'paste', 'cover', 'cover'] as const),
		...(['confirmAndCancel', 'confirmAndCancel', 'confirmAndQuit'] as const),
	),
	cover,
};
const repeatKey = {
	do: oneOf('repeatKey'),
	key: fc.oneof(key, askingKey),
	times: fc.integer({ min: 2, max: 8 }),
	wait: shortTime,
};

/** Generates one step of a walk: something that a person does, or that happens elsewhere. */
const step = fc.oneof(
	often(34, { do: oneOf('keys'), keys: fc.array(key, { minLength: 1, maxLength: 8 }) }),
	often(6, repeatKey),
	often(40, beginOperation),
	often(12, { do: oneOf('confirm', 'confirm', 'confirm', 'typeWrongName', 'closeAll') }),
	often(4, { do: oneOf('paste'), text: fc.constantFrom(...texts), pause: stall }),
	often(3, {
		do: oneOf('useMouse'),
		kind: oneOf('press', 'wheelDown'),
		x: fc.nat(40),
		y: fc.nat(12),
	}),
	weighted(5, feedJunk),
	weighted(6, coverCountdown),
	often(2, { do: oneOf('suspend', 'resume') }),
	often(26, { do: oneOf('wait'), time: shortTime }),
	often(6, { do: oneOf('wait'), time: longTime }),
	often(3, { do: oneOf('jumpClock'), by: clockJump }),
	often(5, { do: oneOf('resize'), size: fc.constantFrom(...sizes) }),
	often(4, { do: oneOf('focus', 'lock', 'expireTokens') }),
	often(2, { do: oneOf('releaseVersion'), place }),
	often(10, { do: oneOf('remove', 'add', 'add'), place }),
	often(8, { do: oneOf('change', 'rename'), place, other: place }),
	often(14, { do: oneOf('setFates'), fates }),
	often(1, { do: oneOf('quit', 'interrupt') }),
);

export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Generates a walk: the options of the program, and the steps. */
export const randomWalk = fc.record({
	isReadOnly: fc.constantFrom(...Array.from({ length: 12 }, (_, at) => at === 11)),
	isSlow: fc.constantFrom(false, false, true),
	table: fc.nat({ max: actionTables.length - 1 }),
	steps: fc.array(step, { maxLength: 100, size: 'max' }),
});

export type RandomWalk = typeof randomWalk extends fc.Arbitrary<infer T> ? T : never;
