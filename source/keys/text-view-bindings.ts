import { failuresTerm } from '../fleet/change-filter.ts';
import { type Binding, bindingsIn, type Intent, moveIntent } from './binding.ts';

const payHelp = 'open a payment page, with its address and QR code';
const askToUpdateBehind: Intent = { type: 'ask', operation: 'update', key: '', targets: 'behind' };

/** The keys of the views that are not the table of computers. */
export const textViewBindings: readonly Binding[] = [
	...bindingsIn(
		['log'],
		[
			[
				'openEntry',
				['enter'],
				moveIntent({ type: 'open' }),
				'open the computer, or show the operations of a batch',
				'open',
			],
			[
				'failuresOnly',
				['e'],
				moveIntent({ type: 'toggleTerm', term: failuresTerm }),
				'show failures only, or everything again',
				'failures only',
			],
			[
				'cancelUnsent',
				['x', 'delete'],
				{ type: 'cancelUnsent' },
				'cancel what is not sent yet',
				'cancel',
			],
		],
	),
	{
		action: 'endCommands',
		keys: ['ctrl-c'],
		contexts: ['output'],
		isInPlaceOfEverywhere: true,
		intent: { type: 'endCommands', key: '' },
		help: 'ask the running commands to end; quit if none runs',
		hint: 'end the commands',
	},
	...bindingsIn(
		['models'],
		[
			[
				'copyModel',
				['y', 'enter'],
				{ type: 'copy', content: 'line' },
				"copy the model's id",
				'copy',
			],
			[
				'orderModels',
				['o'],
				moveIntent({ type: 'orderBy', direction: 1 }),
				'order by the next column',
				'order',
			],
		],
	),
	...bindingsIn(
		['versions'],
		[
			[
				'showVersion',
				['enter'],
				moveIntent({ type: 'open' }),
				'show the computers with this version',
				'show computers',
			],
			['updateBehind', ['u'], askToUpdateBehind, 'update all that are behind', 'update all behind'],
		],
	),
	...bindingsIn(
		['billing'],
		[
			['pay', ['o'], { type: 'pay', key: '' }, payHelp, 'open a payment page'],
			[
				'startBilling',
				['b'],
				{ type: 'startBilling', key: '' },
				'start billing for a new account',
				'start billing',
			],
			[
				'copyPayment',
				['y'],
				{ type: 'copy', content: 'payment' },
				'copy the address of the payment page',
			],
		],
	),
];
