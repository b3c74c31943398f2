import type { SettingProblem } from '../../accounts/setting-values.ts';
import { failuresTerm, lastNightTerm } from '../../fleet/change.ts';
import type { AccountProfile } from '../../fleet/computers/account.ts';
import { orderFields, orderRows } from '../../fleet/computers/fields.ts';
import type { OperationId } from '../../fleet/operations/operation.ts';
import { type OwnCommand, ownCommandId } from '../../fleet/operations/operation-row.ts';
import {
	obstacleInPhase,
	operationIds,
	operationRowOf,
} from '../../fleet/operations/operation-table.ts';
import { minuteMs } from '../../foundation/duration.ts';
import { capitalized } from '../../foundation/letter-case.ts';
import { shellId } from '../../operations/own-commands.ts';
import { readOnlyText } from '../../operations/why-not.ts';
import { exportFormats } from '../../script/export-view.ts';
import { type FleetRow, isInTrouble } from '../../store/selectors.ts';
import { filterToCell } from '../../views/fleet/map.ts';
import * as hints from '../../views/frame/hints.ts';
import { failureOf } from '../../views/frame/messages.ts';
import {
	fieldPlaces,
	type HelpGroup,
	isTablePlace,
	orderActionOf,
	viewPlaces,
	type Where,
	worksIn,
} from '../../views/keys.ts';
import {
	chosenChoice,
	isHeading,
	lineUnderCursor,
	rowUnderCursor,
} from '../../views/look/cursor.ts';
import {
	across,
	halfPage,
	invertMarks,
	markOnward,
	markRange,
	page,
	step,
	toEnd,
} from '../../views/look/moves.ts';
import { currentFilter, isMap } from '../../views/look/screen.ts';
import type { CaretMotion } from '../../views/look/typed-line.ts';
import { homeView, isOrderable, viewRows, views } from '../../views/look/view-table.ts';
import * as looks from '../../views/look/views.ts';
import type { AccountChoice, Action, Hint, ReplayControl, Scene } from '../../views/scene.ts';
import * as accounts from './accounts.ts';
import * as dialogs from './dialogs.ts';
import { look, move, moveOnComputer } from './effects.ts';
import { exportView } from './export.ts';
import * as fields from './fields.ts';
import * as looking from './looking.ts';
import * as operations from './operations.ts';
import * as ports from './ports.ts';
import { moveInForm } from './sign-in.ts';

type Traits = Partial<Omit<Action, 'id' | 'keys' | 'where' | 'group' | 'help' | 'run'>>;

/** The keys stand in one text, with a blank between them. */
type Row = readonly [keys: string, help: string, run: Action['run'], ...Traits[]];

const at = (
	where: Where | Where[number],
	common: HelpGroup | (Traits & { group: HelpGroup }),
	rows: Readonly<Record<string, Row>>,
): readonly Action[] =>
	Object.entries(rows).map(([id, [keys, help, run, ...traits]]) => ({
		id,
		keys: keys.split(' ').filter(Boolean),
		where: typeof where === 'string' ? [where] : where,
		help,
		run,
		...(typeof common === 'string' ? { group: common } : common),
		...(Object.assign({}, ...traits) as Traits),
	}));

function hint(
	group: Hint['group'],
	rank: number,
	drop: number,
	text: string | Hint['text'],
	isUseful: (scene: Scene) => boolean | undefined = () => true,
): Hint {
	const textIn = typeof text === 'string' ? () => text : text;
	return { group, rank, drop, text: scene => (isUseful(scene) ? textIn(scene) : undefined) };
}

export const replayRefusal = 'This is a replay: it is not connected to a platform';

function onlyLive({ replay, screen }: Pick<Scene, 'replay' | 'screen'>): string | undefined {
	if (screen.pastAt !== undefined) return 'This is the past: Esc returns to now';
	return replay ? replayRefusal : undefined;
}

