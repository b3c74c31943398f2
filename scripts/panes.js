// Kills, stops and closes panes that share one watch, at random, and checks that one of them polls and that each change
// is journalled once: `npm run panes -- [--kills N] [--panes N] [--computers N] [--speed N] [--seed N]`.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const usage = 'npm run panes -- [--kills N] [--panes N] [--computers N] [--speed N] [--seed N]';

const { values: options } = parseArgs({
	options: {
		kills: { type: 'string', default: '200' },
		panes: { type: 'string', default: '10' },
		computers: { type: 'string', default: '1000' },
		/**
		 * How many times as fast as real time the panes' clock runs. Where other programs keep the machine busy, a fast
		 * clock makes each pane look silent, so that the panes poll for themselves.
		 */
		speed: { type: 'string', default: '4' },
		/** Repeats the disturbances of an earlier run, which printed its seed. */
		seed: { type: 'string', default: String(Math.floor(Math.random() * 0x7fff_ffff)) },
	},
});

for (const [name, value] of Object.entries(options)) {
	if (/^\d+$/.test(value)) continue;
	process.stderr.write(`--${name} needs a whole number, not ${value}\nUsage: ${usage}\n`);
	process.exit(2);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const words = ['run', 'test/sharing/kills.test.ts', '--disable-console-intercept'];

process.stdout.write(`npm run panes -- --seed ${options.seed}\n`);
const child = spawn(process.execPath, [`${root}node_modules/vitest/vitest.mjs`, ...words], {
	cwd: root,
	stdio: 'inherit',
	env: {
		...process.env,
		PANES_KILLS: options.kills,
		PANES_COUNT: options.panes,
		PANES_COMPUTERS: options.computers,
		PANES_SPEED: options.speed,
		PANES_SEED: options.seed,
	},
});
child.on('close', code => {
	process.exitCode = code ?? 1;
});
