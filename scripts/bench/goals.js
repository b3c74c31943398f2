// Measures the terminal layer on a fleet of 1,000 computers.
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../soak/figures.js';
import { cpuOf, createTable, median, residentOf } from './figures.js';
import { measureFrames } from './frames.js';
import {
	keyDelays,
	measureFirstFrame,
	measureNodeStart,
	openReadySession,
	pressKeys,
	rows,
} from './session.js';

const hasNews = frame => frame.hasNews;
const times = (key, count) => Array.from({ length: count }, () => key);

function addBytes(table, what, answers, most) {
	const bytes = median(answers.map(each => each.bytes));
	const fewest = median(answers.map(each => each.fewest));
	const ratio = median(answers.map(each => each.bytes / Math.max(1, each.fewest)));
	const goal = `at most ${most} × the fewest`;
	table.addRow(what, `${bytes} B = ${fewest} B × ${ratio.toFixed(2)}`, goal, ratio <= most);
}

export async function measureGoals(words, env) {
	const table = createTable('The terminal, with 1,000 computers on 120×40');
	// The first start fills the compile cache, which later starts use.
	await (await openReadySession(words, env)).close();
	const session = await openReadySession(words, env);
	addBytes(
		table,
		'bytes of a cursor move',
		await pressKeys(session, times('j', 30), hasNews),
		1.05,
	);
	for (let step = 0; step < rows; step++) session.press('j');
	await session.settle().then(chunks => measureFrames(session, chunks));
	addBytes(
		table,
		'bytes of a scrolled row',
		await pressKeys(session, times('j', 30), hasNews),
		1.1,
	);
	const pages = await pressKeys(session, times('\u001B[6~', 12), hasNews);
	addBytes(table, 'bytes of a page', pages, 1.1);
	session.press('g');
	await session.settle().then(chunks => measureFrames(session, chunks));

	await measureRest(table, session);
	const waits = await keyDelays(session, times('j', 120));
	const [middle, slow] = [median(waits), percentile(waits, 0.95)];
	const shown = `${middle.toFixed(1)} ms, ${slow.toFixed(1)} ms`;
	const isFast = middle <= 4 && slow <= 12;
	table.addRow('key to frame (median, p95)', shown, 'at most 4 ms, 12 ms', isFast);
	const resident = residentOf(session.pty.pid);
	table.addRow('memory', `${resident.toFixed(0)} MB`, 'at most 95 MB', resident <= 95);
	await session.close();
	await measureStart(table, words, env);
	return table;
}

async function measureRest(table, session) {
	const seconds = 20;
	await sleep(1000);
	await measureFrames(session, session.take());
	const before = cpuOf(session.pty.pid);
	await sleep(seconds * 1000);
	const cpu = (cpuOf(session.pty.pid) - before) / (seconds * 10);
	const rest = await measureFrames(session, session.take());
	const sum = key => Math.round(rest.reduce((all, each) => all + each[key], 0) / seconds);
	const ratio = sum('bytes') / Math.max(1, sum('fewest'));
	const bytes = `${sum('bytes')} B = ${sum('fewest')} B × ${ratio.toFixed(2)}`;
	table.addRow('bytes of a second at rest', bytes, 'at most 1.1 × the fewest', ratio <= 1.1);
	table.addRow('CPU at rest', `${cpu.toFixed(1)} %`, 'at most 3 % of a core', cpu <= 3);
}

async function measureStart(table, words, env) {
	const alone = [];
	const starts = [];
	for (let run = 0; run < 11; run++) {
		alone.push(await measureNodeStart(env));
		starts.push(await measureFirstFrame(words, env));
	}
	const frame = median(starts.map(start => start.frame));
	const fleet = median(starts.map(start => start.fleet));
	const ratio = frame / median(alone);
	const node = `node -e 0 (${median(alone).toFixed(0)} ms)`;
	const shown = `${frame.toFixed(0)} ms = ${ratio.toFixed(1)} × ${node}`;
	table.addRow('first frame', shown, 'at most 3.5 × node -e 0', ratio <= 3.5);
	table.addRow('all rows', `${fleet.toFixed(0)} ms`);
}
