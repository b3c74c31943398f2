// Writes the pictures of the documents as SVG files to docs/pictures. The program runs in a real pty on its demo platform,
// and a terminal emulator shows the screen after some keys. `npm run pictures` makes all of them, and `npm run pictures --
// map animation` only the two named ones.
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { buildProgram, root } from './build.js';
import { linesFrom, svgFrom } from './pictures/svg.js';
import { openDemo } from './pictures/terminal.js';

/** The size of each screen, the keys that lead to it, and the options of the demo. */
const screens = {
	map: { cols: 120, rows: 36, keys: ['m'], options: ['--computers', '1000'] },
	question: { cols: 80, rows: 24, keys: ['D', 'wait', ...'dra'] },
};

/** The keys and the caption of each scene of the animation. */
const film = [
	{ keys: [], seconds: 2.2, caption: 'One pane for the whole fleet, trouble first' },
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

async function pictureOf(name) {
	const { keys, ...options } = screens[name];
	const demo = await openDemo(options);
	await demo.press(...keys);
	await pause(1500);
	const frames = [{ seconds: 1, lines: linesFrom(demo.terminal) }];
	await demo.close();
	return svgFrom({ ...options, frames, title: `crowsnest: ${name}` });
}

async function animation() {
	const [cols, rows] = [100, 28];
	const demo = await openDemo({ cols, rows, options: ['--computers', '200'] });
	await pause(2000);
	const frames = [];
	for (const { keys, seconds, caption } of film) {
		await demo.press(...keys);
		await pause(700);
		frames.push({ seconds, caption, lines: linesFrom(demo.terminal) });
	}
	await demo.close();
	return svgFrom({ cols, rows: rows + 1, frames, title: 'crowsnest in fifteen seconds' });
}

await buildProgram();
const chosen = process.argv.slice(2);
for (const name of [...Object.keys(screens), 'animation']) {
	if (chosen.length > 0 && !chosen.includes(name)) continue;
	const svg = name === 'animation' ? await animation() : await pictureOf(name);
	writeFileSync(`${root}docs/pictures/${name}.svg`, svg);
}
process.exit();
