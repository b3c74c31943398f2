// All that has to pass before anything is merged. Format and lint, types and the build are independent
// of each other and run at the same time; the tests follow when all of them are right.
import { spawn } from 'node:child_process';

const checks = ['lint', 'types', 'build'];

/** Runs a script of package.json. What it writes is kept, so that no two are mixed up. */
function run(script) {
	return new Promise(resolve => {
		const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
		let output = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream.setEncoding('utf8').on('data', text => {
				output += text;
			});
		}
		child.on('close', code => resolve({ script, code, output }));
	});
}

const results = await Promise.all(checks.map(run));
for (const { script, code, output } of results) {
	process.stdout.write(`${code === 0 ? 'ok    ' : 'failed'} ${script}\n${output}`);
}

if (results.some(({ code }) => code !== 0)) {
	process.exitCode = 1;
} else {
	const tests = spawn('npm', ['run', '--silent', 'unit'], { stdio: 'inherit' });
	tests.on('close', code => {
		process.exitCode = code ?? 1;
	});
}
