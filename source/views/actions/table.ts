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
import { invertMarks, mark, markOnward, markRange } from '../look/marks.ts';
import { across, halfPage, page, step, toEnd } from '../look/moves.ts';
import type { CaretMotion } from '../look/typed-line.ts';
import { homeView, isOrderable, viewRows, views } from '../look/view-table.ts';
import {
	filterToCell,
	nextColouring,
	nextGrouping,
	nextView,
	openOrderMenu,
	orderBy,
	orderByField,
	shiftColumn,
	showView,
	startFilter,
	stepInColumns,
	toggleColumn,
	toggleHelp,
	toggleMap,
	toggleTerm,
} from '../look/views.ts';
import type { Action, Hint, HintScene } from '../scene.ts';
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
import { notInReplay, replayRefusal } from './effects.ts';
import {
	back,
	choose,
	complete,
	editing,
	keepFilter,
	moveInPalette,
	openPalette,
	recall,
	searchHistory,
} from './fields.ts';
import {
	chooseColumns,
	closeOrQuit,
	filterHelp,
	goRightOrSignIn,
	markAll,
	move,
	moveInTable,
	open,
	readNow,
	resetColumns,
	reverse,
	runHelpLine,
	showNamesInHelp,
	trouble,
} from './looking.ts';
import { ask, cancelUnsent, endCommands, lock, quit, retry, updateBehind } from './operations.ts';
import { fieldPlaces, type HelpGroup, viewPlaces, type Where } from './places.ts';
import { checkPorts, copyAddress, copyId, copyLine, copyPayment } from './ports.ts';
import { orderActionOf } from './shown-keys.ts';
import { moveInForm } from './sign-in-form.ts';

type Row = Omit<Action, 'where' | 'group'>;

/** The keys stand in one text, with a blank between them. */
function row(
	id: string,
	keys: string,
	help: string,
	run: Action['run'],
	others?: Partial<Row>,
): Row {
	return { id, keys: keys.split(' ').filter(Boolean), help, run, ...others };
}

const at = (
	where: Where | Where[number],
	group: HelpGroup,
	rows: readonly Row[],
): readonly Action[] =>
	rows.map(each => ({ ...each, group, where: typeof where === 'string' ? [where] : where }));

function hint(
	group: Hint['group'],
	rank: number,
	drop: number,
	text: string | Hint['text'],
	isUseful: (scene: HintScene) => boolean | undefined = () => true,
): Pick<Action, 'hint'> {
	const textIn = typeof text === 'string' ? () => text : text;
	return {
		hint: { group, rank, drop, text: scene => (isUseful(scene) ? textIn(scene) : undefined) },
	};
}

/** Actions that make sense only as keys are not in the palette. */
const keyOnly = { isKeyOnly: true };
const onLine = { subject: 'line' } as const;
const onComputers = { subject: 'computers' } as const;
const liveOnly = { refusal: notInReplay };

const viewsAndHelp: Where = [...viewPlaces, 'help'];

