import type { Action, Hint, ReplayControl } from '../scene.ts';
import { viewPlaces } from './places.ts';
import { at, hint } from './row.ts';

const play =
	(control: (player: ReplayControl) => unknown): Action['run'] =>
	({ player, say }) => {
		const notice = player && control(player);
		if (typeof notice === 'string') say(notice);
	};

const minutes = (count: number) => play(player => player.jump(count * 60_000));

const offered = (text: string | Hint['text']) => ({ hint: hint('do', 9, 8, text) });

const pauseHint: Hint['text'] = ({ replay }) =>
	replay?.isOver ? undefined : replay?.isPaused ? 'resume' : 'pause';

export const playerActions = at(viewPlaces, 'Go', {
	pause: ['space', 'pause or resume', play(player => player.togglePause()), offered(pauseHint)],
	faster: [']', 'faster', play(player => player.changeSpeed(1)), offered('faster')],
	slower: ['[', 'slower', play(player => player.changeSpeed(-1)), offered('slower')],
	nextFact: [
		'.',
		'pause and step one fact forward',
		play(player => player.stepToFact(1)),
		offered('step'),
	],
	factBefore: [',', 'pause and step one fact back', play(player => player.stepToFact(-1))],
	nextChange: [
		')',
		'jump to the next log line',
		play(player => player.stepToChange(1)),
		offered('next'),
	],
	changeBefore: ['(', 'jump to the previous log line', play(player => player.stepToChange(-1))],
	minuteOn: ['right', 'one minute forward', minutes(1)],
	minuteBack: ['left', 'one minute back', minutes(-1)],
	tenMinutesOn: ['} ctrl-right', 'ten minutes forward', minutes(10)],
	tenMinutesBack: ['{ ctrl-left', 'ten minutes back', minutes(-10)],
	begin: ['0', 'jump to the start of the recording', play(player => player.goToEnd('first'))],
	finish: ['$', 'jump to the end of the recording', play(player => player.goToEnd('last'))],
});

/** Returns the table for a replay. It has no operations, so it has no marks either. */
export const replayActions = (monitorActions: readonly Action[]): readonly Action[] => [
	...playerActions,
	...monitorActions.filter(({ group }) => group !== 'Mark'),
];
