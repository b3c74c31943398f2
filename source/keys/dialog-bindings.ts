import { type Answer, type Binding, moveIntent } from './binding.ts';
import { textContexts, viewContexts } from './key-context.ts';

const yesKeys = ['y', 'Y'];

/** The keys of text fields, menus and dialogs. */
export const dialogBindings: readonly Binding[] = [
	answerBinding(
		'yes',
		yesKeys,
		['question'],
		'yes',
		'yes; the second key if the first asked',
		yesKeys,
	),
	answerBinding('no', ['n'], ['question'], 'no', 'no'),
	answerBinding('copyCommand', ['c', 'ctrl-y'], ['question'], 'copy', 'copy the shell command'),
	answerBinding('submit', ['enter'], ['field', 'password'], 'submit', 'accept the typed text'),
	answerBinding('copyTypedCommand', ['ctrl-y'], ['field'], 'copy', 'copy the shell command'),
	answerBinding(
		'passwordCommand',
		['ctrl-r'],
		['password'],
		'runCommand',
		'run the password command',
	),
	answerBinding(
		'closeDialog',
		['escape'],
		['question', 'field', 'password'],
		'back',
		'go back one step, or close the dialog',
		['escape'],
	),
	{
		action: 'nextFound',
		keys: ['down', 'ctrl-n'],
		contexts: ['palette'],
		intent: moveIntent({ type: 'choose', by: 1 }),
		help: 'next result',
	},
	{
		action: 'previousFound',
		keys: ['up', 'ctrl-p'],
		contexts: ['palette'],
		intent: moveIntent({ type: 'choose', by: -1 }),
		help: 'previous result',
	},
	{
		action: 'choose',
		keys: ['enter'],
		contexts: ['palette'],
		intent: { type: 'choose', key: '' },
		help: 'run the command',
	},
	{
		action: 'nextColumn',
		keys: ['j', 'down'],
		contexts: ['columns'],
		intent: moveIntent({ type: 'column', action: 'step', by: 1 }),
		help: 'next column',
	},
	{
		action: 'previousColumn',
		keys: ['k', 'up'],
		contexts: ['columns'],
		intent: moveIntent({ type: 'column', action: 'step', by: -1 }),
		help: 'previous column',
	},
	{
		action: 'showColumn',
		keys: ['space', 'enter'],
		contexts: ['columns'],
		intent: moveIntent({ type: 'column', action: 'toggle' }),
		help: 'show or hide the column',
	},
	{
		action: 'columnFurtherRight',
		keys: ['J', '>'],
		contexts: ['columns'],
		intent: moveIntent({ type: 'column', action: 'shift', by: 1 }),
		help: 'move the column right',
	},
	{
		action: 'columnFurtherLeft',
		keys: ['K', '<'],
		contexts: ['columns'],
		intent: moveIntent({ type: 'column', action: 'shift', by: -1 }),
		help: 'move the column left',
	},
	{
		action: 'usualColumns',
		keys: ['u'],
		contexts: ['columns'],
		intent: { type: 'columns', action: 'reset' },
		help: 'default columns',
	},
	{
		action: 'signIn',
		keys: ['l'],
		contexts: ['welcome', ...viewContexts],
		intent: { type: 'signIn' },
		help: 'sign in',
	},
	{
		action: 'lookAround',
		keys: ['enter', 'd', 'escape'],
		contexts: ['welcome'],
		intent: moveIntent({ type: 'back' }),
		help: 'look around the demo',
	},
	{
		action: 'back',
		keys: ['escape'],
		fixedKeys: ['escape'],
		contexts: [...viewContexts, 'help', 'filter', 'palette', 'columns'],
		intent: moveIntent({ type: 'back' }),
		help: 'go back one step',
		hint: 'back',
	},
	{
		action: 'keepFilter',
		keys: ['enter'],
		contexts: ['filter'],
		intent: moveIntent({ type: 'endFilter' }),
		help: 'keep the filter',
	},
	...editBindings(),
];

/** The keys of the line editor, which are the same in every text field. */
function editBindings(): readonly Binding[] {
	const edits = [
		['cursorLeft', ['left', 'ctrl-b'], 'move', 'left', 'one letter left'],
		['cursorRight', ['right', 'ctrl-f'], 'move', 'right', 'one letter right'],
		['wordLeft', ['ctrl-left', 'alt-left', 'alt-b'], 'move', 'wordLeft', 'one word left'],
		['wordRight', ['ctrl-right', 'alt-right', 'alt-f'], 'move', 'wordRight', 'one word right'],
		['lineStart', ['home', 'ctrl-a'], 'move', 'start', 'start of the line'],
		['lineEnd', ['end', 'ctrl-e'], 'move', 'end', 'end of the line'],
		['eraseLetter', ['backspace'], 'erase', 'left', 'erase a letter'],
		['eraseNextLetter', ['delete', 'ctrl-d'], 'erase', 'right', 'erase the next letter'],
		['eraseWord', ['ctrl-w', 'alt-backspace'], 'erase', 'wordLeft', 'erase a word'],
		['eraseNextWord', ['alt-d'], 'erase', 'wordRight', 'erase the next word'],
		['eraseLine', ['ctrl-u'], 'erase', 'start', 'erase to the start of the line'],
		['eraseToEnd', ['ctrl-k'], 'erase', 'end', 'erase to the end of the line'],
	] as const;
	return edits.map(([action, keys, type, to, help]) => ({
		action,
		keys,
		contexts: textContexts,
		intent: { type: 'edit', edit: { type, to } },
		help,
	}));
}

function answerBinding(
	action: string,
	keys: readonly string[],
	contexts: Binding['contexts'],
	answer: Answer,
	help: string,
	fixedKeys: readonly string[] = [],
): Binding {
	return { action, keys, fixedKeys, contexts, intent: { type: 'answer', answer, key: '' }, help };
}
