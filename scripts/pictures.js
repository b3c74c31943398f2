// Writes screenshots of the program as SVG files to docs/pictures. The program runs in a real pty on its
// demo platform, and a terminal emulator shows the screen after some keys. `npm run pictures` makes all of
// them, and `npm run pictures -- fleet question` only these.
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { buildProgram, bundle, root } from './build.js';
import { svgFrom } from './screen-svg.js';

const sizes = { large: [120, 36], middle: [80, 24], small: [60, 15] };

/** The keys that lead to each screen. */
const scenes = {
	fleet: [],
	filter: ['/', ...'status:active cpu:>20'],
	question: ['j', 'j', 'j', 'D', 'wait', ...'dra'],
	help: ['?'],
	detail: ['\r'],
	billing: ['2'],
	models: ['3'],
	versions: ['4'],
	log: ['5'],
};

const backgrounds = {
	dark: { ground: '#16181d', ink: '#d7dae0', answer: 'rgb:1616/1818/1d1d' },
	light: { ground: '#fbfbfa', ink: '#24262b', answer: 'rgb:fbfb/fbfb/fafa' },
};

async function picture(scene, size, background) {
	const [cols, rows] = sizes[size];
	const { ground, ink, answer } = backgrounds[background];
	const terminal = new xterm.Terminal({ cols, rows, allowProposedApi: true, scrollback: 0 });
	const environment = {
		PATH: process.env.PATH,
		HOME: tmpdir(),
		TERM: 'xterm-256color',
		COLORTERM: 'truecolor',
		LANG: 'C.UTF-8',
		CROWSNEST_STATE_DIR: `${tmpdir()}/crowsnest-pictures`,
	};
	const program = spawn(process.execPath, [bundle, '--demo'], { cols, rows, env: environment });
	program.onData(text => terminal.write(text));
	// The program asks the terminal for its background colour.
	terminal.parser.registerOscHandler(11, request => {
		if (request === '?') program.write(`\x1b]11;${answer}\x1b\\`);
		return true;
	});
	terminal.onData(text => program.write(text));
	// The demo needs a few seconds until operations are under way.
	await pause(4000);
	for (const key of scenes[scene]) {
		if (key !== 'wait') program.write(key);
		await pause(key === 'wait' ? 500 : 60);
	}
	await pause(1500);
	const svg = svgFrom(terminal, {
		title: `crowsnest: ${scene}`,
		ground,
		ink,
		isDark: background === 'dark',
	});
	program.kill();
	return svg;
}

await buildProgram();
const folder = `${root}docs/pictures`;
mkdirSync(folder, { recursive: true });
const chosen = process.argv.slice(2);
for (const scene of Object.keys(scenes)) {
	if (chosen.length > 0 && !chosen.includes(scene)) continue;
	for (const size of Object.keys(sizes)) {
		const both = Object.keys(backgrounds).map(async background => {
			const path = `${folder}/${scene}-${size}-${background}.svg`;
			writeFileSync(path, await picture(scene, size, background));
		});
		await Promise.all(both);
	}
}
process.exit();
