import { operationTable } from '../operations/operation-table.ts';
import { type Binding, viewMove } from './binding.ts';
import { dialogBindings } from './dialog-bindings.ts';
import { viewContexts } from './key-context.ts';
import { viewBindings } from './view-bindings.ts';

/** THE table of key bindings. Help, the footer, the palette and the dispatcher are made from it. */
export const bindings: readonly Binding[] = [
	...operationBindings(),
	...viewBindings,
	{
		action: 'copyId',
		keys: ['y'],
		contexts: ['fleet'],
		intent: { type: 'copy', what: 'id' },
		help: "copy the computer's id",
	},
	{
		action: 'copyAddress',
		keys: ['Y'],
		contexts: ['fleet'],
		intent: { type: 'copy', what: 'address' },
		help: 'copy the public address of the port that was published last here, or of its first one',
	},
	{
		action: 'checkPorts',
		keys: ['v'],
		contexts: ['fleet'],
		intent: { type: 'checkPorts' },
		help: 'visit its published ports, and say whether something answers there',
	},
	{
		action: 'retry',
		keys: ['F'],
		contexts: ['fleet'],
		intent: { type: 'retry', key: 'F' },
		help: 'ask again about what failed: of the last batch, under the cursor, or all of it',
	},
	{
		action: 'updateBehind',
		keys: ['u'],
		contexts: ['versions'],
		intent: { type: 'ask', operation: 'update', key: 'u', targets: 'behind' },
		help: 'update all that are behind the latest version',
		hint: 'update all that are behind',
	},
	{
		action: 'pay',
		keys: ['o'],
		contexts: ['billing'],
		intent: { type: 'pay', key: 'o' },
		help: 'open a payment page: its address, and a QR code of it',
		hint: 'open a payment page',
	},
	{
		action: 'startBilling',
		keys: ['b'],
		contexts: ['billing'],
		intent: { type: 'startBilling', key: 'b' },
		help: 'start billing for a new account',
		hint: 'start billing',
	},
	{
		action: 'copyPayment',
		keys: ['y'],
		contexts: ['billing'],
		intent: { type: 'copy', what: 'payment' },
		help: 'copy the address of the payment page',
	},
	{
		action: 'columns',
		keys: ['C'],
		contexts: ['fleet', 'columns'],
		intent: { type: 'columns', what: 'choose' },
		help: 'choose the columns of the table',
	},
	{
		action: 'lock',
		keys: ['L'],
		contexts: viewContexts,
		intent: { type: 'lock' },
		help: 'lock: it goes on watching, and changes nothing until it is unlocked',
	},
	{
		action: 'readNow',
		keys: ['R'],
		contexts: viewContexts,
		intent: { type: 'readNow' },
		help: 'read everything now, as far as the rate limits allow',
	},
	{
		action: 'palette',
		keys: [':'],
		contexts: viewContexts,
		intent: { type: 'palette' },
		help: 'find anything by its name',
		hint: 'command',
	},
	{
		action: 'help',
		keys: ['?'],
		contexts: [...viewContexts, 'help'],
		intent: viewMove({ type: 'help' }),
		help: 'show or leave this help',
		hint: 'help',
	},
	{
		action: 'redraw',
		keys: ['ctrl-l'],
		contexts: ['everywhere'],
		intent: { type: 'redraw' },
		help: 'draw the screen again',
	},
	{
		action: 'suspend',
		keys: ['ctrl-z'],
		contexts: ['everywhere'],
		intent: { type: 'suspend' },
		help: 'suspend; fg comes back',
	},
	{
		action: 'quit',
		keys: ['q'],
		contexts: [...viewContexts, 'help', 'welcome', 'unseen'],
		intent: { type: 'quit', key: 'q' },
		help: 'quit',
		hint: 'quit',
	},
	{
		action: 'quitAnywhere',
		keys: ['ctrl-c'],
		contexts: ['everywhere'],
		intent: { type: 'quit', key: 'ctrl-c' },
		help: 'quit',
	},
	...dialogBindings,
];

/** A key each: the small letter for what can be undone, a capital for what cannot so easily. */
function operationBindings(): readonly Binding[] {
	const keys = [
		['start', 's'],
		['stop', 'x'],
		['restart', 'r'],
		['update', 'u'],
		['publish', 'p'],
		['unpublish', 'P'],
		['delete', 'D'],
		['create', 'n'],
	] as const;
	return keys.map(([operation, key]) => ({
		action: operation,
		keys: [key],
		contexts: ['fleet'],
		intent: { type: 'ask', operation, key },
		help: operationTable[operation].help,
		hint: operationTable[operation].label.toLowerCase(),
	}));
}
