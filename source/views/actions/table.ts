import { failuresTerm } from '../../fleet/change-filter.ts';
import { orderFields, orderRows } from '../../fleet/computers/order-fields.ts';
import type { OperationId } from '../../fleet/operations/operation.ts';
import { operationIds, operationRowOf } from '../../fleet/operations/operation-table.ts';
import { readOnlyText } from '../../operations/why-not.ts';
import {
	escapeHint,
	hasFailure,
	hasFilteredLines,
	hasLine,
	hasPorts,
	hasVisibleLine,
	isOffered,
	isTableHidden,
	isTermSet,
	mayUpdateBehind,
	runsCommand,
} from '../frame/hints.ts';
import { withMarksInverted, withRangeMarked } from '../look/marks.ts';
import {
	across,
	filterToCell,
	halfPage,
	mark,
	markOnward,
	nextColouring,
	nextGrouping,
	nextView,
	openOrderMenu,
	orderBy,
	orderByField,
	page,
	shiftColumn,
	showView,
	startFilter,
	step,
	stepInColumns,
	toEnd,
	toggleColumn,
	toggleHelp,
	toggleMap,
	toggleTerm,
} from '../look/moves.ts';
import type { CaretMotion } from '../look/typed-line.ts';
import { homeView, orderableViews, viewRows, views } from '../look/view-table.ts';
import type { Action, ActionContext, Hint, HintScene } from '../scene.ts';
import { askAboutMoney, openSignIn, signOut } from './accounts.ts';
import {
	copyCommand,
	goBack,
	runPasswordCommand,
	sayNo,
	sayYes,
	startFirst,
	submit,
} from './dialogs.ts';
import {
	back,
	choose,
	complete,
	editing,
	keepFilter,
	moveInPalette,
	recall,
	searchHistory,
} from './fields.ts';
import { filterHelp, openPalette, runHelpLine, showNamesInHelp } from './finding.ts';
import {
	chooseColumns,
	closeOrQuit,
	goRightOrSignIn,
	markAll,
	move,
	moveInTable,
	open,
	readNow,
	resetColumns,
	reverse,
	trouble,
} from './looking.ts';
import { ask, cancelUnsent, endCommands, lock, quit, retry, updateBehind } from './operations.ts';
import { fieldPlaces, type HelpGroup, viewPlaces, type Where } from './places.ts';
import { checkPorts, copyAddress, copyId, copyLine, copyPayment } from './ports.ts';
import { notInReplay, replayRefusal } from './refusals.ts';
import { orderActionOf } from './shown-keys.ts';
import { moveInForm } from './sign-in-form.ts';

type Row = Omit<Action, 'where'>;

function row(
	id: string,
	keys: readonly string[],
	group: HelpGroup,
	help: string,
	others: Pick<Action, 'run'> & Partial<Row>,
): Row {
	return { id, keys, group, help, ...others };
}

const at = (where: Where | Where[number], rows: readonly Row[]): readonly Action[] =>
	rows.map(each => ({ ...each, where: typeof where === 'string' ? [where] : where }));

/** Keeps actions out of the palette, because they make sense only as keys. */
const keysOnly = (rows: readonly Action[]): readonly Action[] =>
	rows.map(each => ({ ...each, isKeyOnly: true }));

function hint(
	group: Hint['group'],
	rank: number,
	drop: number,
	text: string,
	isUseful: (scene: HintScene) => boolean = () => true,
): Pick<Action, 'hint'> {
	return { hint: { group, rank, drop, text: scene => (isUseful(scene) ? text : undefined) } };
}

const viewsAndHelp: Where = [...viewPlaces, 'help'];
const fleetAndLog: Where = ['fleet', 'log'];
const fleetAndColumns: Where = ['fleet', 'columns'];
const questions: Where = ['question', 'field'];
const typedAnswers: Where = ['field', 'password', 'signIn'];
const askingDialogs: Where = ['question', 'field', 'password', 'signIn'];
const fieldsWithHistory: Where = ['filter', 'palette', 'field'];
const leavablePlaces: Where = [...viewPlaces, 'help', 'filter', 'palette', 'columns', 'order'];
const closablePlaces: Where = [...views.filter(view => view !== homeView), 'help', 'columns'];
const quittingPlaces: Where = [homeView, 'tooSmall'];

