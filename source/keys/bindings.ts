import type { Binding } from './binding.ts';

const look = (move: Extract<Binding['intent'], { type: 'move' }>['move']) =>
	({ type: 'move', move }) as const;

/** THE table of key bindings. Help, the footer and the dispatcher are made from it. */
export const bindings: readonly Binding[] = [
	{
		keys: ['j', 'down'],
		places: ['fleet'],
		intent: look({ type: 'step', by: 1 }),
		help: 'one row down',
	},
	{
		keys: ['k', 'up'],
		places: ['fleet'],
		intent: look({ type: 'step', by: -1 }),
		help: 'one row up',
	},
	{
		keys: ['pagedown', 'ctrl-f'],
		places: ['fleet'],
		intent: look({ type: 'page', by: 1 }),
		help: 'one page down',
	},
	{
		keys: ['pageup', 'ctrl-b'],
		places: ['fleet'],
		intent: look({ type: 'page', by: -1 }),
		help: 'one page up',
	},
	{
		keys: ['g', 'home'],
		places: ['fleet'],
		intent: look({ type: 'end', which: 'first' }),
		help: 'first row',
	},
	{
		keys: ['G', 'end'],
		places: ['fleet'],
		intent: look({ type: 'end', which: 'last' }),
		help: 'last row',
	},
	{
		keys: ['/'],
		places: ['fleet'],
		intent: look({ type: 'startFilter' }),
		help: 'filter by words, or by fields such as status:stopped cpu:>80 -word OR …',
		hint: 'filter',
	},
	{
		keys: ['<'],
		places: ['fleet'],
		intent: look({ type: 'orderBy', by: -1 }),
		help: 'order by the column to the left',
	},
	{
		keys: ['>'],
		places: ['fleet'],
		intent: look({ type: 'orderBy', by: 1 }),
		help: 'order by the column to the right',
	},
	{
		keys: ['='],
		places: ['fleet'],
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
		keys: ['R'],
		places: ['fleet'],
		intent: { type: 'readNow' },
		help: 'read everything now, as far as the rate limits allow',
	},
	{
		keys: ['?'],
		places: ['fleet', 'help'],
		intent: look({ type: 'help' }),
		help: 'show or leave this help',
		hint: 'help',
	},
	{
		keys: ['escape'],
		places: ['fleet', 'help', 'line'],
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
		places: ['line'],
		intent: { type: 'erase', what: 'letter' },
		help: 'erase a letter',
	},
	{
		keys: ['ctrl-w'],
		places: ['line'],
		intent: { type: 'erase', what: 'word' },
		help: 'erase a word',
	},
	{
		keys: ['ctrl-u'],
		places: ['line'],
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
		places: ['fleet', 'help'],
		intent: { type: 'quit' },
		help: 'quit',
		hint: 'quit',
	},
	{ keys: ['ctrl-c'], places: ['everywhere'], intent: { type: 'quit' }, help: 'quit' },
];
