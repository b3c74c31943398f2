import { spawn } from 'node:child_process';
import { homedir, uptime } from 'node:os';
import { fileURLToPath } from 'node:url';
import { commands } from './commands/catalog.ts';
import { runCommandLine } from './commands/command-line.ts';
import { createActivity } from './fleet/activity.ts';
import type { Clock } from './fleet/clock.ts';

// An executable of our own is both Node and the program.
const file = fileURLToPath(import.meta.url);
const itself = file === process.execPath ? [] : [file];

const clock: Clock = {
	now: () => Date.now(),
	after(milliseconds, call) {
		const timer = setTimeout(call, milliseconds);
		return () => clearTimeout(timer);
	},
};

process.exitCode = await runCommandLine(
	{
		program: process,
		clock,
		activity: createActivity(),
		elapsed: () => uptime() * 1000,
		home: homedir(),
		random: Math.random,
		fetch,
		spawnSelf: words =>
			spawn(process.execPath, [...itself, ...words], {
				stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
				detached: true,
			}),
		version: __VERSION__,
	},
	commands,
	process.argv.slice(2),
);
