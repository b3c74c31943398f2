// Measures panes that share one watch: their requests and processor time together, how soon another pane polls after a
// kill, and how soon a new pane shows a large fleet.
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuOf, createTable, median, privateOf } from './figures.js';
import { openPlatform } from './platform.js';
import { createHome, measureFirstFrame, measureNodeStart, openReadySession } from './session.js';

const seconds = 20;
// V8 compiles most of the code of a newly opened pane in this time.
const warmingMs = 20_000;
const panes = 10;
const changes = 5;
const kills = 3;
const joins = 5;

export async function measureSharing(program) {
	const table = createTable('Panes that share one watch, with 1,000 computers');
	const home = createHome();
	const platform = await openPlatform(home.folder, { computers: 1000 });
	// Only resting computers stay in the fleet, because a fleet with changing computers is polled more often for a
	// while.
	for (const { id, state } of platform.world.computers()) {
		if (!['active', 'stopped'].includes(state)) platform.world.remove(id);
	}
	const sessions = [];
	const open = async () =>
		sessions.push(await openReadySession([program], { ...home.env, ...platform.env }));
	try {
		await open();
		await sleep(warmingMs);
		const alone = await measureSeconds(platform, sessions);
		await Promise.all(Array.from({ length: panes - 1 }, open));
		await sleep(warmingMs);
		const together = await measureSeconds(platform, sessions);
		const requests = `${together.requests} to ${alone.requests}`;
		const goal = 'as many, ± 5 % (or one)';
		table.addRow(
			`requests of ${panes} panes, and of one`,
			requests,
			goal,
			Math.abs(together.requests - alone.requests) <= Math.max(1, alone.requests / 20),
		);
		const [leader, ...followers] = together.panes;
		const cpu = median(followers.map(each => each.cpu));
		const cpuText = `${cpu.toFixed(1)} % = ${(cpu / leader.cpu).toFixed(2)} × leader's`;
		table.addRow(
			'CPU of a follower at rest',
			cpuText,
			'at most 0.8 × the leader',
			cpu <= 0.8 * leader.cpu,
		);
		const memory = median(followers.map(each => each.memory));
		const memoryText = `${memory.toFixed(0)} MB, leader ${leader.memory.toFixed(0)} MB`;
		table.addRow(
			'private memory of a follower',
			memoryText,
			'at most that of the leader',
			memory <= leader.memory,
		);
		const spread = await measureSpread(platform, sessions);
		table.addRow(
			`a change: first to last pane, median of ${changes}`,
			`${spread.toFixed(0)} ms`,
			'at most 50 ms',
			spread <= 50,
		);
		const delays = [];
		for (let kill = 0; kill < kills; kill++) {
			delays.push(await measureTakeover(home, sessions));
			await sleep(2000);
		}
		const delay = median(delays);
		table.addRow(
			'from the kill of a leader to the next',
			`${delay.toFixed(0)} ms`,
			'at most 100 ms',
			delay <= 100,
		);
	} finally {
		for (const session of sessions) await session.close();
		await platform.close();
		home.remove();
	}
	const { rows, keys, node } = await measureJoins(program);
	table.addRow(
		'a follower of 10,000 computers: rows on the screen',
		`${rows.toFixed(0)} ms = ${(rows / node).toFixed(1)} × node -e 0`,
		'at most 5 × node -e 0',
		rows <= 5 * node,
	);
	table.addRow(
		'a follower of 10,000 computers: the first frame that keys act on',
		`${keys.toFixed(0)} ms = ${(keys / node).toFixed(1)} × node -e 0`,
	);
	return table;
}

/**
 * Alternately starts a pane that follows a leader with 10,000 computers, and `node -e 0`. Returns the median times.
 */
async function measureJoins(program) {
	const home = createHome();
	const platform = await openPlatform(home.folder, { computers: 10_000 });
	const env = { ...home.env, ...platform.env };
	const times = { rows: [], keys: [], node: [] };
	let leader;
	try {
		leader = await openReadySession([program], env);
		for (let join = 0; join < joins; join++) {
			times.node.push(await measureNodeStart(env));
			const { fleet, keys } = await measureFirstFrame([program], env);
			if (fleet === undefined || keys === undefined)
				throw new Error('A follower did not show the fleet.');
			times.rows.push(fleet);
			times.keys.push(keys);
		}
	} finally {
		await leader?.close();
		await platform.close();
		home.remove();
	}
	return { rows: median(times.rows), keys: median(times.keys), node: median(times.node) };
}

/** Counts requests and the processor time of each pane while nothing happens. */
async function measureSeconds(platform, sessions) {
	const from = {
		requests: platform.requests.length,
		cpus: sessions.map(({ pty }) => cpuOf(pty.pid)),
	};
	await sleep(seconds * 1000);
	return {
		requests: platform.requests.length - from.requests,
		panes: sessions.map(({ pty }, place) => ({
			cpu: (cpuOf(pty.pid) - from.cpus[place]) / (seconds * 10),
			memory: privateOf(pty.pid),
		})),
	};
}

/** Returns the median time between the first and the last pane that show the failure of a computer, in milliseconds. */
async function measureSpread(platform, sessions) {
	const active = platform.world.computers().filter(({ state }) => state === 'active');
	const spreads = [];
	for (const [place, { id }] of active.slice(0, changes).entries()) {
		for (const session of sessions) session.take();
		platform.world.fail(id);
		spreads.push(await spreadOf(`${place + 1} in error`, sessions));
	}
	return median(spreads);
}

/** Returns the time between the first and the last pane whose title has a text, once all of them have had time for it. */
async function spreadOf(text, sessions) {
	await sleep(8000);
	const times = sessions.map(session => {
		const piece = session.take().find(({ data }) => data.includes(text));
		if (!piece) throw new Error('A pane did not show the failure.');
		return piece.at;
	});
	return Math.max(...times) - Math.min(...times);
}

/** Kills the pane that leads, and returns the milliseconds until another process listens. */
async function measureTakeover(home, sessions) {
	const folder = join(home.env.XDG_STATE_HOME, 'crowsnest');
	const path = join(
		folder,
		readdirSync(folder).find(name => name.endsWith('.sock')),
	);
	const pid = await leaderAt(path);
	const leader = sessions.find(({ pty }) => pty.pid === pid);
	sessions.splice(sessions.indexOf(leader), 1);
	const killedAt = performance.now();
	leader.pty.kill('SIGKILL');
	for (;;) {
		const next = await leaderAt(path);
		if (next !== undefined && next !== pid) return performance.now() - killedAt;
		await sleep(1);
	}
}

/** Returns the pid of the process that listens; undefined if none does. */
function leaderAt(path) {
	return new Promise(resolve => {
		const socket = connect(path);
		socket.once('data', data => {
			resolve(JSON.parse(data.toString().split('\n')[0]).pid);
			socket.destroy();
		});
		socket.once('error', () => resolve(undefined));
		socket.once('close', () => resolve(undefined));
	});
}
