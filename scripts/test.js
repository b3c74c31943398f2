// Runs every check that must pass before a merge. Lint and types run at the same time as the first tests. These tests
// mostly wait for processes, so a core would be idle otherwise. The tests build the program.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';

const root = fileURLToPath(new URL('..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const path = [`${root}node_modules/.bin`, process.env.PATH].join(delimiter);

/** Runs a script of package.json with more options, and collects its output, so that two outputs do not mix. */
function run(script, options = '') {
	return new Promise(resolve => {
		const child = spawn(`${scripts[script]} ${options}`, {
			cwd: root,
			env: { ...process.env, PATH: path },
			shell: true,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		let output = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream.setEncoding('utf8').on('data', text => {
				output += text;
			});
		}
		child.on('close', code => resolve({ script, isPassed: code === 0, output }));
	});
}

// With one thread, it takes a third less processor time, which the tests then can use.
const checks = [run('lint'), run('types', '--singleThreaded')];
process.env.NODE_ENV ??= 'test';
const vitest = await createVitest('test', { root, watch: false, run: true });
// A check that fails ends the tests early.
for (const check of checks) {
	void check.then(({ isPassed }) => isPassed || vitest.cancelCurrentRun('test-failure'));
}
// Many times what a slow machine needs. A run that hangs would otherwise never say where.
const limitMs = 45 * 60_000;
setTimeout(() => {
	const running = vitest.state.getFiles().filter(({ result }) => !result || result.state === 'run');
	process.stdout.write(
		`Not over after 45 minutes:\n${running.map(({ name }) => name).join('\n')}\n`,
	);
	process.exit(1);
}, limitMs).unref();
try {
	await vitest.start();
} catch (error) {
	vitest.logger.printError(error, { fullStack: true });
	process.exitCode = 1;
}
for (const { script, isPassed, output } of await Promise.all(checks)) {
	process.stdout.write(`${isPassed ? 'ok    ' : 'failed'} ${script}\n${output}`);
	if (!isPassed) process.exitCode = 1;
}
await vitest.exit();
