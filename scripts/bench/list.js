// Measures the processor time and the time of commands that scripts wait for, with and without a monitor, against
// `node -e 0`.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createTable, median } from './figures.js';
import { openPromptPlatform } from './platform.js';
import { createHome, openReadySession } from './session.js';

const runs = 15;

const limits = { create: 10_000, status: 10_000, other: 10_000 };

export async function measureList(program) {
	const table = createTable('Commands for scripts: processor time, and time');
	for (const computers of [24, 1000, 10_000]) {
		const home = createHome();
		const platform = await openPromptPlatform(home.folder, { computers, limits });
		try {
			const env = { ...home.env, ...platform.env };
			const size = `${computers.toLocaleString('en')} computers`;
			const lists = [['list'], ['list', '--json']];
			const others = computers === 1000 ? [['credits'], ['log']] : [];
			const most = [3, 3.5].map(ratio => (computers === 1000 ? ratio : undefined));
			const monitor = await openReadySession([program], env);
			addRows(table, `beside a monitor, ${size}`, await measure(program, lists, env), most[0]);
			await monitor.quit();
			// The commands would soon wait for the rate limit, which counts those of the last minute.
			const forgetRequests = () =>
				rmSync(join(env.XDG_STATE_HOME, 'crowsnest', 'pace'), { recursive: true, force: true });
			const alone = await measure(program, [...lists, ...others], env, forgetRequests);
			addRows(table, `without a monitor, ${size}`, alone, most[1]);
		} finally {
			await platform.close();
			home.remove();
		}
	}
	return table;
}

/** Returns the times of each command, and of `node -e 0`. */
async function measure(program, commands, env, beforeRun = () => {}) {
	const lines = [['-e', '0'], ...commands.map(words => [program, ...words])];
	for (const line of lines) await timesOf(line, env);
	const measured = lines.map(() => []);
	// Alternating runs meet the same load of the machine.
	for (let run = 0; run < runs; run++) {
		for (const [at, line] of lines.entries()) {
			beforeRun();
			measured[at].push(await timesOf(line, env));
		}
	}
	const [node, ...others] = measured.map(times => {
		return {
			// The shell counts in steps of ten milliseconds, which a mean evens out.
			cpu: times.reduce((sum, each) => sum + each.cpu, 0) / runs,
			wall: median(times.map(each => each.wall)),
		};
	});
	return others.map((times, at) => ({ ...times, node, name: commands[at].join(' ') }));
}

function addRows(table, where, measured, most) {
	for (const { name, cpu, wall, node } of measured) {
		const ratio = cpu / node.cpu;
		const hasGoal = most !== undefined && name.startsWith('list');
		table.addRow(
			`${name} ${where}`,
			`${cpu.toFixed(0)} ms = ${ratio.toFixed(1)} ×, ${wall.toFixed(0)} ms = ${(wall / node.wall).toFixed(1)} ×`,
			...(hasGoal ? [`at most ${most} × node -e 0`, ratio <= most] : []),
		);
	}
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
