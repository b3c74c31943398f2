import { spawn } from 'node:child_process';
import { homedir, uptime } from 'node:os';
import { commands } from '../../../source/cli/catalog.ts';
import { runCommandLine } from '../../../source/cli/command-line.ts';
import { createDirectFetch } from '../../../source/platform/http.ts';
import { acceleratedClock } from '../../../source/simulator/simulator.ts';
import { liveClock } from '../live-clock.ts';

declare const __VERSION__: string;

/** The whole program and its demo platform at twenty times the speed: an hour takes three minutes. */
const speed = 20;

void runCommandLine(
	{
		program: Object.assign(process, { console }),
		clock: {
			...acceleratedClock(liveClock, speed),
			monotonic: () => performance.now() * speed,
		},
		msSinceBoot: () => uptime() * 1000 * speed,
		processId: String(process.pid),
		home: homedir(),
		random: Math.random,
		fetch: createDirectFetch(liveClock, `crowsnest/${__VERSION__}`),
		spawn,
		version: __VERSION__,
	},
	commands,
	process.argv.slice(2),
).then(code => {
	process.exitCode = code;
});