/** Actions that make sense only as keys are not in the palette. */
const keyOnly = { isKeyOnly: true };
const onLine = { subject: 'line' } as const;
const onComputers = { subject: 'computers' } as const;
const liveOnly = { refusal: onlyLive };
const unlessReplay: Traits = {
	refusal: ({ replay, screen }) =>
		screen.pastAt === undefined && replay ? replayRefusal : undefined,
};
const inTable = { refusal: looking.whileTableHidden };
const words = (text: string | undefined) => ({ words: text });
const fixed = (...fixedKeys: readonly string[]) => ({ fixedKeys });
const signOutWords = words('logout log off');

const viewsAndHelp: Where = [...viewPlaces, 'help'];

const footer: Readonly<Record<string, Hint>> = {
	open: hint('look', 1, 8, openVerb),
	filter: hint('look', 2, 2, 'filter', hints.hasFilteredLines),
	mark: hint('look', 3, 9, markVerb),
	order: hint('look', 4, 12, 'order', scene => hints.hasVisibleLine(scene) && !isMap(scene.screen)),
	nextTrouble: hint('look', 5, 11, 'next error', ({ shown }) => shown.rows.some(isInTrouble)),
	lock: hint('do', 1, 4, 'unlocks', ({ operationsState }) => operationsState.isLocked),
	retry: hint('do', 2, 4, 'retry', hasFailure),
	copyAddress: hint('do', 4, 14, 'copy address', hasPorts),
	checkPorts: hint('do', 4, 15, 'check', hasPorts),
	openEntry: hint('do', 8, 5, 'open', hints.hasLine),
	cancelUnsent: hint('do', 8, 8, 'cancel', scene => chosenChoice(scene)?.isCancellable === true),
	endCommands: hint('do', 8, 8, 'end the commands', hints.runsCommand),
	copyModel: hint('do', 8, 8, 'copy', hints.hasLine),
	showVersion: hint('do', 8, 8, 'show computers', hints.hasLine),
	startBilling: hint('do', 8, 13, 'start billing', ({ account }) => account.subscription === null),
	failuresOnly: hint('do', 9, 5, scene => toggleText(scene, failuresTerm, 'failures', 'any kind')),
	lastNight: hint('do', 9, 4, scene => toggleText(scene, lastNightTerm, 'last night', 'any time')),
	orderModels: hint('do', 9, 8, 'order'),
	updateBehind: hint('do', 9, 7, 'update all behind', mayUpdateBehind),
	pay: hint('do', 9, 8, 'open a payment page'),
	palette: hint('go', 1, 6, 'anything'),
	nextView: hint('go', 2, 10, 'views'),
	help: hint('go', 3, 1, 'help'),
	back: hint('go', 4, 3, hints.escapeHint),
	// In the menu of columns, the hint for Esc says the same.
	close: hint('go', 5, 1, 'close', ({ place }) => place !== 'columns'),
	quit: hint('go', 6, 1, scene => (hints.isTableHidden(scene) || scene.live ? 'close' : 'quit')),
};

function openVerb(scene: Scene): string | undefined {
	const line = isTablePlace(scene.place) ? lineUnderCursor(scene) : undefined;
	if (isHeading(line)) return line.isFolded ? 'unfold' : 'fold';
	return hints.hasVisibleLine(scene) ? 'open' : undefined;
}

function markVerb(scene: Scene): string | undefined {
	if (isHeading(lineUnderCursor(scene)) && isTablePlace(scene.place)) return 'mark the group';
	return hints.hasLine(scene) ? 'mark' : undefined;
}

function toggleText({ screen }: Scene, term: string, set: string, unset: string): string {
	const terms = currentFilter(screen).split(/\s+/);
	if (!terms.includes(term)) return set;
	return terms.length === 1 ? 'all' : unset;
}

function hasPorts(scene: Scene) {
	return (rowUnderCursor(scene)?.computer.reading.ports?.length ?? 0) > 0;
}