/** The keys that move through the views and change what they show. */
const lookingActions = [
	...keysOnly(
		at(viewsAndHelp, [
			row('down', ['j', 'down'], 'Go', 'one row down', { run: move(step(1)) }),
			row('up', ['k', 'up'], 'Go', 'one row up', { run: move(step(-1)) }),
			row('pageDown', ['pagedown', 'ctrl-f'], 'Go', 'one page down', { run: move(page(1)) }),
			row('pageUp', ['pageup', 'ctrl-b'], 'Go', 'one page up', { run: move(page(-1)) }),
			row('halfPageDown', ['ctrl-d'], 'Go', 'half a page down', { run: move(halfPage(1)) }),
			row('halfPageUp', ['ctrl-u'], 'Go', 'half a page up', { run: move(halfPage(-1)) }),
			row('first', ['g', 'home'], 'Go', 'first row', { run: move(toEnd('first')) }),
			row('last', ['G', 'end'], 'Go', 'last row', { run: move(toEnd('last')) }),
		]),
	),
	...at('fleet', [
		row('open', ['enter'], 'Go', 'open the computer', {
			run: open,
			subject: 'line',
			...hint('look', 1, 8, 'open', hasVisibleLine),
			words: 'why reason error details show',
		}),
		row('mark', ['space'], 'Mark', 'mark / unmark', {
			run: move(mark),
			subject: 'line',
			...hint('look', 3, 9, 'mark', hasLine),
		}),
		row('markDown', ['shift-down'], 'Mark', 'mark, and go on marking downwards', {
			run: move(markOnward(1)),
			isKeyOnly: true,
		}),
		row('markUp', ['shift-up'], 'Mark', 'mark, and go on marking upwards', {
			run: move(markOnward(-1)),
			isKeyOnly: true,
		}),
		row('markRange', ['V'], 'Mark', 'mark from the last marked row to here', {
			run: moveInTable(withRangeMarked),
			subject: 'line',
		}),
		row('markAll', ['a'], 'Mark', 'mark all shown; again: unmark them', {
			run: markAll,
			subject: 'line',
		}),
		row('markOthers', ['*'], 'Mark', 'invert the marks of the rows shown', {
			run: moveInTable(withMarksInverted),
			subject: 'line',
		}),
	]),
	...at(viewPlaces, [
		row('filter', ['/'], 'Look', 'filter by words or fields: status:stopped cpu:>80 -word OR …', {
			run: move(startFilter),
			...hint('look', 2, 2, 'filter', hasFilteredLines),
		}),
	]),
	...at(orderableViews, [
		row('columnLeft', ['<'], 'Look', 'order by the column to the left', {
			run: moveInTable(orderBy(-1)),
		}),
		row('columnRight', ['>'], 'Look', 'order by the column to the right', {
			run: moveInTable(orderBy(1)),
		}),
		row('reverse', ['='], 'Look', 'reverse the order', { run: reverse }),
	]),
	...at('fleet', [
		row('order', ['o'], 'Look', 'choose the order: o c orders by CPU, o t by trouble', {
			run: moveInTable(openOrderMenu),
			...hint('look', 4, 12, 'order', hasVisibleLine),
			words: orderFields.map(field => orderRows[field].label).join(' '),
		}),
		row('nextTrouble', ['e'], 'Go', 'next computer in trouble', {
			run: trouble(1),
			...hint('look', 5, 11, 'next error', ({ shown }) => shown.hasTrouble),
		}),
		row('previousTrouble', ['E'], 'Go', 'previous computer in trouble', { run: trouble(-1) }),
	]),
	...at(
		'order',
		orderFields.map(field =>
			row(
				orderActionOf(field),
				[orderRows[field].key],
				'Look',
				`order by ${orderRows[field].label}; again reverses`,
				{ run: move(orderByField(field)) },
			),
		),
	),
	...at(viewPlaces, [
		...views.map(view =>
			row(view, [viewRows[view].key], 'Go', `show ${view}: ${viewRows[view].about}`, {
				run: move(showView(view)),
				words: viewRows[view].words,
			}),
		),
		row('underWay', ['J'], 'Go', 'show what is under way, on top of the log', {
			run: move(showView('log')),
			words: 'jobs batches queue running progress cancel',
		}),
		row('nextView', ['tab'], 'Go', 'next view', {
			run: move(nextView(1)),
			isKeyOnly: true,
			...hint('go', 2, 10, 'views'),
		}),
		row('previousView', ['shift-tab'], 'Go', 'previous view', {
			run: move(nextView(-1)),
			isKeyOnly: true,
		}),
	]),
];