/** The keys that move through the views and change what they show. */
const lookingActions = [
	...at(viewsAndHelp, 'Go', [
		row('down', 'j down', 'one row down', move(step(1)), keyOnly),
		row('up', 'k up', 'one row up', move(step(-1)), keyOnly),
		row('pageDown', 'pagedown ctrl-f', 'one page down', move(page(1)), keyOnly),
		row('pageUp', 'pageup ctrl-b', 'one page up', move(page(-1)), keyOnly),
		row('halfPageDown', 'ctrl-d', 'half a page down', move(halfPage(1)), keyOnly),
		row('halfPageUp', 'ctrl-u', 'half a page up', move(halfPage(-1)), keyOnly),
		row('first', 'g home', 'first row', move(toEnd('first')), keyOnly),
		row('last', 'G end', 'last row', move(toEnd('last')), keyOnly),
	]),
	...at('fleet', 'Go', [
		row('open', 'enter', 'open the computer', open, {
			...onLine,
			...hint('look', 1, 8, 'open', hasVisibleLine),
			words: 'why reason error details show',
		}),
	]),
	...at('fleet', 'Mark', [
		row('mark', 'space', 'mark / unmark', move(mark), {
			...onLine,
			...hint('look', 3, 9, 'mark', hasLine),
		}),
		row(
			'markDown',
			'shift-down',
			'mark, and go on marking downwards',
			move(markOnward(1)),
			keyOnly,
		),
		row('markUp', 'shift-up', 'mark, and go on marking upwards', move(markOnward(-1)), keyOnly),
		row('markRange', 'V', 'mark from the last marked row to here', moveInTable(markRange), onLine),
		row('markAll', 'a', 'mark all shown; again: unmark them', markAll, onLine),
		row('markOthers', '*', 'invert the marks of the rows shown', moveInTable(invertMarks), onLine),
	]),
	...at(viewPlaces, 'Look', [
		row(
			'filter',
			'/',
			'filter by words or fields: status:stopped cpu:>80 -word OR …',
			move(startFilter),
			hint('look', 2, 2, 'filter', hasFilteredLines),
		),
	]),
	...at(views.filter(isOrderable), 'Look', [
		row('columnLeft', '<', 'order by the column to the left', moveInTable(orderBy(-1))),
		row('columnRight', '>', 'order by the column to the right', moveInTable(orderBy(1))),
		row('reverse', '=', 'reverse the order', reverse),
	]),
	...at('fleet', 'Look', [
		row(
			'order',
			'o',
			'choose the order: o c orders by CPU, o t by trouble',
			moveInTable(openOrderMenu),
			{
				...hint('look', 4, 12, 'order', hasVisibleLine),
				words: orderFields.map(field => orderRows[field].label).join(' '),
			},
		),
	]),
	...at('fleet', 'Go', [
		row(
			'nextTrouble',
			'e',
			'next computer in trouble',
			trouble(1),
			hint('look', 5, 11, 'next error', ({ shown }) => shown.hasTrouble),
		),
		row('previousTrouble', 'E', 'previous computer in trouble', trouble(-1)),
	]),
	...at(
		'order',
		'Look',
		orderFields.map(field => {
			const { key, label } = orderRows[field];
			return row(
				orderActionOf(field),
				key,
				`order by ${label}; again reverses`,
				move(orderByField(field)),
			);
		}),
	),
	...at(viewPlaces, 'Go', [
		...views.map(view => {
			const { key, about, words } = viewRows[view];
			return row(view, key, `show ${view}: ${about}`, move(showView(view)), { words });
		}),
		row('underWay', 'J', 'show what is under way, on top of the log', move(showView('log')), {
			words: 'jobs batches queue running progress cancel',
		}),
		row('nextView', 'tab', 'next view', move(nextView(1)), {
			...keyOnly,
			...hint('go', 2, 10, 'views'),
		}),
		row('previousView', 'shift-tab', 'previous view', move(nextView(-1)), keyOnly),
	]),
];

/** The keys of the map of the fleet. The keys of the fleet view work in the map as well. */
const mapActions = [
	...at('fleet', 'Look', [
		row('map', 'm', 'show the computers as a map, or as a table', moveInTable(toggleMap)),
	]),
	...at('map', 'Go', [
		row('cellLeft', 'h left', 'one cell left', move(across(-1))),
		row('cellRight', 'right', 'one cell right', move(across(1))),
		row('cellRightOrSignIn', 'l', 'one cell right; while signed out: sign in', goRightOrSignIn),
	]),
	...at('map', 'Look', [
		row('groupBy', 'b', 'group the map by the next value', moveInTable(nextGrouping)),
		row('colourBy', 'c', 'colour the map by the next value', moveInTable(nextColouring)),
		row(
			'filterToCell',
			'f',
			'filter to the group of the cell, or to a cell of several computers',
			move(filterToCell),
		),
	]),
];

const failuresHint = (scene: HintScene) =>
	isTermSet(scene, failuresTerm) ? 'all' : 'failures only';