function hasFailure(scene: Scene) {
	return failureOf(scene) !== undefined || chosenChoice(scene)?.hasFailed === true;
}

function mayUpdateBehind({ operationsState, counts }: Scene) {
	return !operationsState.isLocked && counts.behind > 0;
}

const isOffered = (operation: OperationId) => (scene: Scene) => {
	const { subject, changes, seldomHelpsIn } = operationRowOf(operation);
	if (scene.operationsState.isLocked && changes) return false;
	if (subject === 'account') return true;
	const markedRows = hints.markedRowsOf(scene);
	if (markedRows.length > 0 && subject === 'port') return false;
	const row = rowUnderCursor(scene);
	if (row && seldomHelpsIn?.includes(row.computer.phase)) return false;
	const targets = markedRows.length > 0 ? markedRows : row ? [row] : [];
	return targets.some(target => accepts(target, operation));
};

function accepts(row: FleetRow, operation: OperationId): boolean {
	const { goal } = operationRowOf(operation);
	if (goal.reaches === 'version' && !row.isBehind) return false;
	if (goal.reaches === 'unpublished' && !row.computer.reading.ports?.length) return false;
	return obstacleInPhase(operation, row.computer.phase) === undefined;
}

const inPast = (text?: string): Traits => ({
	words: 'past history journal rewind time',
	...(text && { hint: hint('look', 0, 7, text, ({ live }) => live !== undefined) }),
});

/** A replay has a past of its own. */
const pastRows: Readonly<Record<string, Row>> = {
	lookBack: ['[', 'look back to the change before', looking.lookToChange(-1), inPast('earlier')],
	lookOn: [']', 'look on to the next change, or now', looking.lookToChange(1), inPast('later')],
	lookBackHour: ['{', 'look back an hour', looking.lookByHour(-1), inPast('an hour')],
	lookOnHour: ['}', 'look on an hour', looking.lookByHour(1), inPast()],
};

const lookingActions = [
	...at('fleet', 'Go', {
		open: [
			'enter',
			'open the computer; on a group: fold or unfold it',
			looking.open,
			onLine,
			words('why reason error details show'),
		],
	}),
	...at(
		'fleet',
		{ group: 'Mark', ...onLine },
		{
			mark: ['space', 'mark or unmark; on a group: all of it', looking.toggleMark],
			markDown: ['shift-down', 'mark, and go on marking downwards', move(markOnward(1)), keyOnly],
			markUp: ['shift-up', 'mark, and go on marking upwards', move(markOnward(-1)), keyOnly],
			markRange: ['V', 'mark from the last marked row to here', moveOnComputer(markRange), inTable],
			markAll: ['a', 'mark all shown; again: unmark them', looking.markAll, inTable],
			markOthers: ['*', 'invert the marks of the rows shown', move(invertMarks), inTable],
			markIdle: [
				'I',
				'mark those shown that have been idle for an hour or more, by their CPU',
				operations.markIdle,
				{ refusal: scene => onlyLive(scene) ?? looking.whileTableHidden(scene) },
				words('cost spend sleep unused'),
			],
		},
	),
	...at(viewPlaces, 'Look', {
		filter: [
			'/',
			'filter by words or fields: status:stopped cpu:>80 -word OR …',
			move(looks.startFilter),
		],
	}),
	...at(views.filter(isOrderable), 'Look', {
		columnLeft: ['<', 'order by the column to the left', move(looks.orderBy(-1)), inTable],
		columnRight: ['>', 'order by the column to the right', move(looks.orderBy(1)), inTable],
		reverse: ['=', 'reverse the order', looking.reverse, inTable],
	}),
	...at('fleet', 'Look', {
		order: [
			'o',
			'choose the order: o c orders by CPU, o t by trouble',
			move(looks.openOrderMenu),
			inTable,
			words(orderFields.map(field => orderRows[field].label).join(' ')),
		],
		pin: [
			't',
			'keep the computer on top, or no longer',
			looking.pin,
			onComputers,
			inTable,
			words('pin unpin favourite star'),
		],
		...pastRows,
	}),
	...at('fleet', 'Look', {
		group: [
			'b',
			'group the table by the next value: location, status, version, account, none',
			move(looks.groupByNext),
			inTable,
			words('groups sections'),
		],
		fold: ['w', 'fold or unfold the group', looking.fold(looks.toggleGroup()), onLine, inTable],
		foldAll: ['W', 'fold all groups, or unfold them', looking.fold(looks.toggleAllGroups), inTable],
	}),
	...at('fleet', 'Go', {
		nextTrouble: ['e', 'next computer in trouble', looking.trouble(1)],
		previousTrouble: ['E', 'previous computer in trouble', looking.trouble(-1)],
	}),
	...orderFields.flatMap(field => {
		const { key, label } = orderRows[field];
		const help = `order by ${label}; again reverses`;
		return at('order', 'Look', {
			[orderActionOf(field)]: [key, help, move(looks.orderByField(field))],
		});
	}),
	...views.flatMap(view => {
		const { key, about, words: more } = viewRows[view];
		const help = `show ${view}: ${about}`;
		return at(viewPlaces, 'Go', { [view]: [key, help, move(looks.showView(view)), words(more)] });
	}),
	...at(viewPlaces, 'Go', {
		underWay: [
			'J',
			'show what is under way, on top of the log',
			move(looks.showView('log')),
			words('jobs batches queue running progress cancel'),
		],
		nextView: ['tab', 'next view', move(looks.nextView(1)), keyOnly],
		previousView: ['shift-tab', 'previous view', move(looks.nextView(-1)), keyOnly],
	}),
];

