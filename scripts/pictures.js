// Pictures of the real program: it runs in a real pty on its demo platform, keys are typed, and what a
// terminal emulator then shows is written as SVG into docs/pictures. `npm run pictures`, or with the
// names of some: `npm run pictures -- fleet question`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { buildProgram, bundle, root } from './build.js';
import { svgFrom } from './screen-svg.js';

const sizes = { large: [120, 36], middle: [80, 24], small: [60, 15] };

/** What is typed to get there, key by key; the demo first has a moment to become lively. */
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
	// The program asks which colour the background has.
	terminal.parser.registerOscHandler(11, asked => {
		if (asked === '?') program.write(`\x1b]11;${answer}\x1b\\`);
		return true;
	});
	terminal.onData(text => program.write(text));
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
const wanted = process.argv.slice(2);
for (const scene of Object.keys(scenes)) {
	if (wanted.length > 0 && !wanted.includes(scene)) continue;
	for (const size of Object.keys(sizes)) {
		const both = Object.keys(backgrounds).map(async background => {
			const path = `${folder}/${scene}-${size}-${background}.svg`;
			writeFileSync(path, await picture(scene, size, background));
		});
		await Promise.all(both);
	}
}
process.exit();
