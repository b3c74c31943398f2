// The short film at the top of the README: which keys are pressed, and the caption of each scene.
import { setTimeout as pause } from 'node:timers/promises';
import { openDemo } from './demo-terminal.js';
import { linesFrom } from './screen-svg.js';

const size = { cols: 100, rows: 28 };

const scenes = [
	{
		keys: [],
		seconds: 2.2,
		caption: 'One pane for the whole fleet: trouble first, and why',
	},
	{ keys: ['/', ...'cpu:>25'], seconds: 1.4, caption: '/  filters while you type' },
	{ keys: ['\r', 'r'], seconds: 1.8, caption: 'r  asks before it restarts a computer' },
	{ keys: ['wait', 'y'], seconds: 1.4, caption: 'y  confirms, and a countdown starts' },
	{ keys: ['\x1b'], seconds: 1.5, caption: 'Esc  cancels it: nothing was sent' },
	{ keys: ['\x1b', 'm'], seconds: 2, caption: 'm  shows the same computers as a map' },
	{ keys: ['b', 'b', 'c', 'c'], seconds: 1.6, caption: 'b and c  group and colour the map' },
	{
		keys: ['m', ':', ...'stop ve'],
		seconds: 1.5,
		caption: ':  finds every command, computer and view',
	},
	{ keys: ['\x1b', '2'], seconds: 1.6, caption: '2  says how long the credits last' },
];

/** Performs the scenes in the program, and returns each as a frame. */
export async function filmScenes(look) {
	const demo = await openDemo({
		...size,
		background: look.background,
		options: ['--computers', '200'],
	});
	await pause(2000);
	const frames = [];
	for (const { keys, seconds, caption } of scenes) {
		await demo.press(...keys);
		await pause(700);
		frames.push({ seconds, caption, lines: linesFrom(demo.terminal, look) });
	}
	await demo.close();
	return { ...size, frames };
}