/** The keys of the fleet view work in the map as well. */
const mapActions = [
	...at('fleet', 'Look', {
		map: ['m', 'show the computers as a map, or as a table', move(looks.toggleMap), inTable],
	}),
	...at('map', 'Go', {
		cellLeft: ['h left', 'one cell left', move(across(-1))],
		cellRight: ['right', 'one cell right', move(across(1))],
		cellRightOrSignIn: ['l', 'one cell right; while signed out: sign in', looking.goRightOrSignIn],
	}),
	...at('map', 'Look', {
		groupBy: ['b', 'group the map by the next value', move(looks.nextInMap('grouping')), inTable],
		colourBy: [
			'c',
			'colour the map by the next value',
			move(looks.nextInMap('colouring')),
			inTable,
		],
		filterToCell: [
			'f',
			'filter to the group of the cell, or to a cell of several computers',
			context => look(context, filterToCell(context.scene())),
		],
	}),
];

const textViewActions = [
	...at('log', 'Go', {
		openEntry: [
			'enter',
			'open the computer, or show the operations of a batch',
			looking.open,
			onLine,
		],
	}),
	...at('log', 'Look', {
		failuresOnly: [
			'e',
			'show failures only, or everything again',
			move(looks.toggleTerm(failuresTerm)),
		],
		lastNight: [
			'n',
			'show last night only, from 20:00 to 08:00, or everything again',
			move(looks.toggleTerm(lastNightTerm)),
		],
	}),
	...at('log', 'Do', {
		cancelUnsent: [
			'x delete',
			'cancel what is not sent yet',
			operations.cancelUnsent,
			onLine,
			liveOnly,
		],
	}),
	...at('output', 'Do', {
		endCommands: [
			'ctrl-c',
			'ask the running commands to end; quit if none runs',
			operations.endCommands,
			{ isInPlaceOfEverywhere: true },
		],
	}),
	...at('models', 'Do', {
		copyModel: ['y enter', "copy the model's id", ports.copyLine, onLine],
	}),
	...at('models', 'Look', {
		orderModels: ['o', 'order by the next column', move(looks.orderBy(1))],
	}),
	...at('versions', 'Go', {
		showVersion: ['enter', 'show the computers with this version', looking.open, onLine],
	}),
	...at('versions', 'Do', {
		updateBehind: [
			'u',
			'update all that are behind',
			operations.updateBehind,
			{ operation: 'update', refusal: refusalOf('update') },
		],
	}),
	...at(
		'billing',
		{ group: 'Do', ...liveOnly },
		{
			pay: [
				'o',
				'open a payment page, with its address and QR code',
				accounts.askAboutMoney('pay'),
			],
			startBilling: ['b', 'start billing for a new account', accounts.askAboutMoney('billing')],
			copyPayment: ['y', 'copy the address of the payment page', ports.copyPayment],
		},
	),
];

