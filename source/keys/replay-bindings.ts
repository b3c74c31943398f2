import {
	type Binding,
	bindingsIn,
	type Intent,
	type ReplayAction,
	viewContexts,
} from './binding.ts';

const minute = 60_000;

/** The keys that move through a recording. */
export const playerBindings: readonly Binding[] = bindingsIn(viewContexts, [
	['pause', ['space'], play({ type: 'pause' }), 'pause or resume', 'pause'],
	['faster', [']'], play({ type: 'speed', direction: 1 }), 'faster', 'faster'],
	['slower', ['['], play({ type: 'speed', direction: -1 }), 'slower', 'slower'],
	[
		'nextFact',
		['.'],
		play({ type: 'fact', direction: 1 }),
		'pause and step one fact forward',
		'step',
	],
	['factBefore', [','], play({ type: 'fact', direction: -1 }), 'pause and step one fact back'],
	[
		'nextChange',
		[')'],
		play({ type: 'change', direction: 1 }),
		'jump to the next log line',
		'next',
	],
	['changeBefore', ['('], play({ type: 'change', direction: -1 }), 'jump to the previous log line'],
	['minuteOn', ['right'], jumpIntent(minute), 'one minute forward'],
	['minuteBack', ['left'], jumpIntent(-minute), 'one minute back'],
	['tenMinutesOn', ['}', 'ctrl-right'], jumpIntent(10 * minute), 'ten minutes forward'],
	['tenMinutesBack', ['{', 'ctrl-left'], jumpIntent(-10 * minute), 'ten minutes back'],
	['begin', ['0'], play({ type: 'end', edge: 'first' }), 'jump to the start of the recording'],
	['finish', ['$'], play({ type: 'end', edge: 'last' }), 'jump to the end of the recording'],
]);

function play(action: ReplayAction): Intent {
	return { type: 'replay', action };
}

function jumpIntent(durationMs: number): Intent {
	return play({ type: 'jump', durationMs });
}

// These actions mark computers for operations. A replay has no operations, so they are left out.
const markActions = ['mark', 'markDown', 'markUp', 'markRange', 'markAll', 'markOthers'];

/** Returns the table for a replay: the player's keys, and the usual keys that do not need the platform. */
export function replayBindings(monitorBindings: readonly Binding[]): readonly Binding[] {
	return [
		...playerBindings,
		...monitorBindings.filter(({ action }) => !markActions.includes(action)),
	];
}

export const replayRefusal = 'This is a replay: it is not connected to a platform';

/** Whether the intent needs the platform, which a replay does not have. */
export function needsPlatform(intent: Intent): boolean {
	return (
		needsPlatformByType[intent.type] || (intent.type === 'copy' && intent.content === 'payment')
	);
}

// This record lists all types of intents, so that TypeScript reports a missing type.
const needsPlatformByType: Readonly<Record<Intent['type'], boolean>> = {
	move: false,
	edit: false,
	recall: false,
	searchHistory: false,
	complete: false,
	ask: true,
	answer: false,
	copy: false,
	palette: false,
	columns: false,
	showComputer: false,
	runHelpLine: false,
	helpFilter: false,
	helpNames: false,
	moveInPalette: false,
	savedFilter: false,
	chooseSetting: false,
	choose: false,
	signIn: true,
	signOut: true,
	formField: false,
	account: true,
	pay: true,
	startBilling: true,
	lock: true,
	retry: true,
	cancelUnsent: true,
	checkPorts: true,
	readNow: true,
	redraw: false,
	suspend: false,
	replay: false,
	closeOrQuit: false,
	quit: false,
	endCommands: false,
	unboundKey: false,
	refusedPaste: false,
};
