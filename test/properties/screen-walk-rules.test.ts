import { describe, expect, test } from 'vitest';
import type { CoverOptions, Step } from './screen-walk/steps.ts';
import { type WalkCounts, walkThrough } from './screen-walk/walk.ts';

type Order = Extract<Step, { do: 'order' }>;
type Rule = {
	title: string;
	steps: readonly Step[];
	/** The number of requests that the platform receives. */
	requests: number;
	/** The situations that the walk must meet; a walk without them tests nothing. */
	meets: readonly (keyof WalkCounts)[];
	isReadOnly?: boolean;
	/** The table of bindings; in table 2, `y` and `Y` open questions. */
	table?: number;
};

const shortResize: CoverOptions = { by: 'small', before: 0, during: 100, end: 'stay', after: 0 };

const order = (asking: string, how: Order['how'], over = shortResize): Step => ({
	...{ do: 'order', asking, down: 0, marks: 0, wait: 400, how, over },
});
const early = (asking: string, how: Order['how']): Step => ({ ...orderOf(asking, how), wait: 299 });
const orderOf = (asking: string, how: Order['how']) => order(asking, how) as Order;
const press = (...keys: readonly string[]): Step => ({ do: 'keys', keys: [...keys] });
const wait = (time: Extract<Step, { do: 'wait' }>['time']): Step => ({ do: 'wait', time });
const see = (text: string): Step => ({ do: 'see', text });
const junk = (bytes: string): Step => ({
	...{ do: 'junk', bytes, at: 3, pause: 100, isUnfinished: false },
});
const paste = (text: string): Step => ({ do: 'paste', text, pause: 100 });

const countdowns: readonly Rule[] = [
	...(
		[
			['question', 'a question'],
			['typed', 'a typed confirmation'],
			['port', 'a question about a port'],
			['pay', 'a payment question'],
			['quit', 'the quit dialog'],
			['interrupt', 'the quit dialog of Ctrl-C'],
			['small', 'a terminal that is too small'],
			['shell', 'a suspension'],
		] as const
	).map(
		([by, cover]): Rule => ({
			title: `is held by ${cover}, and starts from its full time afterwards`,
			steps: [
				order('x', 'over', { by, before: 3_000, during: 20_000, end: 'escape', after: 3_500 }),
				wait(20_000),
			],
			requests: 1,
			meets: ['held'],
		}),
	),
	{
		title: 'is held by the sign-in dialog, and starts from its full time afterwards',
		steps: [
			{ do: 'tell', telling: 401 },
			wait(61_000),
			order('x', 'comply'),
			press('l'),
			see('Sign in'),
			wait(20_000),
			{ do: 'tell', telling: 'answer' },
			press('p', 'enter'),
			wait(20_000),
		],
		requests: 1,
		meets: ['held', 'signedOut'],
	},
	{
		title: 'stays held by a dialog while the terminal is suspended',
		steps: [
			order('x', 'over', { by: 'quit', before: 0, during: 100, end: 'stay', after: 0 }),
			{ do: 'suspend' },
			wait(20_000),
			{ do: 'resume' },
			wait(20_000),
		],
		requests: 0,
		meets: ['held'],
	},
	{
		title: 'continues when Esc closes the dialog over it',
		steps: [
			order('x', 'over', { by: 'question', before: 0, during: 400, end: 'escape', after: 0 }),
			wait(20_000),
		],
		requests: 1,
		meets: ['escapes', 'held'],
	},
	{
		title: 'is cancelled by a second Esc after the first has closed the dialog',
		steps: [
			order('x', 'over', { by: 'question', before: 0, during: 400, end: 'escape', after: 0 }),
			press('escape'),
			see('Cancelled'),
			wait(20_000),
		],
		requests: 0,
		meets: ['escapes', 'held', 'cancelled'],
	},
	{
		title: 'is never sent after the program that started it has ended',
		steps: [order('x', 'leave'), wait(20_000), wait(20_000), order('x', 'keep')],
		requests: 0,
		meets: ['held'],
	},
	{
		title: 'is never sent after the program was killed',
		steps: [order('D', 'comply'), { do: 'kill' }, wait(20_000)],
		requests: 0,
		meets: ['questions'],
	},
];

