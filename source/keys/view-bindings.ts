import { filterableViews, orderableViews, viewRows, views } from '../screen/view-table.ts';
import { type Binding, bindingsIn, moveIntent } from './binding.ts';
import { viewContexts } from './key-context.ts';

const filterHelp = 'filter by words or fields: status:stopped cpu:>80 -word OR …';

/** The keys that move through the views and change what they show. */
export const viewBindings: readonly Binding[] = [
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
			['first', ['g', 'home'], moveIntent({ type: 'end', edge: 'first' }), 'first row'],
			['last', ['G', 'end'], moveIntent({ type: 'end', edge: 'last' }), 'last row'],
		],
	),
	...bindingsIn(
		['fleet'],
		[
			['open', ['enter'], moveIntent({ type: 'open' }), 'open the computer'],
			['mark', ['space'], moveIntent({ type: 'mark' }), 'mark / unmark', 'mark'],
			['markAll', ['a'], moveIntent({ type: 'markAll' }), 'mark all shown'],
			['markOthers', ['*'], moveIntent({ type: 'markOthers' }), 'invert the marks'],
		],
	),
	...bindingsIn(filterableViews, [
		['filter', ['/'], moveIntent({ type: 'startFilter' }), filterHelp, 'filter'],
	]),
	...bindingsIn(orderableViews, [
		[
			'columnLeft',
			['<'],
			moveIntent({ type: 'orderBy', direction: -1 }),
			'order by the column to the left',
		],
		[
			'columnRight',
			['>'],
			moveIntent({ type: 'orderBy', direction: 1 }),
			'order by the column to the right',
		],
		['reverse', ['='], moveIntent({ type: 'reverse' }), 'reverse the order'],
	]),
	...bindingsIn(viewContexts, [
		...views.map(
			view =>
				[view, [viewRows[view].key], moveIntent({ type: 'view', view }), `show: ${view}`] as const,
		),
		['nextView', ['tab'], moveIntent({ type: 'nextView', direction: 1 }), 'next view'],
		[
			'previousView',
			['shift-tab'],
			moveIntent({ type: 'nextView', direction: -1 }),
			'previous view',
		],
	]),
];
