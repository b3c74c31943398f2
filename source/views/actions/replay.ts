import type { Action, Hint, ReplayAction } from '../scene.ts';
import { viewPlaces } from './places.ts';
import { at, hint } from './row.ts';

const play =
	(action: ReplayAction): Action['run'] =>
	({ player, say }) => {
		const notice = player?.perform(action);
		if (notice !== undefined) say(notice);
	};

const minutes = (count: number) => play({ type: 'jump', durationMs: count * 60_000 });

const offered = (text: string | Hint['text']) => ({ hint: hint('do', 9, 8, text) });

const pauseHint: Hint['text'] = ({ replay }) =>
	replay?.isOver ? undefined : replay?.isPaused ? 'resume' : 'pause';

export const playerActions = at(viewPlaces, 'Go', {
	pause: ['space', 'pause or resume', play({ type: 'pause' }), offered(pauseHint)],
	faster: [']', 'faster', play({ type: 'speed', direction: 1 }), offered('faster')],
	slower: ['[', 'slower', play({ type: 'speed', direction: -1 }), offered('slower')],
	nextFact: [
		'.',
		'pause and step one fact forward',
		play({ type: 'fact', direction: 1 }),
		offered('step'),
	],
	factBefore: [',', 'pause and step one fact back', play({ type: 'fact', direction: -1 })],
	nextChange: [
		')',
		'jump to the next log line',
		play({ type: 'change', direction: 1 }),
		offered('next'),
	],
	changeBefore: ['(', 'jump to the previous log line', play({ type: 'change', direction: -1 })],
	minuteOn: ['right', 'one minute forward', minutes(1)],
	minuteBack: ['left', 'one minute back', minutes(-1)],
	tenMinutesOn: ['} ctrl-right', 'ten minutes forward', minutes(10)],
	tenMinutesBack: ['{ ctrl-left', 'ten minutes back', minutes(-10)],
	begin: ['0', 'jump to the start of the recording', play({ type: 'end', edge: 'first' })],
	finish: ['$', 'jump to the end of the recording', play({ type: 'end', edge: 'last' })],
});

/** Returns the table for a replay. It has no operations, so it has no marks either. */
export const replayActions = (monitorActions: readonly Action[]): readonly Action[] => [
	...playerActions,
	...monitorActions.filter(({ group }) => group !== 'Mark'),
];