/** The keys of the map of the fleet. The keys of the fleet view work in the map as well. */
const mapActions = [
	...at('fleet', [
		row('map', ['m'], 'Look', 'show the computers as a map, or as a table', {
			run: moveInTable(toggleMap),
		}),
	]),
	...at('map', [
		row('cellLeft', ['h', 'left'], 'Go', 'one cell left', {
			run: move(across(-1)),
		}),
		row('cellRight', ['right'], 'Go', 'one cell right', {
			run: move(across(1)),
		}),
		row('cellRightOrSignIn', ['l'], 'Go', 'one cell right; while signed out: sign in', {
			run: goRightOrSignIn,
		}),
		row('groupBy', ['b'], 'Look', 'group the map by the next value', {
			run: moveInTable(nextGrouping),
		}),
		row('colourBy', ['c'], 'Look', 'colour the map by the next value', {
			run: moveInTable(nextColouring),
		}),
		row(
			'filterToCell',
			['f'],
			'Look',
			'filter to the group of the cell, or to a cell of several computers',
			{ run: move(filterToCell) },
		),
	]),
];

const textViewActions = [
	...at('log', [
		row('openEntry', ['enter'], 'Go', 'open the computer, or show the operations of a batch', {
			run: open,
			subject: 'line',
			...hint('do', 8, 8, 'open', hasLine),
		}),
		row('failuresOnly', ['e'], 'Look', 'show failures only, or everything again', {
			run: move(toggleTerm(failuresTerm)),
			hint: {
				group: 'do',
				rank: 9,
				drop: 7,
				text: scene => (isTermSet(scene, failuresTerm) ? 'all' : 'failures only'),
			},
		}),
		row('cancelUnsent', ['x', 'delete'], 'Do', 'cancel what is not sent yet', {
			run: cancelUnsent,
			subject: 'line',
			refusal: notInReplay,
			...hint('do', 8, 8, 'cancel', ({ choice }) => choice?.isCancellable === true),
		}),
	]),
	...at('output', [
		row('endCommands', ['ctrl-c'], 'Do', 'ask the running commands to end; quit if none runs', {
			run: endCommands,
			isInPlaceOfEverywhere: true,
			...hint('do', 8, 8, 'end the commands', runsCommand),
		}),
	]),
	...at('models', [
		row('copyModel', ['y', 'enter'], 'Do', "copy the model's id", {
			run: copyLine,
			subject: 'line',
			...hint('do', 8, 8, 'copy', hasLine),
		}),
		row('orderModels', ['o'], 'Look', 'order by the next column', {
			run: moveInTable(orderBy(1)),
			...hint('do', 9, 8, 'order'),
		}),
	]),
	...at('versions', [
		row('showVersion', ['enter'], 'Go', 'show the computers with this version', {
			run: open,
			subject: 'line',
			...hint('do', 8, 8, 'show computers', hasLine),
		}),
		row('updateBehind', ['u'], 'Do', 'update all that are behind', {
			run: updateBehind,
			operation: 'update',
			refusal: refusalOf('update'),
			...hint('do', 9, 7, 'update all behind', mayUpdateBehind),
		}),
	]),
	...at('billing', [
		row('pay', ['o'], 'Do', 'open a payment page, with its address and QR code', {
			run: askAboutMoney('pay'),
			refusal: notInReplay,
			...hint('do', 9, 8, 'open a payment page'),
		}),
		row('startBilling', ['b'], 'Do', 'start billing for a new account', {
			run: askAboutMoney('billing'),
			refusal: notInReplay,
			...hint('do', 8, 13, 'start billing', ({ account }) => account.subscription === null),
		}),
		row('copyPayment', ['y'], 'Do', 'copy the address of the payment page', {
			run: copyPayment,
			refusal: notInReplay,
		}),
	]),
];

