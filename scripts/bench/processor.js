// Measures the processor time that a key costs: of all threads, with V8's compiler and garbage collector.
import { setTimeout as sleep } from 'node:timers/promises';
import { createTable, median, threadTimesOf } from './figures.js';
import { createHome, openReadySession, rows } from './session.js';

const keysPerSecond = 8;
const keyCount = 64;
const repeats = 3;

const pageDown = '\u001B[6~';
const pageUp = '\u001B[5~';
const times = (count, key) => Array.from({ length: count }, () => key);

/** Keys at the pace of a person. Those in `before` bring the cursor to where the measured keys begin. */
const walks = [
	{ name: 'move', goal: 6, before: ['g'], round: [...times(12, 'j'), ...times(12, 'k')] },
	{ name: 'scroll', goal: 8, before: ['g', ...times(rows, 'j')], round: ['j'] },
	{
		name: 'page',
		goal: 12,
		before: ['g'],
		round: [...times(12, pageDown), ...times(12, pageUp)],
	},
];

export async function measureProcessor(program) {
	const table = createTable('Processor time of all threads, with 1,000 computers');
	const home = createHome();
	try {
		const words = [program, '--demo', '--computers', '1000'];
		await (await openReadySession(words, home.env)).close();
		const found = [];
		for (let repeat = 0; repeat < repeats; repeat++) {
			found.push(await measureSession(await openReadySession(words, home.env)));
		}
		addRows(table, found);
	} finally {
		home.remove();
	}
	return table;
}

async function measureSession(session) {
	const found = new Map();
	found.set('warming', await measureTimes(session, () => rest(session, 12)));
	await rest(session, 50);
	found.set('rest', await measureTimes(session, () => rest(session, 30)));
	for (const { name, before, round } of walks) {
		const keys = Array.from({ length: keyCount }, (_, at) => round[at % round.length]);
		// The keys are pressed once without measuring, so that the code that they use is compiled.
		await press(session, [...before, ...keys, ...before]);
		found.set(name, await measureTimes(session, () => press(session, keys)));
	}
	await session.close();
	return found;
}

/** Receives the output as a terminal does, without pressing a key. */
async function rest(session, seconds) {
	for (let second = 0; second < seconds; second++) {
		await sleep(1000);
		for (const { data } of session.take()) void session.show(data);
	}
}

async function press(session, keys) {
	for (const key of keys) {
		session.press(key);
		await sleep(1000 / keysPerSecond);
		for (const { data } of session.take()) void session.show(data);
	}
}

/** Returns the processor time of the main thread and of all threads, and the time that passed. */
async function measureTimes(session, work) {
	const { pid } = session.pty;
	const [before, start] = [threadTimesOf(pid), performance.now()];
	await work();
	const [after, passed] = [threadTimesOf(pid), performance.now() - start];
	const spent = [...after].map(([id, time]) => [id, time - (before.get(id) ?? 0)]);
	const main = spent.find(([id]) => id === String(pid))?.[1] ?? 0;
	return { main, all: spent.reduce((sum, [, time]) => sum + time, 0), passed };
}

function addRows(table, found) {
	const medianOf = (name, value) => median(found.map(session => value(session.get(name))));
	const share = (name, part) =>
		medianOf(name, times => (times[part] / times.passed) * 100).toFixed(1);
	const text = name => `${share(name, 'all')} % (main thread ${share(name, 'main')} %)`;
	table.addRow('CPU at rest, in the first 20 s, while V8 compiles', text('warming'));
	table.addRow(
		...['CPU at rest, after a minute', text('rest'), 'at most 3 %'],
		Number(share('rest', 'all')) <= 3,
	);
	for (const { name, goal } of walks) {
		const ofKey = part => medianOf(name, times => times[part] / keyCount);
		const value = `${ofKey('all').toFixed(1)} ms (main thread ${ofKey('main').toFixed(1)} ms)`;
		table.addRow(`CPU a key: ${name}`, value, `at most ${goal} ms`, ofKey('all') <= goal);
	}
	for (const { name } of walks) {
		const ofKey = part => median(found.map(session => timeOfKey(session, name, part))).toFixed(1);
		const value = `${ofKey('all')} ms (main thread ${ofKey('main')} ms)`;
		table.addRow(`CPU a key, without that at rest: ${name}`, value);
	}
}

/** Returns the processor time of a key, less what the program spends at rest in the time between two keys. */
function timeOfKey(session, name, part) {
	const [keys, rest] = [session.get(name), session.get('rest')];
	return (keys[part] - (rest[part] / rest.passed) * keys.passed) / keyCount;
}