const textViewActions = [
	...at('log', 'Go', [
		row('openEntry', 'enter', 'open the computer, or show the operations of a batch', open, {
			...onLine,
			...hint('do', 8, 8, 'open', hasLine),
		}),
	]),
	...at('log', 'Look', [
		row(
			'failuresOnly',
			'e',
			'show failures only, or everything again',
			move(toggleTerm(failuresTerm)),
			hint('do', 9, 7, failuresHint),
		),
	]),
	...at('log', 'Do', [
		row('cancelUnsent', 'x delete', 'cancel what is not sent yet', cancelUnsent, {
			...onLine,
			...liveOnly,
			...hint('do', 8, 8, 'cancel', ({ choice }) => choice?.isCancellable === true),
		}),
	]),
	...at('output', 'Do', [
		row(
			'endCommands',
			'ctrl-c',
			'ask the running commands to end; quit if none runs',
			endCommands,
			{
				isInPlaceOfEverywhere: true,
				...hint('do', 8, 8, 'end the commands', runsCommand),
			},
		),
	]),
	...at('models', 'Do', [
		row('copyModel', 'y enter', "copy the model's id", copyLine, {
			...onLine,
			...hint('do', 8, 8, 'copy', hasLine),
		}),
	]),
	...at('models', 'Look', [
		row(
			'orderModels',
			'o',
			'order by the next column',
			moveInTable(orderBy(1)),
			hint('do', 9, 8, 'order'),
		),
	]),
	...at('versions', 'Go', [
		row('showVersion', 'enter', 'show the computers with this version', open, {
			...onLine,
			...hint('do', 8, 8, 'show computers', hasLine),
		}),
	]),
	...at('versions', 'Do', [
		row('updateBehind', 'u', 'update all that are behind', updateBehind, {
			operation: 'update',
			refusal: refusalOf('update'),
			...hint('do', 9, 7, 'update all behind', mayUpdateBehind),
		}),
	]),
	...at('billing', 'Do', [
		row('pay', 'o', 'open a payment page, with its address and QR code', askAboutMoney('pay'), {
			...liveOnly,
			...hint('do', 9, 8, 'open a payment page'),
		}),
		row('startBilling', 'b', 'start billing for a new account', askAboutMoney('billing'), {
			...liveOnly,
			...hint('do', 8, 13, 'start billing', ({ account }) => account.subscription === null),
		}),
		row('copyPayment', 'y', 'copy the address of the payment page', copyPayment, liveOnly),
	]),
];

