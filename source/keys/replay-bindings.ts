import type { Binding, Intent, ReplayAct } from './binding.ts';
import { viewContexts } from './key-context.ts';

const minute = 60_000;

/** The keys that move through a recording. */
export const playerBindings: readonly Binding[] = [
	player('pause', ['space'], { do: 'pause' }, 'pause or resume', 'pause'),
	player('faster', [']'], { do: 'speed', by: 1 }, 'faster', 'faster'),
	player('slower', ['['], { do: 'speed', by: -1 }, 'slower', 'slower'),
	player('nextFact', ['.'], { do: 'fact', by: 1 }, 'pause and step one fact forward', 'step'),
	player('factBefore', [','], { do: 'fact', by: -1 }, 'pause and step one fact back'),
	player('nextChange', [')'], { do: 'change', by: 1 }, 'jump to the next log line', 'next'),
	player('changeBefore', ['('], { do: 'change', by: -1 }, 'jump to the previous log line'),
	player('minuteOn', ['right'], { do: 'jump', by: minute }, 'one minute forward'),
	player('minuteBack', ['left'], { do: 'jump', by: -minute }, 'one minute back'),
	player(
		'tenMinutesOn',
		['}', 'ctrl-right'],
		{ do: 'jump', by: 10 * minute },
		'ten minutes forward',
	),
	player(
		'tenMinutesBack',
		['{', 'ctrl-left'],
		{ do: 'jump', by: -10 * minute },
		'ten minutes back',
	),
	player('begin', ['0'], { do: 'end', which: 'first' }, 'jump to the start of the recording'),
	player('finish', ['$'], { do: 'end', which: 'last' }, 'jump to the end of the recording'),
];

function player(
	action: string,
	keys: readonly string[],
	act: ReplayAct,
	help: string,
	hint?: string,
): Binding {
	const intent = { type: 'replay', act } as const;
	return { action, keys, contexts: viewContexts, intent, help, ...(hint && { hint }) };
}

// Marks choose targets for operations, which a replay does not have.
const markActions = ['mark', 'markAll', 'markOthers'];

/** Returns the table for a replay: the player's keys, and the usual keys that do not need the platform. */
export function replayBindings(usual: readonly Binding[]): readonly Binding[] {
	return [...playerBindings, ...usual.filter(({ action }) => !markActions.includes(action))];
}

export const replayRefusal = 'This is a replay: it is not connected to a platform';

/** Whether the intent needs the platform, which a replay does not have. */
export function needsPlatform(intent: Intent): boolean {
	return needsPlatformByType[intent.type] || (intent.type === 'copy' && intent.what === 'payment');
}

// A record of all types, so that TypeScript reports a missing one.
const needsPlatformByType: Readonly<Record<Intent['type'], boolean>> = {
	move: false,
	type: false,
	erase: false,
	ask: true,
	answer: false,
	confirm: false,
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