const movingActions = at(
	viewsAndHelp,
	{ group: 'Go', ...keyOnly },
	{
		down: ['j down', 'one row down', move(step(1))],
		up: ['k up', 'one row up', move(step(-1))],
		pageDown: ['pagedown ctrl-f', 'one page down', move(page(1))],
		pageUp: ['pageup ctrl-b', 'one page up', move(page(-1))],
		halfPageDown: ['ctrl-d', 'half a page down', move(halfPage(1))],
		halfPageUp: ['ctrl-u', 'half a page up', move(halfPage(-1))],
		first: ['g home', 'first row', move(toEnd('first'))],
		last: ['G end', 'last row', move(toEnd('last'))],
	},
);

const dialogActions = [
	...at('question', 'Do', {
		yes: ['y Y', 'yes; the second key if the first asked', dialogs.sayYes, fixed('y', 'Y')],
		no: ['n', 'no', dialogs.sayNo],
		copyCommand: ['c ctrl-y', 'copy the shell command', dialogs.copyCommand],
	}),
	...at(['question', 'field'], 'Do', {
		startFirst: [
			'tab',
			'next choice; before an update of all: start those that are stopped',
			dialogs.startFirst,
		],
	}),
	...at(['question', 'field'], 'Go', {
		nextLines: ['pagedown', 'next lines of a question without room', dialogs.showPage(1)],
		previousLines: ['pageup', 'lines before', dialogs.showPage(-1)],
	}),
	...at(['field', 'password', 'signIn'], 'Do', {
		submit: ['enter', 'accept the typed text', dialogs.submit],
	}),
	...at('field', 'Do', {
		copyTypedCommand: ['ctrl-y', 'copy the shell command', dialogs.copyCommand],
	}),
	...at('signIn', 'Go', {
		nextField: ['tab down', 'next field', moveInForm(1)],
		previousField: ['shift-tab up', 'field before', moveInForm(-1)],
	}),
	...at('password', 'Do', {
		passwordCommand: ['ctrl-r', 'run the password command', dialogs.runPasswordCommand],
	}),
	...at(['question', 'field', 'password', 'signIn'], 'Do', {
		closeDialog: [
			'escape',
			'go back one step, or close the dialog',
			dialogs.goBack,
			fixed('escape'),
		],
	}),
	...at('palette', 'Go', {
		nextFound: ['down', 'next result', fields.moveInPalette(1)],
		previousFound: [
			'up',
			'previous result; from the first one, an earlier text',
			fields.moveInPalette(-1),
		],
	}),
	...at('palette', 'Look', {
		olderCommand: ['ctrl-p', 'earlier text', fields.recall(-1)],
		newerCommand: ['ctrl-n', 'later text', fields.recall(1)],
	}),
	...at('palette', 'Go', {
		nextFoundPage: ['pagedown', 'next page of results', fields.moveInPalette(8)],
		previousFoundPage: ['pageup', 'previous page of results', fields.moveInPalette(-8)],
	}),
	...at('palette', 'Do', {
		completeFound: ['tab', 'complete the chosen result', fields.complete(1)],
		choose: ['enter', 'run the chosen result', fields.choose],
	}),
	...at('columns', 'Look', {
		nextColumn: ['j down', 'next column', move(looks.stepInColumns(1))],
		previousColumn: ['k up', 'previous column', move(looks.stepInColumns(-1))],
		showColumn: ['space enter', 'show or hide the column', move(looks.toggleColumn)],
		columnFurtherRight: ['J >', 'move the column right', move(looks.shiftColumn(1))],
		columnFurtherLeft: ['K <', 'move the column left', move(looks.shiftColumn(-1))],
		usualColumns: ['u', 'default columns', looking.resetColumns],
	}),
	...at(
		viewPlaces,
		{ group: 'Program', ...liveOnly },
		{
			signIn: ['l', 'sign in', accounts.openSignIn],
			signOut: ['', 'sign out: remove the stored token', accounts.signOut(), signOutWords],
		},
	),
	...at([...viewsAndHelp, 'filter', 'palette', 'columns', 'order'], 'Go', {
		back: [
			'escape',
			'go back one step, or to the filter before',
			fields.back,
			keyOnly,
			fixed('escape'),
		],
	}),
	...at('help', 'Do', { runHelpLine: ['enter', 'run the chosen key', looking.runHelpLine] }),
	...at('help', 'Look', {
		helpFilter: ['/', 'search the keys of all places', looking.filterHelp],
		helpNames: [
			'a',
			'show the names of the actions, which the configuration needs to change their keys',
			looking.showNamesInHelp,
		],
	}),
];