const queuedOperations: readonly Rule[] = [
	{
		title: 'is not sent while the quit dialog is open',
		steps: [
			{ do: 'fate', fate: 429 },
			order('r', 'comply'),
			{ do: 'fate', fate: 'done' },
			press('q'),
			wait(61_000),
			wait(61_000),
			press('n'),
			wait(6_000),
		],
		requests: 2,
		meets: ['queueHeld', 'resent'],
	},
	{
		title: 'is not sent while the program is locked',
		steps: [
			{ do: 'fate', fate: 429 },
			order('r', 'comply'),
			{ do: 'fate', fate: 'done' },
			{ do: 'lock' },
			wait(61_000),
			wait(61_000),
			press('x'),
			see('Locked'),
			wait(300),
			press('y'),
			wait(20_000),
		],
		requests: 2,
		meets: ['locks', 'resent'],
	},
	{
		title: 'is not sent after ten minutes without a key',
		// The sixth create waits until an hour has passed since the first.
		steps: [
			...Array.from({ length: 6 }, () => order('n', 'comply')),
			wait(700_000),
			wait(3_700_000),
		],
		requests: 5,
		meets: ['creates'],
	},
	{
		title: 'is not sent again when its response is lost, and its outcome is read instead',
		steps: [
			{ do: 'fate', fate: 'cutAfter' },
			order('r', 'comply'),
			see('outcome unknown'),
			{ do: 'settle' },
			wait(61_000),
			see('could not restart atlas'),
			wait(700_000),
		],
		requests: 1,
		meets: ['lostAnswers'],
	},
	{
		title: 'is not sent again if it is a create and its response is lost',
		steps: [
			{ do: 'fate', fate: 'cutAfter' },
			order('n', 'comply'),
			{ do: 'fate', fate: 'done' },
			wait(61_000),
			wait(61_000),
		],
		requests: 1,
		meets: ['creates', 'lostAnswers'],
	},
	{
		title: 'is not sent until the outcome of an earlier create is known',
		steps: [
			{ do: 'fate', fate: 'cutBefore' },
			order('n', 'comply'),
			{ do: 'fate', fate: 'done' },
			{ do: 'tell', telling: 'cut' },
			order('n', 'comply'),
			wait(61_000),
		],
		requests: 1,
		meets: ['creates', 'lostAnswers'],
	},
];

const answers: readonly Rule[] = [
	{
		title: 'sends nothing while it is unanswered',
		steps: [press('x'), wait(700_000), wait(20_000), press('g', 'D'), wait(700_000)],
		requests: 0,
		meets: ['questions'],
	},
	...(
		[
			['a question', 'r', 1],
			['a typed confirmation', 'D', 1],
			['a question about a port', 'p', 1],
		] as const
	).flatMap(([what, key, requests]): readonly Rule[] => [
		{
			title: `ignores keys for 299 ms: ${what}`,
			steps: [early(key, 'comply'), press('escape'), wait(6_000)],
			requests: 0,
			meets: ['questions', 'deafKeys'],
		},
		{
			title: `accepts keys after 300 ms: ${what}`,
			steps: [{ ...orderOf(key, 'comply'), wait: 300 }, wait(6_000)],
			requests,
			meets: ['questions'],
		},
		{
			title: `is not confirmed by Enter alone: ${what}`,
			steps: [order(key, 'enter'), wait(6_000)],
			requests: 0,
			meets: ['questions'],
		},
		{
			title: `is not confirmed by a paste: ${what}`,
			steps: [order(key, 'paste'), wait(6_000)],
			requests: 0,
			meets: ['questions', 'dialogPastes'],
		},
	]),
	{
		title: 'refuses a pasted name, and Enter then confirms nothing',
		steps: [order('D', 'paste'), press('enter'), wait(6_000)],
		requests: 0,
		meets: ['questions', 'dialogPastes'],
	},
	{
		title: 'ignores keys for 299 ms: a payment question',
		steps: [press('2', 'o'), wait(299), press('y'), wait(6_000)],
		requests: 0,
		meets: ['deafKeys'],
	},
	{
		title: 'ignores keys for 299 ms: the quit dialog',
		steps: [order('x', 'comply'), press('q'), wait(299), press('y'), see('Quit now?')],
		requests: 0,
		meets: ['deafKeys'],
	},
	{
		title: 'is not confirmed by the key that opened it',
		steps: [press('g', 'y'), wait(300), press('y'), wait(1_000), press('y'), wait(6_000)],
		requests: 0,
		meets: ['questions'],
		table: 2,
	},
	{
		title: 'is confirmed by a key other than the one that opened it',
		steps: [press('g', 'y'), wait(300), press('Y'), wait(6_000)],
		requests: 1,
		meets: ['questions'],
		table: 2,
	},
	{
		title: 'is still about the computers that it names after the cursor moves',
		steps: [
			press('G', 'k', 'r'),
			{ do: 'remove', place: 0 },
			{ do: 'remove', place: 0 },
			{ do: 'appear', place: 2 },
			wait(20_000),
			press('y'),
			wait(6_000),
		],
		requests: 1,
		meets: ['questions'],
	},
	{
		title: 'does not open in a read-only program',
		steps: [order('x', 'comply'), order('r', 'comply'), press('n'), wait(300), press('y')],
		requests: 0,
		meets: ['steps'],
		isReadOnly: true,
	},
	{
		title: 'does not open while the program is locked',
		steps: [{ do: 'lock' }, press('g', 'x'), see('Locked'), wait(300), press('n'), wait(6_000)],
		requests: 0,
		meets: ['locks'],
	},
	{
		title: 'does not open after ten minutes without a key',
		steps: [wait(700_000), press('g', 'x'), see('Locked'), wait(300), press('n'), wait(6_000)],
		requests: 0,
		meets: ['steps'],
	},
	{
		title: 'says so when the platform does not answer',
		steps: [
			{ do: 'tell', telling: 'cut' },
			wait(61_000),
			wait(61_000),
			press('g', 'x'),
			see('has not answered'),
		],
		requests: 0,
		meets: ['silentQuestions'],
	},
];

