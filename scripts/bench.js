// Measures the claims of the README and writes the results to docs/benchmarks.md. With names of parts, it measures
// and prints only these parts: `npm run bench -- start keys`.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { measureAccounts } from './bench/accounts.js';
import { measureEngine } from './bench/engine.js';
import { measureGoals } from './bench/goals.js';
import { measureHostile } from './bench/hostile.js';
import { measureHour } from './bench/hour.js';
import { measureKeys } from './bench/keys.js';
import { measureList } from './bench/list.js';
import { measureProcessor } from './bench/processor.js';
import { measureRest } from './bench/rest.js';
import { createHome } from './bench/session.js';
import { measureSharing } from './bench/sharing.js';
import { measureMemory, measureStart } from './bench/start.js';
import { buildProgram, bundle, root } from './build.js';

const parts = {
	terminal: measureTerminal,
	start: () => measureStart(bundle),
	list: () => measureList(bundle),
	memory: () => measureMemory(bundle),
	keys: () => measureKeys(bundle),
	accounts: () => measureAccounts(bundle),
	processor: () => measureProcessor(bundle),
	rest: () => measureRest(bundle),
	sharing: () => measureSharing(bundle),
	hour: measureHour,
	hostile: measureHostile,
	engine: measureEngine,
};

async function measureTerminal() {
	const home = createHome();
	try {
		return await measureGoals([bundle, '--demo', '--computers', '1000'], home.env);
	} finally {
		home.remove();
	}
}

const chosen = process.argv.slice(2);
const unknown = chosen.find(name => !(name in parts));
if (unknown) throw new Error(`No part ${unknown}. Choose from ${Object.keys(parts).join(', ')}.`);

await buildProgram();
const tables = [];
for (const [name, measure] of Object.entries(parts)) {
	if (chosen.length > 0 && !chosen.includes(name)) continue;
	tables.push(...[await measure()].flat());
}

const missed = tables.flatMap(({ rows }) => rows).filter(([, , , result]) => result === 'MISSED');
if (chosen.length === 0) writeFileSync(`${root}docs/benchmarks.md`, page());
process.stdout.write(
	`\n${missed.length === 0 ? 'All goals met' : `Goals missed: ${missed.length}`}\n`,
);
process.exitCode = missed.length === 0 ? 0 : 1;

function page() {
	const { model } = cpus()[0];
	const day = new Date().toISOString().slice(0, 10);
	const about = [
		'# Benchmarks',
		'',
		'`npm run bench` writes this page and fails if a goal is missed. The built program runs in a real pty with',
		'a terminal emulator of 120×40. Times and bytes are medians unless a row says otherwise. “The fewest',
		'bytes” are computed from the cells of the screen before and after each frame. The demo platform runs in',
		'a process of its own, which is not measured. “Best” is how soon a change could be noticed if every request',
		'that the rate limits allow were spent on it, and “naive” is how soon by reading one status after the other.',
		'On a rough day there are faults, outages, sleeps, clock jumps, and another client of the same account.',
		'',
		`${day}, Node ${process.version}, ${cpus().length} cores of ${model.trim()}, ${process.platform}.`,
	];
	const body = tables.flatMap(({ title, rows }) => [
		'',
		`## ${title}`,
		'',
		'| | measured | goal | |',
		'| --- | ---: | --- | --- |',
		...rows.map(row => `| ${row.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`),
	]);
	return `${[...about, ...body].join('\n')}\n`;
}
