// Measures the time from the start of the process to the first frame, with and without a snapshot, the time of
// `crowsnest list` and `crowsnest status`, and the memory of the monitor.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTable, median, peakOf, privateOf } from './figures.js';
import { openPlatform, openPromptPlatform } from './platform.js';
import { createHome, measureFirstFrame, measureNodeStart, openReadySession } from './session.js';

export async function measureStart(program) {
	const table = createTable('Start, with an account of 1,000 computers');
	const home = createHome();
	const platform = await openPromptPlatform(home.folder, {
		computers: 1000,
		limits: { create: 10_000, status: 10_000, other: 10_000 },
	});
	try {
		const env = { ...home.env, ...platform.env };
		await (await openReadySession([program], env)).quit();
		await commandTime(program, 'list', env);
		await commandTime(program, 'status', env);
		const [alone, without, kept, listed] = [[], [], [], []];
		const [saved, beside, asked] = [[], [], []];
		for (let run = 0; run < 11; run++) {
			alone.push(await measureNodeStart(env));
			const withoutSnapshot = { ...env, CROWSNEST_STATE_DIR: `${home.folder}/empty-${run}` };
			without.push(await measureFirstFrame([program], withoutSnapshot));
			kept.push(await measureFirstFrame([program], env));
			listed.push(await commandTime(program, 'list', env));
			saved.push(await commandTime(program, 'status', env));
		}
		const node = median(alone);
		const shown = (starts, key) => {
			const time = median(starts.map(each => each[key]));
			return `${time.toFixed(0)} ms = ${(time / node).toFixed(1)} ×`;
		};
		table.addRow('node -e 0', `${node.toFixed(0)} ms`);
		table.addRow('without a snapshot: first frame', shown(without, 'frame'));
		for (const [what, starts, most] of [
			['without a snapshot: all rows', without, 4.5],
			['with a snapshot: rows on the screen', kept, 3],
		]) {
			const ratio = median(starts.map(start => start.fleet)) / node;
			table.addRow(what, shown(starts, 'fleet'), `at most ${most} × node -e 0`, ratio <= most);
		}
		table.addRow('with a snapshot: the first frame that keys act on', shown(kept, 'keys'));
		const addCommand = (what, times, most) => {
			const time = median(times);
			const figure = `${time.toFixed(0)} ms = ${(time / node).toFixed(1)} ×`;
			table.addRow(what, figure, `at most ${most} × node -e 0`, time / node <= most);
		};
		addCommand('crowsnest list', listed, 3.5);
		addCommand('crowsnest status from a snapshot', saved, 3);
		const monitor = await openReadySession([program], env);
		for (let run = 0; run < 11; run++) {
			beside.push(await commandTime(program, 'list', env));
			asked.push(await commandTime(program, 'status', env));
		}
		await monitor.quit();
		addCommand('crowsnest list beside a monitor', beside, 3);
		addCommand('crowsnest status beside a monitor', asked, 3);
	} finally {
		await platform.close();
		home.remove();
	}
	return table;
}

/** Returns the milliseconds that a command takes when its output is a pipe, as in a shell prompt. */
async function commandTime(program, command, env) {
	const start = performance.now();
	const stdio = ['ignore', 'pipe', 'ignore'];
	const child = spawn(process.execPath, [program, command], { env, stdio });
	child.stdout.resume();
	const code = await new Promise(resolve => child.on('exit', resolve));
	if (code !== 0) throw new Error(`crowsnest ${command} ended with ${code}`);
	return performance.now() - start;
}

/** Measures the memory of the monitor a minute after its start, with the code already cached. */
export async function measureMemory(program) {
	const table = createTable('Memory, a minute after the start');
	for (const [computers, mostPeak, mostPrivate] of [
		[1000, 85, 36],
		[10_000, 105, undefined],
	]) {
		const home = createHome();
		const platform = await openPlatform(home.folder, { computers });
		try {
			const env = { ...home.env, ...platform.env };
			await (await openReadySession([program], env)).quit();
			const session = await openReadySession([program], env);
			// The memory grows until V8 collects garbage, about twice a minute, so one moment says little.
			const samples = [];
			for (let second = 0; second < 90; second++) {
				await sleep(1000);
				if (second >= 30) samples.push(privateOf(session.pty.pid));
			}
			const [peak, own] = [peakOf(session.pty.pid), median(samples)];
			const what = `${computers.toLocaleString('en')} computers`;
			const goal = `at most ${mostPeak} MB`;
			table.addRow(`${what}: peak`, `${peak.toFixed(0)} MB`, goal, peak <= mostPeak);
			table.addRow(
				`${what}: private`,
				`${own.toFixed(0)} MB`,
				...(mostPrivate ? [`at most ${mostPrivate} MB`, own <= mostPrivate] : []),
			);
			await session.close();
		} finally {
			await platform.close();
			home.remove();
		}
	}
	return table;
}