const fieldActions = [
	...at('filter', 'Look', { keepFilter: ['enter', 'keep the filter', fields.keepFilter] }),
	...at('filter', 'Do', {
		complete: ['tab', 'complete the field or value', fields.complete(1)],
		completeBack: ['shift-tab', 'previous completion', fields.complete(-1)],
	}),
	...at('filter', 'Look', {
		olderFilter: ['up ctrl-p', 'earlier filter; from the rows, one row up', fields.recall(-1)],
		newerFilter: ['down ctrl-n', 'later filter, then down into the rows', fields.recall(1)],
	}),
	...at('field', 'Look', {
		olderLine: ['up ctrl-p', 'earlier text of this field', fields.recall(-1)],
		newerLine: ['down ctrl-n', 'later text of this field', fields.recall(1)],
	}),
	...at(['filter', 'palette', 'field'], 'Look', {
		searchHistory: ['ctrl-r', 'search earlier texts; again: the next one', fields.searchHistory],
	}),
	...at(fieldPlaces, 'Do', {
		cursorLeft: edit('left ctrl-b', 'one letter left', 'move', 'left'),
		cursorRight: edit('right ctrl-f', 'one letter right', 'move', 'right'),
		wordLeft: edit('ctrl-left alt-left alt-b', 'one word left', 'move', 'wordLeft'),
		wordRight: edit('ctrl-right alt-right alt-f', 'one word right', 'move', 'wordRight'),
		lineStart: edit('home ctrl-a', 'start of the line', 'move', 'lineStart'),
		lineEnd: edit('end ctrl-e', 'end of the line', 'move', 'lineEnd'),
		eraseLetter: edit('backspace', 'erase a letter', 'erase', 'left'),
		eraseNextLetter: edit('delete ctrl-d', 'erase the next letter', 'erase', 'right'),
		eraseWord: edit('ctrl-w alt-backspace', 'erase a word', 'erase', 'wordLeft'),
		eraseNextWord: edit('alt-d', 'erase the next word', 'erase', 'wordRight'),
		eraseLine: edit('ctrl-u', 'erase to the start of the line', 'erase', 'lineStart'),
		eraseToEnd: edit('ctrl-k', 'erase to the end of the line', 'erase', 'lineEnd'),
	}),
];

function edit(keys: string, help: string, type: 'move' | 'erase', to: CaretMotion): Row {
	const effect = fields.editing({ type, to });
	return [keys, help, effect.run, { edit: effect.edit }];
}

const usualOperationHint = { rank: 9, drop: 8 };

