// Runs every check that must pass before a merge. Lint, types and build run at the same time, and the
// tests follow if all of them pass.
import { spawn } from 'node:child_process';

const checks = ['lint', 'types', 'build'];

/** Runs a script of package.json and collects its output, so that two outputs do not mix. */
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