const dialogActions = [
	...at('question', 'Do', [
		row('yes', 'y Y', 'yes; the second key if the first asked', sayYes, { fixedKeys: ['y', 'Y'] }),
		row('no', 'n', 'no', sayNo),
		row('copyCommand', 'c ctrl-y', 'copy the shell command', copyCommand),
	]),
	...at(['question', 'field'], 'Do', [
		row('startFirst', 'tab', 'start those that are stopped before an update of all', startFirst),
	]),
	...at(['field', 'password', 'signIn'], 'Do', [
		row('submit', 'enter', 'accept the typed text', submit),
	]),
	...at('field', 'Do', [row('copyTypedCommand', 'ctrl-y', 'copy the shell command', copyCommand)]),
	...at('signIn', 'Go', [
		row('nextField', 'tab down', 'next field', moveInForm(1)),
		row('previousField', 'shift-tab up', 'field before', moveInForm(-1)),
	]),
	...at('password', 'Do', [
		row('passwordCommand', 'ctrl-r', 'run the password command', runPasswordCommand),
	]),
	...at(['question', 'field', 'password', 'signIn'], 'Do', [
		row('closeDialog', 'escape', 'go back one step, or close the dialog', goBack, {
			fixedKeys: ['escape'],
		}),
	]),
	...at('palette', 'Go', [
		row('nextFound', 'down', 'next result', moveInPalette(1)),
		row(
			'previousFound',
			'up',
			'previous result; from the first one, an earlier text',
			moveInPalette(-1),
		),
	]),
	...at('palette', 'Look', [
		row('olderCommand', 'ctrl-p', 'earlier text', recall(-1)),
		row('newerCommand', 'ctrl-n', 'later text', recall(1)),
	]),
	...at('palette', 'Go', [
		row('nextFoundPage', 'pagedown', 'next page of results', moveInPalette(8)),
		row('previousFoundPage', 'pageup', 'previous page of results', moveInPalette(-8)),
	]),
	...at('palette', 'Do', [
		row('completeFound', 'tab', 'complete the chosen result', complete(1)),
		row('choose', 'enter', 'run the chosen result', choose),
	]),
	...at('columns', 'Look', [
		row('nextColumn', 'j down', 'next column', move(stepInColumns(1))),
		row('previousColumn', 'k up', 'previous column', move(stepInColumns(-1))),
		row('showColumn', 'space enter', 'show or hide the column', move(toggleColumn)),
		row('columnFurtherRight', 'J >', 'move the column right', move(shiftColumn(1))),
		row('columnFurtherLeft', 'K <', 'move the column left', move(shiftColumn(-1))),
		row('usualColumns', 'u', 'default columns', resetColumns),
	]),
	...at(viewPlaces, 'Program', [
		row('signIn', 'l', 'sign in', openSignIn, liveOnly),
		// This has no key of its own, because it is seldom needed.
		row('signOut', '', 'sign out: remove the stored token', signOut(), {
			...liveOnly,
			words: 'logout log off',
		}),
	]),
	...at([...viewsAndHelp, 'filter', 'palette', 'columns', 'order'], 'Go', [
		row('back', 'escape', 'go back one step, or to the filter before', back, {
			...keyOnly,
			fixedKeys: ['escape'],
			...hint('go', 4, 3, escapeHint),
		}),
	]),
	...at('help', 'Do', [row('runHelpLine', 'enter', 'run the chosen key', runHelpLine)]),
	...at('help', 'Look', [
		row('helpFilter', '/', 'search the keys of all places', filterHelp),
		row(
			'helpNames',
			'a',
			'show the names of the actions, which the configuration needs to change their keys',
			showNamesInHelp,
		),
	]),
];

const fieldActions = [
	...at('filter', 'Look', [row('keepFilter', 'enter', 'keep the filter', keepFilter)]),
	...at('filter', 'Do', [
		row('complete', 'tab', 'complete the field or value', complete(1)),
		row('completeBack', 'shift-tab', 'previous completion', complete(-1)),
	]),
	...at('filter', 'Look', [
		row('olderFilter', 'up ctrl-p', 'earlier filter; from the rows, one row up', recall(-1)),
		row('newerFilter', 'down ctrl-n', 'later filter, then down into the rows', recall(1)),
	]),
	...at('field', 'Look', [
		row('olderLine', 'up ctrl-p', 'earlier text of this field', recall(-1)),
		row('newerLine', 'down ctrl-n', 'later text of this field', recall(1)),
	]),
	...at(['filter', 'palette', 'field'], 'Look', [
		row('searchHistory', 'ctrl-r', 'search earlier texts; again: the next one', searchHistory),
	]),
	// The keys of the line editor are the same in every text field.
	...at(fieldPlaces, 'Do', [
		edit('cursorLeft', 'left ctrl-b', 'one letter left', 'move', 'left'),
		edit('cursorRight', 'right ctrl-f', 'one letter right', 'move', 'right'),
		edit('wordLeft', 'ctrl-left alt-left alt-b', 'one word left', 'move', 'wordLeft'),
		edit('wordRight', 'ctrl-right alt-right alt-f', 'one word right', 'move', 'wordRight'),
		edit('lineStart', 'home ctrl-a', 'start of the line', 'move', 'lineStart'),
		edit('lineEnd', 'end ctrl-e', 'end of the line', 'move', 'lineEnd'),
		edit('eraseLetter', 'backspace', 'erase a letter', 'erase', 'left'),
		edit('eraseNextLetter', 'delete ctrl-d', 'erase the next letter', 'erase', 'right'),
		edit('eraseWord', 'ctrl-w alt-backspace', 'erase a word', 'erase', 'wordLeft'),
		edit('eraseNextWord', 'alt-d', 'erase the next word', 'erase', 'wordRight'),
		edit('eraseLine', 'ctrl-u', 'erase to the start of the line', 'erase', 'lineStart'),
		edit('eraseToEnd', 'ctrl-k', 'erase to the end of the line', 'erase', 'lineEnd'),
	]),
];