/** What is done to computers comes first, what erases and what costs money last. */
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
		id: operation,
		keys,
		where: ['fleet'],
		group: 'Do',
		help,
		run: operations.ask(operation),
		operation,
		subject: subject === 'account' ? undefined : 'computers',
		refusal: refusalOf(operation),
		hint: hint('do', place.rank, place.drop, text, isOffered(operation)),
	};
}

function refusalOf(operation: OperationId): NonNullable<Action['refusal']> {
	return scene => {
		const { changes, barredBecause } = operationRowOf(operation);
		return (
			onlyLive(scene) ?? barredBecause ?? (changes && !scene.canChange ? readOnlyText : undefined)
		);
	};
}

/** THE table of actions. Dispatcher, footer, help, palette and configuration derive from it. */
export const actions: readonly Action[] = [
	...builtInOperations(),
	...lookingActions,
	...mapActions,
	...at('fleet', 'Do', {
		stopIdle: [
			'',
			'idle: stop those shown that have been idle for an hour or more, by their CPU',
			operations.stopIdle,
			{ refusal: refusalOf('stop') },
			words('cost spend sleep unused'),
		],
		copyId: ['y', "copy the computer's id", ports.copyId, onComputers],
		copyAddress: ['Y', 'copy the public address', ports.copyAddress, onComputers],
		checkPorts: [
			'v',
			"check the computer's published ports",
			ports.checkPorts,
			onComputers,
			liveOnly,
		],
		shell: [
			'!',
			'open a shell on the computer',
			operations.ask(shellId),
			onComputers,
			{ operation: shellId, refusal: refusalOf(shellId) },
			words('terminal console'),
		],
	}),
	...at(['fleet', 'log'], 'Do', {
		retry: ['F', 'retry the failed operations', operations.retry, onLine, liveOnly],
	}),
	...textViewActions,
	...movingActions,
	...at(['fleet', 'columns'], 'Look', {
		columns: ['C', 'choose the columns of the table', looking.chooseColumns, inTable],
	}),
	...at(viewPlaces, 'Program', {
		lock: ['L', 'lock or unlock: a locked monitor changes nothing', operations.lock, unlessReplay],
		openProposal: [
			'A',
			'open the question that an assistant proposes',
			operations.openProposal,
			{ refusal: scene => onlyLive(scene) ?? (scene.canChange ? undefined : readOnlyText) },
			words('mcp'),
		],
		readNow: ['R', 'refresh now, within the rate limits', looking.readNow, liveOnly],
		palette: [
			':',
			'find commands, computers, filters, columns: stop vega',
			fields.openPalette,
			keyOnly,
		],
	}),
	...at(viewsAndHelp, 'Program', {
		help: ['?', 'show or close this help', move(looks.toggleHelp)],
	}),
	...exportFormats.flatMap(format => {
		const name = capitalized(format);
		return at(viewPlaces, 'Program', {
			[`export${name}`]: [
				'',
				`export ${format}: write the rows of this view into a new file`,
				exportView(format, 'file'),
				words('download table spreadsheet'),
			],
			[`copy${name}`]: [
				'',
				`copy ${format}: copy the rows of this view`,
				exportView(format, 'clipboard'),
				words('export clipboard table'),
			],
		});
	}),
	...at('everywhere', 'Program', {
		redraw: ['ctrl-l', 'redraw the screen', ({ terminal }) => terminal.redraw(), keyOnly],
		suspend: ['ctrl-z', 'suspend; fg resumes', ({ terminal }) => terminal.suspend(), keyOnly],
	}),
	...at([...views.filter(view => view !== homeView), 'help', 'columns'], 'Go', {
		close: ['q', 'close; from the fleet, quit', looking.closeOrQuit, keyOnly],
	}),
	...at([homeView, 'tooSmall'], 'Program', {
		quit: ['q', 'quit, or close the details', looking.closeOrQuit, keyOnly],
	}),
	...at('everywhere', 'Program', { quitAnywhere: ['ctrl-c', 'quit', operations.quit] }),
	...dialogActions,
	...fieldActions,
].map(action => ({ hint: footer[action.id], ...action }));

