import type { Binding, Intent, ReplayAction } from './binding.ts';
import { viewContexts } from './key-context.ts';

const minute = 60_000;

/** The keys that move through a recording. */
export const playerBindings: readonly Binding[] = [
	playerBinding('pause', ['space'], { type: 'pause' }, 'pause or resume', 'pause'),
	playerBinding('faster', [']'], { type: 'speed', direction: 1 }, 'faster', 'faster'),
	playerBinding('slower', ['['], { type: 'speed', direction: -1 }, 'slower', 'slower'),
	playerBinding(
		'nextFact',
		['.'],
		{ type: 'fact', direction: 1 },
		'pause and step one fact forward',
		'step',
	),
	playerBinding(
		'factBefore',
		[','],
		{ type: 'fact', direction: -1 },
		'pause and step one fact back',
	),
	playerBinding(
		'nextChange',
		[')'],
		{ type: 'change', direction: 1 },
		'jump to the next log line',
		'next',
	),
	playerBinding(
		'changeBefore',
		['('],
		{ type: 'change', direction: -1 },
		'jump to the previous log line',
	),
	playerBinding('minuteOn', ['right'], { type: 'jump', durationMs: minute }, 'one minute forward'),
	playerBinding('minuteBack', ['left'], { type: 'jump', durationMs: -minute }, 'one minute back'),
	playerBinding(
		'tenMinutesOn',
		['}', 'ctrl-right'],
		{ type: 'jump', durationMs: 10 * minute },
		'ten minutes forward',
	),
	playerBinding(
		'tenMinutesBack',
		['{', 'ctrl-left'],
		{ type: 'jump', durationMs: -10 * minute },
		'ten minutes back',
	),
	playerBinding(
		'begin',
		['0'],
		{ type: 'end', edge: 'first' },
		'jump to the start of the recording',
	),
	playerBinding('finish', ['$'], { type: 'end', edge: 'last' }, 'jump to the end of the recording'),
];

function playerBinding(
	action: string,
	keys: readonly string[],
	replayAction: ReplayAction,
	help: string,
	hint?: string,
): Binding {
	const intent = { type: 'replay', action: replayAction } as const;
	return { action, keys, contexts: viewContexts, intent, help, hint };
}

// Marks choose targets for operations, which a replay does not have.
const markActions = ['mark', 'markAll', 'markOthers'];

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
	ask: true,
	answer: false,
	copy: false,
	palette: false,
	columns: false,
	choose: false,
	signIn: true,
	pay: true,
	startBilling: true,
	lock: true,
	retry: true,
	checkPorts: true,
	readNow: true,
	redraw: false,
	suspend: false,
	replay: false,
	quit: false,
};
