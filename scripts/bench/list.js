// Measures the processor time and the elapsed time of `crowsnest list` while a monitor is open, compared with `node
// -e 0`.
import { spawn } from 'node:child_process';
import { createTable, median } from './figures.js';
import { openPromptPlatform } from './platform.js';
import { createHome, openReadySession } from './session.js';

const runs = 15;

export async function measureList(program) {
	const table = createTable('The list beside a monitor: processor time, and time');
	for (const computers of [24, 1000, 10_000]) {
		const home = createHome();
		const limits = { create: 10_000, status: 10_000, other: 10_000 };
		const platform = await openPromptPlatform(home.folder, { computers, limits });
		try {
			const env = { ...home.env, ...platform.env };
			const monitor = await openReadySession([program], env);
			const commands = [
				['-e', '0'],
				[program, 'list'],
				[program, 'list', '--json'],
			];
			for (const words of commands) await timesOf(words, env);
			const measured = commands.map(() => []);
			// The runs alternate, so that both commands meet the same load of the machine.
			for (let run = 0; run < runs; run++) {
				for (const [at, words] of commands.entries()) measured[at].push(await timesOf(words, env));
			}
			await monitor.quit();
			const [node, ...lists] = measured.map(times => {
				return {
					// The shell counts in steps of ten milliseconds, so the mean of many runs is used.
					cpu: times.reduce((sum, each) => sum + each.cpu, 0) / runs,
					wall: median(times.map(each => each.wall)),
				};
			});
			for (const [at, { cpu, wall }] of lists.entries()) {
				const ratio = cpu / node.cpu;
				table.addRow(
					`${commands[at + 1].slice(1).join(' ')}, ${computers.toLocaleString('en')} computers`,
					`${cpu.toFixed(0)} ms = ${ratio.toFixed(1)} ×, ${wall.toFixed(0)} ms = ${(wall / node.wall).toFixed(1)} ×`,
					...(computers === 1000 ? ['at most 3 × node -e 0', ratio <= 3] : []),
				);
			}
		} finally {
			await platform.close();
			home.remove();
		}
	}
	return table;
}

/** Runs Node, and returns its processor time, which the shell prints, and the elapsed time, both in milliseconds. */
async function timesOf(words, env) {
	const start = performance.now();
	const line = ['-c', '"$@" >/dev/null 2>&1; times', 'sh', process.execPath, ...words];
	const shell = spawn('sh', line, { env, stdio: ['ignore', 'pipe', 'inherit'] });
	let printed = '';
	shell.stdout.on('data', text => {
		printed += text;
	});
	await new Promise(resolve => shell.on('close', resolve));
	// The second line has the user and the system time of the children, as in `0m0.090000s 0m0.010000s`.
	const seconds = [...(printed.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
	const cpu = seconds.reduce(
		(sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest),
		0,
	);
	return { cpu: cpu * 1000, wall: performance.now() - start };
}
