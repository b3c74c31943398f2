import { type Binding, bindingsIn, moveIntent } from './binding.ts';

/** The keys of the map of the fleet. The keys of the fleet view work in the map as well. */
export const mapBindings: readonly Binding[] = [
	...bindingsIn(
		['fleet'],
		[
			[
				'map',
				['m'],
				moveIntent({ type: 'toggleMap' }),
				'show the computers as a map, or as a table',
			],
		],
	),
	...bindingsIn(
		['map'],
		[
			['cellLeft', ['h', 'left'], moveIntent({ type: 'across', steps: -1 }), 'one cell left'],
			['cellRight', ['right'], moveIntent({ type: 'across', steps: 1 }), 'one cell right'],
			[
				'cellRightOrSignIn',
				['l'],
				moveIntent({ type: 'across', steps: 1, signsIn: true }),
				'one cell right; while signed out: sign in',
			],
			['groupBy', ['b'], moveIntent({ type: 'nextGrouping' }), 'group the map by the next value'],
			[
				'colourBy',
				['c'],
				moveIntent({ type: 'nextColouring' }),
				'colour the map by the next value',
			],
			[
				'filterToCell',
				['f'],
				moveIntent({ type: 'filterToCell' }),
				'filter to the group of the cell, or to a cell of several computers',
			],
		],
	),
];