const dialogActions = [
	...at('question', [
		row('yes', ['y', 'Y'], 'Do', 'yes; the second key if the first asked', {
			run: sayYes,
			fixedKeys: ['y', 'Y'],
		}),
		row('no', ['n'], 'Do', 'no', { run: sayNo }),
		row('copyCommand', ['c', 'ctrl-y'], 'Do', 'copy the shell command', { run: copyCommand }),
	]),
	...at(questions, [
		row('startFirst', ['tab'], 'Do', 'start those that are stopped before an update of all', {
			run: startFirst,
		}),
	]),
	...at(typedAnswers, [row('submit', ['enter'], 'Do', 'accept the typed text', { run: submit })]),
	...at('field', [
		row('copyTypedCommand', ['ctrl-y'], 'Do', 'copy the shell command', { run: copyCommand }),
	]),
	...at('signIn', [
		row('nextField', ['tab', 'down'], 'Go', 'next field', { run: moveInForm(1) }),
		row('previousField', ['shift-tab', 'up'], 'Go', 'field before', { run: moveInForm(-1) }),
	]),
	...at('password', [
		row('passwordCommand', ['ctrl-r'], 'Do', 'run the password command', {
			run: runPasswordCommand,
		}),
	]),
	...at(askingDialogs, [
		row('closeDialog', ['escape'], 'Do', 'go back one step, or close the dialog', {
			run: goBack,
			fixedKeys: ['escape'],
		}),
	]),
	...at('palette', [
		row('nextFound', ['down'], 'Go', 'next result', { run: moveInPalette(1) }),
		row('previousFound', ['up'], 'Go', 'previous result; from the first one, an earlier text', {
			run: moveInPalette(-1),
		}),
		row('olderCommand', ['ctrl-p'], 'Look', 'earlier text', { run: recall(-1) }),
		row('newerCommand', ['ctrl-n'], 'Look', 'later text', { run: recall(1) }),
		row('nextFoundPage', ['pagedown'], 'Go', 'next page of results', { run: moveInPalette(8) }),
		row('previousFoundPage', ['pageup'], 'Go', 'previous page of results', {
			run: moveInPalette(-8),
		}),
		row('completeFound', ['tab'], 'Do', 'complete the chosen result', { run: complete(1) }),
		row('choose', ['enter'], 'Do', 'run the chosen result', { run: choose }),
	]),
	...at('columns', [
		row('nextColumn', ['j', 'down'], 'Look', 'next column', {
			run: move(stepInColumns(1)),
		}),
		row('previousColumn', ['k', 'up'], 'Look', 'previous column', {
			run: move(stepInColumns(-1)),
		}),
		row('showColumn', ['space', 'enter'], 'Look', 'show or hide the column', {
			run: move(toggleColumn),
		}),
		row('columnFurtherRight', ['J', '>'], 'Look', 'move the column right', {
			run: move(shiftColumn(1)),
		}),
		row('columnFurtherLeft', ['K', '<'], 'Look', 'move the column left', {
			run: move(shiftColumn(-1)),
		}),
		row('usualColumns', ['u'], 'Look', 'default columns', { run: resetColumns }),
	]),
	...at(viewPlaces, [
		row('signIn', ['l'], 'Program', 'sign in', { run: openSignIn, refusal: notInReplay }),
		// This has no key of its own, because it is seldom needed.
		row('signOut', [], 'Program', 'sign out: remove the stored token', {
			run: signOut(),
			refusal: notInReplay,
			words: 'logout log off',
		}),
	]),
	...at(leavablePlaces, [
		row('back', ['escape'], 'Go', 'go back one step, or to the filter before', {
			run: back,
			isKeyOnly: true,
			fixedKeys: ['escape'],
			hint: { group: 'go', rank: 4, drop: 3, text: escapeHint },
		}),
	]),
	...at('help', [
		row('runHelpLine', ['enter'], 'Do', 'run the chosen key', { run: runHelpLine }),
		row('helpFilter', ['/'], 'Look', 'search the keys of all places', { run: filterHelp }),
		row(
			'helpNames',
			['a'],
			'Look',
			'show the names of the actions, which the configuration needs to change their keys',
			{ run: showNamesInHelp },
		),
	]),
];

