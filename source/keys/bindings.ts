import type { OperationId } from '../fleet/operations/operation.ts';
import { operationIds, operationRowOf } from '../fleet/operations/operation-table.ts';
import { homeView, viewRows, views } from '../screen/view-table.ts';
import { type Binding, bindingsIn, moveIntent, viewContexts } from './binding.ts';
import { dialogBindings } from './dialog-bindings.ts';
import { mapBindings } from './map-bindings.ts';
import { orderBindings } from './order-bindings.ts';
import { textViewBindings } from './text-view-bindings.ts';

const filterHelp = 'filter by words or fields: status:stopped cpu:>80 -word OR …';

/** The keys that move through the views and change what they show. */
const viewBindings: readonly Binding[] = [
	...bindingsIn(
		[...viewContexts, 'help'],
		[
			['down', ['j', 'down'], moveIntent({ type: 'step', steps: 1 }), 'one row down'],
			['up', ['k', 'up'], moveIntent({ type: 'step', steps: -1 }), 'one row up'],
			[
				'pageDown',
				['pagedown', 'ctrl-f'],
				moveIntent({ type: 'page', direction: 1 }),
				'one page down',
			],
			['pageUp', ['pageup', 'ctrl-b'], moveIntent({ type: 'page', direction: -1 }), 'one page up'],
			[
				'halfPageDown',
				['ctrl-d'],
				moveIntent({ type: 'page', direction: 1, isHalf: true }),
				'half a page down',
			],
			[
				'halfPageUp',
				['ctrl-u'],
				moveIntent({ type: 'page', direction: -1, isHalf: true }),
				'half a page up',
			],
			['first', ['g', 'home'], moveIntent({ type: 'end', edge: 'first' }), 'first row'],
			['last', ['G', 'end'], moveIntent({ type: 'end', edge: 'last' }), 'last row'],
		],
	),
	...bindingsIn(
		['fleet'],
		[
			[
				'open',
				['enter'],
				moveIntent({ type: 'open' }),
				'open the computer',
				'open',
				'why reason error details show',
			],
			['mark', ['space'], moveIntent({ type: 'mark' }), 'mark / unmark', 'mark'],
			[
				'markDown',
				['shift-down'],
				moveIntent({ type: 'markOnward', steps: 1 }),
				'mark, and go on marking downwards',
			],
			[
				'markUp',
				['shift-up'],
				moveIntent({ type: 'markOnward', steps: -1 }),
				'mark, and go on marking upwards',
			],
			[
				'markRange',
				['V'],
				moveIntent({ type: 'markRange' }),
				'mark from the last marked row to here',
			],
			['markAll', ['a'], moveIntent({ type: 'markAll' }), 'mark all shown; again: unmark them'],
			[
				'markOthers',
				['*'],
				moveIntent({ type: 'markOthers' }),
				'invert the marks of the rows shown',
			],
		],
	),
	...bindingsIn(viewContexts, [
		['filter', ['/'], moveIntent({ type: 'startFilter' }), filterHelp, 'filter'],
	]),
	...orderBindings,
	...bindingsIn(viewContexts, [
		...views.map(
			view =>
				[
					view,
					[viewRows[view].key],
					moveIntent({ type: 'view', view }),
					`show ${view}: ${viewRows[view].about}`,
					undefined,
					viewRows[view].words,
				] as const,
		),
		[
			'underWay',
			['J'],
			moveIntent({ type: 'view', view: 'log' }),
			'show what is under way, on top of the log',
			undefined,
			'jobs batches queue running progress cancel',
		],
		['nextView', ['tab'], moveIntent({ type: 'nextView', direction: 1 }), 'next view', 'views'],
		[
			'previousView',
			['shift-tab'],
			moveIntent({ type: 'nextView', direction: -1 }),
			'previous view',
		],
	]),
];

/** THE table of key bindings. Help, footer, palette and dispatcher derive from it. */
export const bindings: readonly Binding[] = [
	...operationBindings(),
	...viewBindings,
	...mapBindings,
	...bindingsIn(
		['fleet'],
		[
			['copyId', ['y'], { type: 'copy', content: 'id' }, "copy the computer's id"],
			[
				'copyAddress',
				['Y'],
				{ type: 'copy', content: 'address' },
				'copy the public address',
				'copy address',
			],
			[
				'checkPorts',
				['v'],
				{ type: 'checkPorts' },
				"check the computer's published ports",
				'check',
			],
		],
	),
	...bindingsIn(
		['fleet', 'log'],
		[['retry', ['F'], { type: 'retry', key: '' }, 'retry the failed operations', 'retry']],
	),
	...textViewBindings,
	...bindingsIn(
		['fleet', 'columns'],
		[['columns', ['C'], { type: 'columns', action: 'choose' }, 'choose the columns of the table']],
	),
	...bindingsIn(viewContexts, [
		[
			'lock',
			['L'],
			{ type: 'lock', key: '' },
			'lock or unlock: a locked monitor changes nothing',
			'unlocks',
		],
		['readNow', ['R'], { type: 'readNow' }, 'refresh now, within the rate limits'],
		[
			'palette',
			[':'],
			{ type: 'palette' },
			'find commands, computers, filters, columns: stop vega',
			'anything',
		],
	]),
	...bindingsIn(
		[...viewContexts, 'help'],
		[['help', ['?'], moveIntent({ type: 'help' }), 'show or close this help', 'help']],
	),
	...bindingsIn(
		['everywhere'],
		[
			['redraw', ['ctrl-l'], { type: 'redraw' }, 'redraw the screen'],
			['suspend', ['ctrl-z'], { type: 'suspend' }, 'suspend; fg resumes'],
		],
	),
	...bindingsIn(
		[...views.filter(view => view !== homeView), 'help', 'columns'],
		[['close', ['q'], moveIntent({ type: 'close' }), 'close; from the fleet, quit', 'close']],
	),
	...bindingsIn(
		[homeView, 'tooSmall'],
		[['quit', ['q'], { type: 'closeOrQuit', key: '' }, 'quit, or close the details', 'quit']],
	),
	...bindingsIn(['everywhere'], [['quitAnywhere', ['ctrl-c'], { type: 'quit', key: '' }, 'quit']]),
	...dialogBindings,
];

/** Binds its key to each operation: what is done to computers first, what is erased and what costs money last. */
function operationBindings(): readonly Binding[] {
	const rankOf = (id: string) => {
		const { subject, asks } = operationRowOf(id);
		if (subject === 'account') return 3;
		return asks === 'type' ? 2 : Number(subject === 'port');
	};
	return operationIds()
		.toSorted((a, b) => rankOf(a) - rankOf(b))
		.flatMap(id => {
			const { key } = operationRowOf(id);
			return key === undefined ? [] : [operationBinding(id, key)];
		});
}

/** Binds a key to an operation. */
export function operationBinding(operation: OperationId, key: string): Binding {
	const { help, label } = operationRowOf(operation);
	return {
		action: operation,
		keys: [key],
		contexts: ['fleet'],
		intent: { type: 'ask', operation, key },
		help,
		hint: label.toLowerCase(),
	};
}
