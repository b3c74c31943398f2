import type { OperationId } from '../fleet/operation.ts';
import { operationRowOf } from '../fleet/operation-table.ts';
import { type Binding, moveIntent } from './binding.ts';
import { dialogBindings } from './dialog-bindings.ts';
import { viewContexts } from './key-context.ts';
import { viewBindings } from './view-bindings.ts';

/** THE table of key bindings. Help, footer, palette and dispatcher derive from it. */
export const bindings: readonly Binding[] = [
	...operationBindings(),
	...viewBindings,
	{
		action: 'copyId',
		keys: ['y'],
		contexts: ['fleet'],
		intent: { type: 'copy', content: 'id' },
		help: "copy the computer's id",
	},
	{
		action: 'copyAddress',
		keys: ['Y'],
		contexts: ['fleet'],
		intent: { type: 'copy', content: 'address' },
		help: 'copy the public address',
	},
	{
		action: 'checkPorts',
		keys: ['v'],
		contexts: ['fleet'],
		intent: { type: 'checkPorts' },
		help: "check the computer's published ports",
	},
	{
		action: 'retry',
		keys: ['F'],
		contexts: ['fleet'],
		intent: { type: 'retry', key: 'F' },
		help: 'retry the failed operations',
	},
	{
		action: 'updateBehind',
		keys: ['u'],
		contexts: ['versions'],
		intent: { type: 'ask', operation: 'update', key: 'u', targets: 'behind' },
		help: 'update all that are behind',
		hint: 'update all that are behind',
	},
	{
		action: 'pay',
		keys: ['o'],
		contexts: ['billing'],
		intent: { type: 'pay', key: 'o' },
		help: 'open a payment page, with its address and QR code',
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
		intent: { type: 'copy', content: 'payment' },
		help: 'copy the address of the payment page',
	},
	{
		action: 'columns',
		keys: ['C'],
		contexts: ['fleet', 'columns'],
		intent: { type: 'columns', action: 'choose' },
		help: 'choose the columns of the table',
	},
	{
		action: 'lock',
		keys: ['L'],
		contexts: viewContexts,
		intent: { type: 'lock', key: 'L' },
		help: 'lock or unlock: a locked monitor changes nothing',
	},
	{
		action: 'readNow',
		keys: ['R'],
		contexts: viewContexts,
		intent: { type: 'readNow' },
		help: 'refresh now, within the rate limits',
	},
	{
		action: 'palette',
		keys: [':'],
		contexts: viewContexts,
		intent: { type: 'palette' },
		help: 'run a command by its name',
		hint: 'command',
	},
	{
		action: 'help',
		keys: ['?'],
		contexts: [...viewContexts, 'help'],
		intent: moveIntent({ type: 'help' }),
		help: 'show or close this help',
		hint: 'help',
	},
	{
		action: 'redraw',
		keys: ['ctrl-l'],
		contexts: ['everywhere'],
		intent: { type: 'redraw' },
		help: 'redraw the screen',
	},
	{
		action: 'suspend',
		keys: ['ctrl-z'],
		contexts: ['everywhere'],
		intent: { type: 'suspend' },
		help: 'suspend; fg resumes',
	},
	{
		action: 'quit',
		keys: ['q'],
		contexts: [...viewContexts, 'help', 'welcome', 'tooSmall'],
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

/** Binds one key to each operation: a small letter if the operation is easily undone, else a capital. */
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
	return keys.map(([operation, key]) => operationBinding(operation, key));
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