const fieldActions = [
	...at('filter', [
		row('keepFilter', ['enter'], 'Look', 'keep the filter', { run: keepFilter }),
		row('complete', ['tab'], 'Do', 'complete the field or value', { run: complete(1) }),
		row('completeBack', ['shift-tab'], 'Do', 'previous completion', { run: complete(-1) }),
		row('olderFilter', ['up', 'ctrl-p'], 'Look', 'earlier filter; from the rows, one row up', {
			run: recall(-1),
		}),
		row('newerFilter', ['down', 'ctrl-n'], 'Look', 'later filter, then down into the rows', {
			run: recall(1),
		}),
	]),
	...at('field', [
		row('olderLine', ['up', 'ctrl-p'], 'Look', 'earlier text of this field', { run: recall(-1) }),
		row('newerLine', ['down', 'ctrl-n'], 'Look', 'later text of this field', { run: recall(1) }),
	]),
	...at(fieldsWithHistory, [
		row('searchHistory', ['ctrl-r'], 'Look', 'search earlier texts; again: the next one', {
			run: searchHistory,
		}),
	]),
	// The keys of the line editor are the same in every text field.
	...at(fieldPlaces, [
		edit('cursorLeft', ['left', 'ctrl-b'], 'one letter left', 'move', 'left'),
		edit('cursorRight', ['right', 'ctrl-f'], 'one letter right', 'move', 'right'),
		edit('wordLeft', ['ctrl-left', 'alt-left', 'alt-b'], 'one word left', 'move', 'wordLeft'),
		edit('wordRight', ['ctrl-right', 'alt-right', 'alt-f'], 'one word right', 'move', 'wordRight'),
		edit('lineStart', ['home', 'ctrl-a'], 'start of the line', 'move', 'lineStart'),
		edit('lineEnd', ['end', 'ctrl-e'], 'end of the line', 'move', 'lineEnd'),
		edit('eraseLetter', ['backspace'], 'erase a letter', 'erase', 'left'),
		edit('eraseNextLetter', ['delete', 'ctrl-d'], 'erase the next letter', 'erase', 'right'),
		edit('eraseWord', ['ctrl-w', 'alt-backspace'], 'erase a word', 'erase', 'wordLeft'),
		edit('eraseNextWord', ['alt-d'], 'erase the next word', 'erase', 'wordRight'),
		edit('eraseLine', ['ctrl-u'], 'erase to the start of the line', 'erase', 'lineStart'),
		edit('eraseToEnd', ['ctrl-k'], 'erase to the end of the line', 'erase', 'lineEnd'),
	]),
];

function edit(
	id: string,
	keys: readonly string[],
	help: string,
	type: 'move' | 'erase',
	to: CaretMotion,
): Row {
	const effect = editing({ type, to });
	return row(id, keys, 'Do', help, { run: effect.run, edit: effect.edit });
}

const usualOperationHint = { rank: 9, drop: 8 };

/** The operations with a key: what is done to computers first, what is erased and what costs money last. */
function builtInOperations(): readonly Action[] {
	const rankOf = (id: string) => {
		const { subject, asks } = operationRowOf(id);
		if (subject === 'account') return 3;
		return asks === 'type' ? 2 : Number(subject === 'port');
	};
	return operationIds()
		.toSorted((a, b) => rankOf(a) - rankOf(b))
		.flatMap(id => {
			const { key } = operationRowOf(id);
			return key === undefined ? [] : [operationAction(id, [key])];
		});
}

