// Runs the program on its demo platform in a real pty, with a terminal emulator that shows the screen.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { bundle } from '../build.js';

/** Starts the demo in a new folder, so that a picture never shows the leftovers of an earlier run. */
export async function openDemo({ cols, rows, options = [] }) {
	const terminal = new xterm.Terminal({ cols, rows, allowProposedApi: true, scrollback: 0 });
	const folder = mkdtempSync(`${tmpdir()}/crowsnest-pictures-`);
	const env = {
		PATH: process.env.PATH,
		HOME: folder,
		TERM: 'xterm-256color',
		COLORTERM: 'truecolor',
		LANG: 'C.UTF-8',
		CROWSNEST_STATE_DIR: folder,
	};
	const program = spawn(process.execPath, [bundle, '--demo', ...options], { cols, rows, env });
	program.onData(text => terminal.write(text));
	terminal.onData(text => program.write(text));
	// On a busy machine, the demo answers late. A while after its first answer, everything has been read.
	for (let tries = 0; tries < 100 && !/live \d/.test(textOf(terminal)); tries++) await pause(200);
	await pause(3000);
	return {
		terminal,
		/** Presses keys, as a person does. `wait` lets a question become readable. */
		async press(...keys) {
			for (const key of keys) {
				if (key !== 'wait') program.write(key);
				await pause(key === 'wait' ? 500 : 60);
			}
		},
		async close() {
			const exited = new Promise(resolve => program.onExit(resolve));
			program.kill();
			await exited;
			rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

function textOf(terminal) {
	const { active } = terminal.buffer;
	const lines = Array.from({ length: terminal.rows }, (_, y) => active.getLine(active.baseY + y));
	return lines.map(line => line?.translateToString(true)).join('\n');
}