function edit(
	id: string,
	keys: string,
	help: string,
	type: 'move' | 'erase',
	to: CaretMotion,
): Row {
	const effect = editing({ type, to });
	return row(id, keys, help, effect.run, { edit: effect.edit });
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
	return {
		...row(operation, keys.join(' '), help, ask(operation), {
			operation,
			subject: subject === 'account' ? undefined : 'computers',
			refusal: refusalOf(operation),
			...hint('do', place.rank, place.drop, text, isOffered(operation)),
		}),
		where: ['fleet'],
		group: 'Do',
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

const closesOrQuits = (scene: HintScene) => (isTableHidden(scene) ? 'close' : 'quit');

/** THE table of actions. Dispatcher, footer, help, palette and configuration derive from it. */
export const actions: readonly Action[] = [
	...builtInOperations(),
	...lookingActions,
	...mapActions,
	...at('fleet', 'Do', [
		row('copyId', 'y', "copy the computer's id", copyId, onComputers),
		row('copyAddress', 'Y', 'copy the public address', copyAddress, {
			...onComputers,
			...hint('do', 4, 14, 'copy address', hasPorts),
		}),
		row('checkPorts', 'v', "check the computer's published ports", checkPorts, {
			...onComputers,
			...liveOnly,
			...hint('do', 4, 15, 'check', hasPorts),
		}),
	]),
	...at(['fleet', 'log'], 'Do', [
		row('retry', 'F', 'retry the failed operations', retry, {
			...onLine,
			...liveOnly,
			...hint('do', 2, 4, 'retry', hasFailure),
		}),
	]),
	...textViewActions,
	...at(['fleet', 'columns'], 'Look', [
		row('columns', 'C', 'choose the columns of the table', chooseColumns),
	]),
	...at(viewPlaces, 'Program', [
		row('lock', 'L', 'lock or unlock: a locked monitor changes nothing', lock, {
			...liveOnly,
			...hint('do', 1, 4, 'unlocks', ({ operationsState }) => operationsState.isLocked),
		}),
		row('readNow', 'R', 'refresh now, within the rate limits', readNow, liveOnly),
		row('palette', ':', 'find commands, computers, filters, columns: stop vega', openPalette, {
			...keyOnly,
			...hint('go', 1, 6, 'anything'),
		}),
	]),
	...at(viewsAndHelp, 'Program', [
		row('help', '?', 'show or close this help', move(toggleHelp), hint('go', 3, 1, 'help')),
	]),
	...at('everywhere', 'Program', [
		row('redraw', 'ctrl-l', 'redraw the screen', ({ terminal }) => terminal.redraw(), keyOnly),
		row('suspend', 'ctrl-z', 'suspend; fg resumes', ({ terminal }) => terminal.suspend(), keyOnly),
	]),
	...at([...views.filter(view => view !== homeView), 'help', 'columns'], 'Go', [
		row('close', 'q', 'close; from the fleet, quit', closeOrQuit, {
			...keyOnly,
			// In the menu of columns, the hint for Esc says the same.
			...hint('go', 5, 1, 'close', ({ place }) => place !== 'columns'),
		}),
	]),
	...at([homeView, 'tooSmall'], 'Program', [
		row('quit', 'q', 'quit, or close the details', closeOrQuit, {
			...keyOnly,
			...hint('go', 6, 1, closesOrQuits),
		}),
	]),
	...at('everywhere', 'Program', [row('quitAnywhere', 'ctrl-c', 'quit', quit)]),
	...dialogActions,
	...fieldActions,
];