export function operationAction(
	operation: OperationId,
	keys: readonly string[],
	text = operationRowOf(operation).label.toLowerCase(),
): Action {
	const { help, subject, hint: place = usualOperationHint } = operationRowOf(operation);
	const { rank, drop } = place;
	return {
		...row(operation, keys, 'Do', help, { run: ask(operation) }),
		...hint('do', rank, drop, text, isOffered(operation)),
		where: ['fleet'],
		operation,
		subject: subject === 'account' ? undefined : 'computers',
		refusal: refusalOf(operation),
	};
}

/** An operation is refused for good in a replay, and, if it changes something, in a monitor that is read-only. */
function refusalOf(operation: OperationId): NonNullable<Action['refusal']> {
	return scene => {
		const { changes, barredBecause } = operationRowOf(operation);
		if (scene.replay) return replayRefusal;
		return barredBecause ?? (changes && !scene.canChange ? readOnlyText : undefined);
	};
}

/** THE table of actions. Dispatcher, footer, help, palette and configuration derive from it. */
export const actions: readonly Action[] = [
	...builtInOperations(),
	...lookingActions,
	...mapActions,
	...at('fleet', [
		row('copyId', ['y'], 'Do', "copy the computer's id", { run: copyId, subject: 'computers' }),
		row('copyAddress', ['Y'], 'Do', 'copy the public address', {
			run: copyAddress,
			subject: 'computers',
			...hint('do', 4, 14, 'copy address', hasPorts),
		}),
		row('checkPorts', ['v'], 'Do', "check the computer's published ports", {
			run: checkPorts,
			subject: 'computers',
			refusal: notInReplay,
			...hint('do', 4, 15, 'check', hasPorts),
		}),
	]),
	...at(fleetAndLog, [
		row('retry', ['F'], 'Do', 'retry the failed operations', {
			run: retry,
			subject: 'line',
			refusal: notInReplay,
			...hint('do', 2, 4, 'retry', hasFailure),
		}),
	]),
	...textViewActions,
	...at(fleetAndColumns, [
		row('columns', ['C'], 'Look', 'choose the columns of the table', { run: chooseColumns }),
	]),
	...at(viewPlaces, [
		row('lock', ['L'], 'Program', 'lock or unlock: a locked monitor changes nothing', {
			run: lock,
			refusal: notInReplay,
			...hint('do', 1, 4, 'unlocks', ({ operationsState }) => operationsState.isLocked),
		}),
		row('readNow', ['R'], 'Program', 'refresh now, within the rate limits', {
			run: readNow,
			refusal: notInReplay,
		}),
		row('palette', [':'], 'Program', 'find commands, computers, filters, columns: stop vega', {
			run: openPalette,
			isKeyOnly: true,
			...hint('go', 1, 6, 'anything'),
		}),
	]),
	...at(viewsAndHelp, [
		row('help', ['?'], 'Program', 'show or close this help', {
			run: move(toggleHelp),
			...hint('go', 3, 1, 'help'),
		}),
	]),
	...at('everywhere', [
		row('redraw', ['ctrl-l'], 'Program', 'redraw the screen', { run: redraw, isKeyOnly: true }),
		row('suspend', ['ctrl-z'], 'Program', 'suspend; fg resumes', { run: suspend, isKeyOnly: true }),
	]),
	...at(closablePlaces, [
		row('close', ['q'], 'Go', 'close; from the fleet, quit', {
			run: closeOrQuit,
			isKeyOnly: true, // In the menu of columns, the hint for Esc says the same.
			...hint('go', 5, 1, 'close', ({ place }) => place !== 'columns'),
		}),
	]),
	...at(quittingPlaces, [
		row('quit', ['q'], 'Program', 'quit, or close the details', {
			run: closeOrQuit,
			isKeyOnly: true,
			hint: {
				group: 'go',
				rank: 6,
				drop: 1,
				text: scene => (isTableHidden(scene) ? 'close' : 'quit'),
			},
		}),
	]),
	...at('everywhere', [row('quitAnywhere', ['ctrl-c'], 'Program', 'quit', { run: quit })]),
	...dialogActions,
	...fieldActions,
];

function redraw({ terminal }: ActionContext) {
	terminal.redraw();
}

function suspend({ terminal }: ActionContext) {
	terminal.suspend();
}
