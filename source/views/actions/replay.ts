import type { Action, ReplayAction } from '../scene.ts';
import { viewPlaces } from './places.ts';

const minute = 60_000;

export const playerActions: readonly Action[] = [
	row('pause', ['space'], 'pause or resume', { type: 'pause' }),
	row('faster', [']'], 'faster', { type: 'speed', direction: 1 }, 'faster'),
	row('slower', ['['], 'slower', { type: 'speed', direction: -1 }, 'slower'),
	row('nextFact', ['.'], 'pause and step one fact forward', { type: 'fact', direction: 1 }, 'step'),
	row('factBefore', [','], 'pause and step one fact back', { type: 'fact', direction: -1 }),
	row('nextChange', [')'], 'jump to the next log line', { type: 'change', direction: 1 }, 'next'),
	row('changeBefore', ['('], 'jump to the previous log line', { type: 'change', direction: -1 }),
	row('minuteOn', ['right'], 'one minute forward', jump(minute)),
	row('minuteBack', ['left'], 'one minute back', jump(-minute)),
	row('tenMinutesOn', ['}', 'ctrl-right'], 'ten minutes forward', jump(10 * minute)),
	row('tenMinutesBack', ['{', 'ctrl-left'], 'ten minutes back', jump(-10 * minute)),
	row('begin', ['0'], 'jump to the start of the recording', { type: 'end', edge: 'first' }),
	row('finish', ['$'], 'jump to the end of the recording', { type: 'end', edge: 'last' }),
];

function row(
	id: string,
	keys: readonly string[],
	help: string,
	action: ReplayAction,
	hint?: string,
): Action {
	const text: NonNullable<Action['hint']>['text'] = ({ replay }) => {
		if (id !== 'pause') return hint;
		return replay?.isOver ? undefined : replay?.isPaused ? 'resume' : 'pause';
	};
	return {
		id,
		keys,
		where: viewPlaces,
		group: 'Go',
		help,
		hint:
			hint === undefined && id !== 'pause' ? undefined : { group: 'do', rank: 9, drop: 8, text },
		run({ player, say }) {
			const notice = player?.perform(action);
			if (notice !== undefined) say(notice);
		},
	};
}

function jump(durationMs: number): ReplayAction {
	return { type: 'jump', durationMs };
}

/** Returns the table for a replay. It has no operations, so it has no marks either. */
export const replayActions = (monitorActions: readonly Action[]): readonly Action[] => [
	...playerActions,
	...monitorActions.filter(({ group }) => group !== 'Mark'),
];
