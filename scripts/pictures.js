// Writes the pictures of the documents as SVG files to docs/pictures. The program runs in a real pty on its demo platform,
// and a terminal emulator shows the screen after some keys. `npm run pictures` makes all of them, and `npm run pictures --
// detail animation` only the two named ones.
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { buildProgram, root } from './build.js';
import { animationFrom, linesFrom, svgFrom } from './pictures/svg.js';
import { backgrounds, openDemo } from './pictures/terminal.js';

const sizes = { large: [120, 36], middle: [80, 24] };

/** The keys that lead to each screen, and the options of the demo. */
const screens = {
	'detail-large-dark': { keys: ['j', 'j', 'j', 'j', 'j', 'j', '\r'] },
	'map-large-dark': { keys: ['m'], options: ['--computers', '1000'] },
	'versions-middle-light': { keys: ['4'] },
	'question-middle-dark': { keys: ['D', 'wait', ...'dra'] },
};

/** The keys and the caption of each scene of the animation. */
const film = [
	{
		keys: [],
		seconds: 2.2,
		caption: 'One pane for the whole fleet: trouble first, and the age of every row',
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

async function pictureOf(name) {
	const { keys, options } = screens[name];
	const [scene, size, background] = name.split('-');
	const [cols, rows] = sizes[size];
	const demo = await openDemo({ cols, rows, background, options });
	await demo.press(...keys);
	await pause(1500);
	const look = { ...backgrounds[background], isDark: background === 'dark' };
	const svg = svgFrom(demo.terminal, { title: `crowsnest: ${scene}`, ...look });
	await demo.close();
	return svg;
}

async function animation() {
	const size = { cols: 100, rows: 28 };
	const look = { ...backgrounds.dark, isDark: true };
	const demo = await openDemo({ ...size, background: 'dark', options: ['--computers', '200'] });
	await pause(2000);
	const frames = [];
	for (const { keys, seconds, caption } of film) {
		await demo.press(...keys);
		await pause(700);
		frames.push({ seconds, caption, lines: linesFrom(demo.terminal, look) });
	}
	await demo.close();
	return animationFrom({ ...size, frames }, { ...look, title: 'crowsnest in fifteen seconds' });
}

await buildProgram();
const chosen = process.argv.slice(2);
for (const name of [...Object.keys(screens), 'animation']) {
	if (chosen.length > 0 && !chosen.includes(name.split('-')[0])) continue;
	const svg = name === 'animation' ? await animation() : await pictureOf(name);
	writeFileSync(`${root}docs/pictures/${name}.svg`, svg);
}
process.exit();
