import { operations } from '../operations/operations.ts';
import { views } from '../store/screen.ts';
import type { Binding } from './binding.ts';

const look = (move: Extract<Binding['intent'], { type: 'move' }>['move']) =>
	({ type: 'move', move }) as const;

/** THE table of key bindings. Help, the footer and the dispatcher are made from it. */
export const bindings: readonly Binding[] = [
	...operationBindings(),
	{
		keys: ['j', 'down'],
		places: ['fleet', 'view', 'billing'],
		intent: look({ type: 'step', by: 1 }),
		help: 'one row down',
	},
	{
		keys: ['k', 'up'],
		places: ['fleet', 'view', 'billing'],
		intent: look({ type: 'step', by: -1 }),
		help: 'one row up',
	},
	{
		keys: ['pagedown', 'ctrl-f'],
		places: ['fleet', 'view', 'billing'],
		intent: look({ type: 'page', by: 1 }),
		help: 'one page down',
	},
	{
		keys: ['pageup', 'ctrl-b'],
		places: ['fleet', 'view', 'billing'],
		intent: look({ type: 'page', by: -1 }),
		help: 'one page up',
	},
	{
		keys: ['g', 'home'],
		places: ['fleet', 'view', 'billing'],
		intent: look({ type: 'end', which: 'first' }),
		help: 'first row',
	},
	{
		keys: ['G', 'end'],
		places: ['fleet', 'view', 'billing'],
		intent: look({ type: 'end', which: 'last' }),
		help: 'last row',
	},
	{
		keys: ['enter'],
		places: ['fleet'],
		intent: look({ type: 'open' }),
		help: 'show the computer in full',
	},
	{
		keys: ['space'],
		places: ['fleet'],
		intent: look({ type: 'mark' }),
		help: 'mark the computer for the next operation, or take its mark',
		hint: 'mark',
	},
	{
		keys: ['a'],
		places: ['fleet'],
		intent: look({ type: 'markAll' }),
		help: 'mark all that are shown',
	},
	{
		keys: ['*'],
		places: ['fleet'],
		intent: look({ type: 'markOthers' }),
		help: 'mark those that are not marked, and no others',
	},
	{
		keys: ['/'],
		places: ['fleet', 'view'],
		intent: look({ type: 'startFilter' }),
		help: 'filter by words, or by fields such as status:stopped cpu:>80 -word OR …',
		hint: 'filter',
	},
	{
		keys: ['<'],
		places: ['fleet', 'view'],
		intent: look({ type: 'orderBy', by: -1 }),
		help: 'order by the column to the left',
	},
	{
		keys: ['>'],
		places: ['fleet', 'view'],
		intent: look({ type: 'orderBy', by: 1 }),
		help: 'order by the column to the right',
	},
	{
		keys: ['='],
		places: ['fleet', 'view'],
		intent: look({ type: 'reverse' }),
		help: 'turn the order round',
	},
	{
		keys: ['y'],
		places: ['fleet'],
		intent: { type: 'copy', what: 'id' },
		help: "copy the computer's id",
	},
	{
		keys: ['Y'],
		places: ['fleet'],
		intent: { type: 'copy', what: 'address' },
		help: 'copy the public address of its first published port',
	},
	{
		keys: ['F'],
		places: ['fleet'],
		intent: { type: 'retry' },
		help: 'ask again about those of the last batch that failed, and no others',
	},
	...views.map(
		(view, at): Binding => ({
			keys: [String(at + 1)],
			places: ['fleet', 'view', 'billing'],
			intent: look({ type: 'view', view }),
			help: `show: ${view}`,
		}),
	),
	{
		keys: ['tab'],
		places: ['fleet', 'view', 'billing'],
		intent: look({ type: 'nextView', by: 1 }),
		help: 'the next view',
	},
	{
		keys: ['shift-tab'],
		places: ['fleet', 'view', 'billing'],
		intent: look({ type: 'nextView', by: -1 }),
		help: 'the view before',
	},
	{
		keys: ['o'],
		places: ['billing'],
		intent: { type: 'pay' },
		help: 'open a payment page: its address, and a QR code of it',
		hint: 'open a payment page',
	},
	{
		keys: ['b'],
		places: ['billing'],
		intent: { type: 'startBilling' },
		help: 'start billing for a new account',
		hint: 'start billing',
	},
	{
		keys: ['y'],
		places: ['billing'],
		intent: { type: 'copy', what: 'payment' },
		help: 'copy the address of the payment page',
	},
	{
		keys: ['L'],
		places: ['fleet', 'view', 'billing'],
		intent: { type: 'lock' },
		help: 'lock: it goes on watching, and changes nothing until it is unlocked',
	},
	{
		keys: ['y'],
		places: ['confirmation'],
		intent: { type: 'confirm', isYes: true },
		help: 'yes',
	},
	{
		keys: ['n', 'escape'],
		places: ['confirmation'],
		intent: { type: 'confirm', isYes: false },
		help: 'no',
	},
	{
		keys: ['R'],
		places: ['fleet', 'view', 'billing'],
		intent: { type: 'readNow' },
		help: 'read everything now, as far as the rate limits allow',
	},
	{
		keys: [':'],
		places: ['fleet', 'view', 'billing'],
		intent: { type: 'palette' },
		help: 'find anything by its name',
		hint: 'command',
	},
	{
		keys: ['down', 'ctrl-n'],
		places: ['palette'],
		intent: look({ type: 'choose', by: 1 }),
		help: 'the next one',
	},
	{
		keys: ['up', 'ctrl-p'],
		places: ['palette'],
		intent: look({ type: 'choose', by: -1 }),
		help: 'the one before',
	},
	{
		keys: ['enter'],
		places: ['palette'],
		intent: { type: 'choose' },
		help: 'do it',
	},
	{
		keys: ['?'],
		places: ['fleet', 'view', 'billing', 'help'],
		intent: look({ type: 'help' }),
		help: 'show or leave this help',
		hint: 'help',
	},
	{
		keys: ['escape'],
		places: ['fleet', 'view', 'billing', 'help', 'line', 'palette'],
		intent: look({ type: 'back' }),
		help: 'one step back',
	},
	{
		keys: ['enter'],
		places: ['line'],
		intent: look({ type: 'endFilter' }),
		help: 'keep the filter and go back to the table',
	},
	{
		keys: ['backspace'],
		places: ['line', 'palette'],
		intent: { type: 'erase', what: 'letter' },
		help: 'erase a letter',
	},
	{
		keys: ['ctrl-w'],
		places: ['line', 'palette'],
		intent: { type: 'erase', what: 'word' },
		help: 'erase a word',
	},
	{
		keys: ['ctrl-u'],
		places: ['line', 'palette'],
		intent: { type: 'erase', what: 'line' },
		help: 'erase the line',
	},
	{
		keys: ['ctrl-l'],
		places: ['everywhere'],
		intent: { type: 'redraw' },
		help: 'draw the screen again',
	},
	{
		keys: ['ctrl-z'],
		places: ['everywhere'],
		intent: { type: 'suspend' },
		help: 'suspend; fg comes back',
	},
	{
		keys: ['q'],
		places: ['fleet', 'view', 'billing', 'help'],
		intent: { type: 'quit' },
		help: 'quit',
		hint: 'quit',
	},
	{ keys: ['ctrl-c'], places: ['everywhere'], intent: { type: 'quit' }, help: 'quit' },
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
		keys: [key],
		places: ['fleet'],
		intent: { type: 'ask', operation, key },
		help: operations[operation].help,
		hint: operations[operation].label.toLowerCase(),
	}));
}
