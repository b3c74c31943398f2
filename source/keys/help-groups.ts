import type { Move } from '../screen/move.ts';
import type { Intent } from './binding.ts';

/** The groups of the help, in their order. */
export const helpGroups = ['Go', 'Look', 'Do', 'Mark', 'Program'] as const;

export type HelpGroup = (typeof helpGroups)[number];

// These records list all types of moves and intents, so that TypeScript reports a missing type.
const groupsByMove: Readonly<Record<Move['type'], HelpGroup>> = {
	step: 'Go',
	goTo: 'Go',
	page: 'Go',
	scroll: 'Go',
	end: 'Go',
	across: 'Go',
	trouble: 'Go',
	open: 'Go',
	view: 'Go',
	nextView: 'Go',
	close: 'Go',
	back: 'Go',
	startFilter: 'Look',
	setFilter: 'Look',
	filterFleet: 'Look',
	endFilter: 'Look',
	toggleTerm: 'Look',
	filterToCell: 'Look',
	orderBy: 'Look',
	orderByField: 'Look',
	openOrderMenu: 'Look',
	reverse: 'Look',
	column: 'Look',
	setColumns: 'Look',
	toggleMap: 'Look',
	nextGrouping: 'Look',
	nextColouring: 'Look',
	mark: 'Mark',
	markOnward: 'Mark',
	markRange: 'Mark',
	markAll: 'Mark',
	markOthers: 'Mark',
	markIds: 'Mark',
	openPalette: 'Program',
	help: 'Program',
};

const groupsByIntent: Readonly<Record<Exclude<Intent['type'], 'move'>, HelpGroup>> = {
	edit: 'Do',
	recall: 'Look',
	searchHistory: 'Look',
	complete: 'Do',
	ask: 'Do',
	answer: 'Do',
	copy: 'Do',
	palette: 'Program',
	columns: 'Look',
	showComputer: 'Go',
	moveInPalette: 'Go',
	savedFilter: 'Look',
	chooseSetting: 'Program',
	choose: 'Do',
	runHelpLine: 'Do',
	helpFilter: 'Look',
	helpNames: 'Look',
	signIn: 'Program',
	signOut: 'Program',
	formField: 'Go',
	account: 'Program',
	pay: 'Do',
	startBilling: 'Do',
	lock: 'Program',
	retry: 'Do',
	cancelUnsent: 'Do',
	checkPorts: 'Do',
	readNow: 'Program',
	redraw: 'Program',
	suspend: 'Program',
	replay: 'Go',
	closeOrQuit: 'Program',
	quit: 'Program',
	endCommands: 'Do',
	unboundKey: 'Program',
	refusedPaste: 'Program',
};

/** Returns the group in which the help lists a key with this intent. */
export const helpGroupOf = (intent: Intent): HelpGroup =>
	intent.type === 'move' ? groupsByMove[intent.move.type] : groupsByIntent[intent.type];
