// Writes screenshots of the program as SVG files to docs/pictures. The program runs in a real pty on its demo
// platform, and a terminal emulator shows the screen after some keys. `npm run pictures` makes all of them, and `npm
// run pictures -- fleet question` only the two named ones. The name `animation` stands for the short film of the
// README.
import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { filmScenes } from './animation.js';
import { animationFrom } from './animation-svg.js';
import { buildProgram, root } from './build.js';
import { backgrounds, openDemo } from './demo-terminal.js';
import { svgFrom } from './screen-svg.js';

const sizes = { large: [120, 36], middle: [80, 24], small: [60, 15] };

/** The keys that lead to each screen, and the options of the demo. */
const scenes = {
	fleet: { keys: [] },
	map: { keys: ['m'], options: ['--computers', '1000'] },
	filter: { keys: ['/', ...'status:active cpu:>20'] },
	question: { keys: ['D', 'wait', ...'dra'] },
	help: { keys: ['?'] },
	detail: { keys: ['j', 'j', 'j', 'j', 'j', 'j', '\r'] },
	billing: { keys: ['2'] },
	models: { keys: ['3'] },
	versions: { keys: ['4'] },
	log: { keys: ['5'] },
};

async function picture(scene, size, background) {
	const [cols, rows] = sizes[size];
	const demo = await openDemo({ cols, rows, background, options: scenes[scene].options });
	await demo.press(...scenes[scene].keys);
	await pause(1500);
	const svg = svgFrom(demo.terminal, {
		title: `crowsnest: ${scene}`,
		...backgrounds[background],
		isDark: background === 'dark',
	});
	await demo.close();
	return svg;
}

async function animation() {
	const look = { ...backgrounds.dark, isDark: true, background: 'dark' };
	return animationFrom(await filmScenes(look), { ...look, title: 'crowsnest in fifteen seconds' });
}

await buildProgram();
const folder = `${root}docs/pictures`;
mkdirSync(folder, { recursive: true });
const chosen = process.argv.slice(2);
const isChosen = name => chosen.length === 0 || chosen.includes(name);
if (isChosen('animation')) writeFileSync(`${folder}/animation.svg`, await animation());
for (const scene of Object.keys(scenes).filter(isChosen)) {
	for (const size of Object.keys(sizes)) {
		const both = Object.keys(backgrounds).map(async background => {
			const path = `${folder}/${scene}-${size}-${background}.svg`;
			writeFileSync(path, await picture(scene, size, background));
		});
		await Promise.all(both);
	}
}
process.exit();
