import { expect, test } from 'vitest';
import type { Over, Step } from './screen-walk/steps.ts';
import { walkThrough } from './screen-walk/walk.ts';

const calm: Over = { by: 'small', before: 0, during: 100, end: 'stay', after: 0 };

const order = (asking: string, how: 'comply' | 'keep' | 'over' | 'paste', over = calm): Step => ({
	...{ do: 'order', asking, down: 0, marks: 0, wait: 400, how, over },
});
const wait = (time: Extract<Step, { do: 'wait' }>['time']): Step => ({ do: 'wait', time });
const junk = (bytes: string): Step => ({
	...{ do: 'junk', bytes, at: 3, pause: 100, isUnfinished: false },
});

/** The steps go over the rule; a witness who would not see it broken is no witness. */
const rules: readonly (readonly [rule: string, steps: readonly Step[]])[] = [
	...(['question', 'typed', 'port', 'pay', 'quit', 'small', 'shell'] as const).map(
		by =>
			[
				`a countdown waits under ${by}, and starts from its full time afterwards`,
				[
					order('x', 'over', { by, before: 3_000, during: 20_000, end: 'escape', after: 3_500 }),
					wait(20_000),
				],
			] as const,
	),
	[
		'a dialog under which the terminal is suspended goes on holding',
		[
			order('x', 'over', { by: 'quit', before: 0, during: 100, end: 'stay', after: 0 }),
			{ do: 'suspend' },
			wait(20_000),
			{ do: 'resume' },
			wait(20_000),
		],
	],
	[
		'the quit dialog holds the queue',
		[
			{ do: 'fate', fate: 429 },
			order('r', 'comply'),
			{ do: 'fate', fate: 'done' },
			{ do: 'keys', keys: ['q'] },
			wait(61_000),
			wait(61_000),
			{ do: 'keys', keys: ['n'] },
			wait(6_000),
		],
	],
	[
		'Esc closes the dialog first and cancels second',
		[
			order('x', 'over', { by: 'question', before: 0, during: 400, end: 'escape', after: 0 }),
			{ do: 'keys', keys: ['escape'] },
			wait(20_000),
		],
	],
	[
		'a dialog that is not answered sends nothing',
		[
			{ do: 'keys', keys: ['x'] },
			wait(700_000),
			wait(20_000),
			{ do: 'keys', keys: ['g', 'D'] },
			wait(700_000),
		],
	],
	['a pasted confirmation sends nothing', [order('D', 'paste'), wait(20_000)]],
	[
		'junk and pastes are no keys, in a question and outside of it',
		[
			junk('\x1b]2;xyDq\x07'),
			junk('\x1bPxyDq\x1b\\'),
			junk('\x1b[?1;2c'),
			{ do: 'paste', text: 'xyD', pause: 1_999 },
			{ do: 'keys', keys: ['g', 'x'] },
			wait(300),
			junk('\x1b[0;12;33y'),
			junk('\x1b]52;y\x1b\\'),
			{ do: 'paste', text: 'y', pause: 100 },
			wait(6_000),
		],
	],
	[
		'nothing stays green or live while the platform is silent',
		[
			{ do: 'tell', telling: 'cut' },
			wait(20_000),
			wait(61_000),
			wait(61_000),
			wait(61_000),
			{ do: 'tell', telling: 'answer' },
			wait(61_000),
		],
	],
	[
		'what is sent is not sent again when its answer is lost',
		[{ do: 'fate', fate: 'cutAfter' }, order('r', 'comply'), wait(61_000), wait(700_000)],
	],
	[
		'nothing is sent while locked',
		[
			{ do: 'fate', fate: 429 },
			order('r', 'comply'),
			{ do: 'fate', fate: 'done' },
			{ do: 'lock' },
			wait(61_000),
			wait(61_000),
		],
	],
];

test.each(rules)('the witness finds that %s', async (_, steps) => {
	const met = await walkThrough({ isReadOnly: false, isSlow: false, table: 0, steps: [...steps] });
	expect(met.steps).toBeGreaterThan(0);
});
