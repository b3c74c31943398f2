// Runs the monitor with random keys and events, and every property test more often than `npm test` does,
// each time with a new seed: `npm run walk -- [--seed N] [--steps N | --for 90s|10m|1h] [--times N]`.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const usage = 'npm run walk -- [--seed N] [--steps N | --for 90s|10m|1h] [--times N]';

const { values: options } = parseArgs({
	options: {
		/** Repeats an earlier run, which printed its seed. */
		seed: { type: 'string', default: String(Math.floor(Math.random() * 0x7fff_ffff)) },
		steps: { type: 'string', default: '20000' },
		for: { type: 'string' },
		/** Multiplies the number of runs of each property test in `npm test`. 0 skips these tests. */
		times: { type: 'string', default: '20' },
	},
});

const units = { s: 1_000, m: 60_000, h: 3_600_000 };

/** @param {string} text such as 90s, 10m or 1h */
function millisecondsIn(text) {
	const [, number, unit] = /^(\d+)([smh])$/.exec(text) ?? [];
	if (!number) fail(`--for needs a duration such as 90s, 10m or 1h, not ${text}`);
	return Number(number) * units[unit];
}

/** @param {string} message */
function fail(message) {
	process.stderr.write(`${message}\nUsage: ${usage}\n`);
	process.exit(2);
}

for (const name of ['seed', 'steps', 'times']) {
	if (!/^\d+$/.test(options[name])) fail(`--${name} needs a whole number, not ${options[name]}`);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const files =
	options.times === '0'
		? ['test/properties/screen-walk.test.ts']
		: ['test/properties', 'test/replacements'];
const words = [
	'run',
	...files,
	'--testTimeout=0',
	'--reporter=default',
	'--disable-console-intercept',
];

process.stdout.write(`npm run walk -- --seed ${options.seed}\n`);
const child = spawn(process.execPath, [`${root}node_modules/vitest/vitest.mjs`, ...words], {
	cwd: root,
	stdio: 'inherit',
	env: {
		...process.env,
		WALK_SEED: options.seed,
		WALK_TIMES: options.times,
		WALK_STEPS: options.steps,
		...(options.for && { WALK_UNTIL: String(Date.now() + millisecondsIn(options.for)) }),
	},
});
child.on('close', code => {
	if (code !== 0) process.stderr.write(`Repeat it with: npm run walk -- --seed ${options.seed}\n`);
	process.exitCode = code ?? 1;
});
