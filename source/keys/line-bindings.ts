import { type Binding, look } from './binding.ts';

/** The keys where something is typed, chosen or answered. */
export const lineBindings: readonly Binding[] = [
	{
		action: 'yes',
		keys: ['y'],
		places: ['confirmation'],
		intent: { type: 'confirm', isYes: true },
		help: 'yes',
	},
	{
		action: 'no',
		keys: ['n', 'escape'],
		places: ['confirmation'],
		intent: { type: 'confirm', isYes: false },
		help: 'no',
	},
	{
		action: 'nextFound',
		keys: ['down', 'ctrl-n'],
		places: ['palette'],
		intent: look({ type: 'choose', by: 1 }),
		help: 'the next one',
	},
	{
		action: 'previousFound',
		keys: ['up', 'ctrl-p'],
		places: ['palette'],
		intent: look({ type: 'choose', by: -1 }),
		help: 'the one before',
	},
	{
		action: 'choose',
		keys: ['enter'],
		places: ['palette'],
		intent: { type: 'choose' },
		help: 'do it',
	},
	{
		action: 'back',
		keys: ['escape'],
		places: ['fleet', 'view', 'billing', 'help', 'line', 'palette'],
		intent: look({ type: 'back' }),
		help: 'one step back',
	},
	{
		action: 'keepFilter',
		keys: ['enter'],
		places: ['line'],
		intent: look({ type: 'endFilter' }),
		help: 'keep the filter and go back to the table',
	},
	{
		action: 'eraseLetter',
		keys: ['backspace'],
		places: ['line', 'palette'],
		intent: { type: 'erase', what: 'letter' },
		help: 'erase a letter',
	},
	{
		action: 'eraseWord',
		keys: ['ctrl-w'],
		places: ['line', 'palette'],
		intent: { type: 'erase', what: 'word' },
		help: 'erase a word',
	},
	{
		action: 'eraseLine',
		keys: ['ctrl-u'],
		places: ['line', 'palette'],
		intent: { type: 'erase', what: 'line' },
		help: 'erase the line',
	},
];
