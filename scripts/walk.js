// Lets a made-up person walk through the monitor, and tries every property more often than `npm test`
// does, each time from another seed: `npm run walk -- [--seed N] [--steps N | --for 90s|10m|1h] [--times N]`.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const usage = 'npm run walk -- [--seed N] [--steps N | --for 90s|10m|1h] [--times N]';

const { values: wish } = parseArgs({
	options: {
		/** Repeats the walk that printed it. */
		seed: { type: 'string', default: String(Math.floor(Math.random() * 0x7fff_ffff)) },
		steps: { type: 'string', default: '20000' },
		for: { type: 'string' },
		/** How many times as many runs as in `npm test` each property gets; 0 leaves them out. */
		times: { type: 'string', default: '20' },
	},
});

const units = { s: 1_000, m: 60_000, h: 3_600_000 };

/** @param {string} text such as 90s, 10m or 1h */
function millisecondsIn(text) {
	const [, number, unit] = /^(\d+)([smh])$/.exec(text) ?? [];
	if (!number) fail(`--for ${text} is no length of time`);
	return Number(number) * units[unit];
}

/** @param {string} message */
function fail(message) {
	process.stderr.write(`${message}\nUsage: ${usage}\n`);
	process.exit(2);
}

for (const name of ['seed', 'steps', 'times']) {
	if (!/^\d+$/.test(wish[name])) fail(`--${name} ${wish[name]} is no whole number`);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const files =
	wish.times === '0'
		? ['test/properties/screen-walk.test.ts']
		: ['test/properties', 'test/replacements'];
const words = [
	'run',
	...files,
	'--testTimeout=0',
	'--reporter=default',
	'--disable-console-intercept',
];

process.stdout.write(`npm run walk -- --seed ${wish.seed}\n`);
const child = spawn(process.execPath, [`${root}node_modules/vitest/vitest.mjs`, ...words], {
	cwd: root,
	stdio: 'inherit',
	env: {
		...process.env,
		WALK_SEED: wish.seed,
		WALK_TIMES: wish.times,
		WALK_STEPS: wish.steps,
		...(wish.for && { WALK_UNTIL: String(Date.now() + millisecondsIn(wish.for)) }),
	},
});
child.on('close', code => {
	if (code !== 0) process.stderr.write(`Repeat it with: npm run walk -- --seed ${wish.seed}\n`);
	process.exitCode = code ?? 1;
});