const bytes: readonly Rule[] = [
	{
		title: 'of an unknown escape sequence are not taken for keys, with a question open or not',
		steps: [
			junk('\x1b]2;xyDq\x07'),
			junk('\x1bPxyDq\x1b\\'),
			junk('\x1b[?1;2c'),
			press('g', 'x'),
			wait(300),
			junk('\x1b[0;12;33y'),
			junk('\x1b]52;y\x1b\\'),
			wait(6_000),
		],
		requests: 0,
		meets: ['junk', 'questions'],
	},
	{
		title: 'of a paste are not taken for keys, with a question open or not',
		steps: [paste('xyD'), paste('D'), press('g', 'x'), wait(300), paste('y'), wait(6_000)],
		requests: 0,
		meets: ['otherPastes', 'dialogPastes', 'questions'],
	},
];

const outages: readonly Rule[] = [
	{
		title: 'leaves nothing on the screen green or called live',
		steps: [
			{ do: 'tell', telling: 'cut' },
			wait(20_000),
			wait(61_000),
			wait(61_000),
			wait(61_000),
			{ do: 'tell', telling: 'answer' },
			wait(61_000),
		],
		requests: 0,
		meets: ['silences'],
	},
	{
		title: 'leaves nothing on the screen green even while an unattended program seldom reads',
		steps: [
			{ do: 'focus' },
			wait(700_000),
			{ do: 'tell', telling: 'cut' },
			...[1, 2, 3, 4].map(() => wait(61_000)),
		],
		requests: 0,
		meets: ['silences'],
	},
	{
		title: 'opens no dialog by itself when the account is signed out',
		steps: [{ do: 'tell', telling: 401 }, wait(61_000), wait(61_000), wait(61_000)],
		requests: 0,
		meets: ['signedOut'],
	},
];

describe.each([
	['a countdown', countdowns],
	['a queued operation', queuedOperations],
	['a question', answers],
	['the bytes', bytes],
	['an outage', outages],
])('%s', (_, rules) => {
	test.each(rules.map(rule => [rule.title, rule] as const))('%s', async (_title, rule) => {
		const { steps, requests, meets, isReadOnly = false, table = 0 } = rule;
		const met = await walkThrough({ isReadOnly, isSlow: false, table, steps });
		for (const what of meets) expect(met[what], what).toBeGreaterThan(0);
		expect(met.requests).toBe(requests);
	});
});
