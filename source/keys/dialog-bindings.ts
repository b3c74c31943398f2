import type { ColumnMove } from '../screen/column-move.ts';
import type { CaretMotion } from '../screen/typed-line.ts';
import {
	type Binding,
	bindingsIn,
	type DialogAnswer,
	type Intent,
	moveIntent,
	textContexts,
	viewContexts,
} from './binding.ts';

const yesKeys = ['y', 'Y'];

/** The keys of text fields, menus and dialogs. */
export const dialogBindings: readonly Binding[] = [
	{
		action: 'yes',
		keys: yesKeys,
		fixedKeys: yesKeys,
		contexts: ['question'],
		intent: answer('yes'),
		help: 'yes; the second key if the first asked',
	},
	...bindingsIn(
		['question'],
		[
			['no', ['n'], answer('no'), 'no'],
			['copyCommand', ['c', 'ctrl-y'], answer('copy'), 'copy the shell command'],
		],
	),
	...bindingsIn(
		['question', 'field'],
		[
			[
				'startFirst',
				['tab'],
				answer('startFirst'),
				'start those that are stopped before an update of all',
			],
		],
	),
	...bindingsIn(
		['field', 'password', 'signIn'],
		[['submit', ['enter'], answer('submit'), 'accept the typed text']],
	),
	...bindingsIn(
		['field'],
		[['copyTypedCommand', ['ctrl-y'], answer('copy'), 'copy the shell command']],
	),
	...bindingsIn(
		['signIn'],
		[
			['nextField', ['tab', 'down'], { type: 'formField', direction: 1 }, 'next field'],
			['previousField', ['shift-tab', 'up'], { type: 'formField', direction: -1 }, 'field before'],
		],
	),
	...bindingsIn(
		['password'],
		[['passwordCommand', ['ctrl-r'], answer('runCommand'), 'run the password command']],
	),
	{
		action: 'closeDialog',
		keys: ['escape'],
		fixedKeys: ['escape'],
		contexts: ['question', 'field', 'password', 'signIn'],
		intent: answer('back'),
		help: 'go back one step, or close the dialog',
	},
	...bindingsIn(
		['palette'],
		[
			['nextFound', ['down'], { type: 'moveInPalette', steps: 1 }, 'next result'],
			[
				'previousFound',
				['up'],
				{ type: 'moveInPalette', steps: -1 },
				'previous result; from the first one, an earlier text',
			],
			['olderCommand', ['ctrl-p'], { type: 'recall', direction: -1 }, 'earlier text'],
			['newerCommand', ['ctrl-n'], { type: 'recall', direction: 1 }, 'later text'],
			['nextFoundPage', ['pagedown'], { type: 'moveInPalette', steps: 8 }, 'next page of results'],
			[
				'previousFoundPage',
				['pageup'],
				{ type: 'moveInPalette', steps: -8 },
				'previous page of results',
			],
			['completeFound', ['tab'], { type: 'complete', direction: 1 }, 'complete the chosen result'],
			['choose', ['enter'], { type: 'choose', key: '' }, 'run the chosen result'],
		],
	),
	...bindingsIn(
		['columns'],
		[
			['nextColumn', ['j', 'down'], columnMove({ action: 'step', steps: 1 }), 'next column'],
			['previousColumn', ['k', 'up'], columnMove({ action: 'step', steps: -1 }), 'previous column'],
			[
				'showColumn',
				['space', 'enter'],
				columnMove({ action: 'toggle' }),
				'show or hide the column',
			],
			[
				'columnFurtherRight',
				['J', '>'],
				columnMove({ action: 'shift', direction: 1 }),
				'move the column right',
			],
			[
				'columnFurtherLeft',
				['K', '<'],
				columnMove({ action: 'shift', direction: -1 }),
				'move the column left',
			],
			['usualColumns', ['u'], { type: 'columns', action: 'reset' }, 'default columns'],
		],
	),
	...bindingsIn(viewContexts, [['signIn', ['l'], { type: 'signIn' }, 'sign in']]),
	// This has no key of its own, because it is seldom needed.
	...bindingsIn(viewContexts, [
		[
			'signOut',
			[],
			{ type: 'signOut', key: '' },
			'sign out: remove the stored token',
			undefined,
			'logout log off',
		],
	]),
	{
		action: 'back',
		keys: ['escape'],
		fixedKeys: ['escape'],
		contexts: [...viewContexts, 'help', 'filter', 'palette', 'columns', 'order'],
		intent: moveIntent({ type: 'back' }),
		help: 'go back one step, or to the filter before',
		hint: 'back',
	},
	...bindingsIn(
		['help'],
		[
			['runHelpLine', ['enter'], { type: 'runHelpLine', key: '' }, 'run the chosen key'],
			['helpFilter', ['/'], { type: 'helpFilter' }, 'search the keys of all places'],
			[
				'helpNames',
				['a'],
				{ type: 'helpNames' },
				'show the names of the actions, which the configuration needs to change their keys',
			],
		],
	),
	...bindingsIn(
		['filter'],
		[['keepFilter', ['enter'], moveIntent({ type: 'endFilter' }), 'keep the filter']],
	),
	...bindingsIn(
		['filter'],
		[
			['complete', ['tab'], { type: 'complete', direction: 1 }, 'complete the field or value'],
			['completeBack', ['shift-tab'], { type: 'complete', direction: -1 }, 'previous completion'],
			[
				'olderFilter',
				['up', 'ctrl-p'],
				{ type: 'recall', direction: -1 },
				'earlier filter; from the rows, one row up',
			],
			[
				'newerFilter',
				['down', 'ctrl-n'],
				{ type: 'recall', direction: 1 },
				'later filter, then down into the rows',
			],
		],
	),
	...bindingsIn(
		['field'],
		[
			[
				'olderLine',
				['up', 'ctrl-p'],
				{ type: 'recall', direction: -1 },
				'earlier text of this field',
			],
			[
				'newerLine',
				['down', 'ctrl-n'],
				{ type: 'recall', direction: 1 },
				'later text of this field',
			],
		],
	),
	...bindingsIn(
		['filter', 'palette', 'field'],
		[
			[
				'searchHistory',
				['ctrl-r'],
				{ type: 'searchHistory' },
				'search earlier texts; again: the next one',
			],
		],
	),
	// The keys of the line editor are the same in every text field.
	...bindingsIn(textContexts, [
		['cursorLeft', ['left', 'ctrl-b'], move('left'), 'one letter left'],
		['cursorRight', ['right', 'ctrl-f'], move('right'), 'one letter right'],
		['wordLeft', ['ctrl-left', 'alt-left', 'alt-b'], move('wordLeft'), 'one word left'],
		['wordRight', ['ctrl-right', 'alt-right', 'alt-f'], move('wordRight'), 'one word right'],
		['lineStart', ['home', 'ctrl-a'], move('lineStart'), 'start of the line'],
		['lineEnd', ['end', 'ctrl-e'], move('lineEnd'), 'end of the line'],
		['eraseLetter', ['backspace'], erase('left'), 'erase a letter'],
		['eraseNextLetter', ['delete', 'ctrl-d'], erase('right'), 'erase the next letter'],
		['eraseWord', ['ctrl-w', 'alt-backspace'], erase('wordLeft'), 'erase a word'],
		['eraseNextWord', ['alt-d'], erase('wordRight'), 'erase the next word'],
		['eraseLine', ['ctrl-u'], erase('lineStart'), 'erase to the start of the line'],
		['eraseToEnd', ['ctrl-k'], erase('lineEnd'), 'erase to the end of the line'],
	]),
];

function answer(each: DialogAnswer): Intent {
	return { type: 'answer', answer: each, key: '' };
}

function columnMove(move: ColumnMove): Intent {
	return moveIntent({ type: 'column', ...move });
}

function move(to: CaretMotion): Intent {
	return { type: 'edit', edit: { type: 'move', to } };
}

function erase(to: CaretMotion): Intent {
	return { type: 'edit', edit: { type: 'erase', to } };
}