const play =
	(control: (player: ReplayControl) => unknown): Action['run'] =>
	({ player, say }) => {
		const notice = player && control(player);
		if (typeof notice === 'string') say(notice);
	};

const facts = (direction: 1 | -1) => play(player => player.stepToFact(direction));
const changes = (direction: 1 | -1) => play(player => player.stepToChange(direction));
const minutes = (count: number) => play(player => player.jump(count * minuteMs));

const offered = (text: string | Hint['text']) => ({
	hint: hint('do', 9, 8, text, ({ replay }) => !replay?.isOver),
});

const pauseHint: Hint['text'] = ({ replay }) => (replay?.isPaused ? 'resume' : 'pause');

export const playerActions = at(viewPlaces, 'Go', {
	pause: ['space', 'pause or resume', play(player => player.togglePause()), offered(pauseHint)],
	faster: [']', 'faster', play(player => player.changeSpeed(1)), offered('faster')],
	slower: ['[', 'slower', play(player => player.changeSpeed(-1)), offered('slower')],
	nextFact: ['.', 'pause and step one fact forward', facts(1), offered('step')],
	factBefore: [',', 'pause and step one fact back', facts(-1)],
	nextChange: [')', 'jump to the next log line', changes(1), offered('next')],
	changeBefore: ['(', 'jump to the previous log line', changes(-1)],
	minuteOn: ['right', 'one minute forward', minutes(1)],
	minuteBack: ['left', 'one minute back', minutes(-1)],
	tenMinutesOn: ['} ctrl-right', 'ten minutes forward', minutes(10)],
	tenMinutesBack: ['{ ctrl-left', 'ten minutes back', minutes(-10)],
	begin: ['0', 'jump to the start of the recording', play(player => player.goToEnd('first'))],
	finish: ['$', 'jump to the end of the recording', play(player => player.goToEnd('last'))],
});

/** A replay has no operations, so it has no marks either. */
export const replayActions = (monitorActions: readonly Action[]): readonly Action[] => [
	...playerActions,
	...monitorActions.filter(({ id, group }) => group !== 'Mark' && !(id in pastRows)),
];

// The actions that come from the configuration: own commands, and, without a key, the profiles.

/** An earlier action keeps its key, so that only the palette runs a command whose key is taken. */
export function withOwnCommands(builtIn: readonly Action[], commands: readonly OwnCommand[]) {
	const actions = [...builtIn];
	const problems: SettingProblem[] = [];
	for (const command of commands) {
		const { key, label, name } = command;
		const earlier = key === undefined ? undefined : actions.find(each => takesKey(each, key));
		if (earlier) {
			const message = `commands.${name}: the key ${key} belongs to ${earlier.id}, so the command has no key`;
			problems.push({ message, isInFile: true });
		}
		const keys = key === undefined || earlier ? [] : [key];
		actions.push(operationAction(ownCommandId(command), keys, label));
	}
	return { actions, problems };
}

const takesKey = ({ keys, where }: Action, key: string) =>
	keys.includes(key) && (where.includes('everywhere') || worksIn({ where }, 'map'));

export const accountActions = (choices: readonly AccountChoice[]): readonly Action[] =>
	choices.flatMap(({ name, isOpen, description }) => {
		const does = isOpen ? 'take it out of the table' : 'add it to the table';
		const help = `account ${name}: ${does} (${description})`;
		return at('fleet', 'Program', {
			[`account ${name}`]: ['', help, accounts.toggleAccount(name), liveOnly],
		});
	});

export const signOutActions = (profiles: readonly AccountProfile[]): readonly Action[] =>
	profiles.length < 2
		? []
		: profiles.flatMap(({ account, name }) =>
				at(viewPlaces, 'Program', {
					[`signOut ${name}`]: [
						'',
						`sign out of ${name}`,
						accounts.signOut(account),
						liveOnly,
						signOutWords,
					],
				}),
			);
