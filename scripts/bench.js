// Measures the claims of the README and writes the results to docs/benchmarks.md. With names of parts, it measures
// only these parts: `npm run bench -- start keys`. With `--print`, it prints the results and writes nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { measureAccounts } from './bench/accounts.js';
import { measureEngine } from './bench/engine.js';
import { measureGoals } from './bench/goals.js';
import { measureHostile } from './bench/hostile.js';
import { measureHour } from './bench/hour.js';
import { measureKeys } from './bench/keys.js';
import { measureList } from './bench/list.js';
import { pageWithTables } from './bench/page.js';
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

const words = process.argv.slice(2);
const keepsFigures = !words.includes('--print');
const chosen = words.filter(word => word !== '--print');
const unknown = chosen.find(name => !(name in parts));
if (unknown) throw new Error(`No part ${unknown}. Choose from ${Object.keys(parts).join(', ')}.`);

await buildProgram();
const tables = [];
for (const [name, measure] of Object.entries(parts)) {
	if (chosen.length > 0 && !chosen.includes(name)) continue;
	tables.push(...[await measure()].flat());
}

const missed = tables.flatMap(({ rows }) => rows).filter(([, , , result]) => result === 'MISSED');
const page = `${root}docs/benchmarks.md`;
if (keepsFigures) writeFileSync(page, pageWithTables(readFileSync(page, 'utf8'), tables, origin()));
process.stdout.write(
	`\n${missed.length === 0 ? 'All goals met' : `Goals missed: ${missed.length}`}\n`,
);
process.exitCode = missed.length === 0 ? 0 : 1;

function origin() {
	const { model } = cpus()[0];
	const day = new Date().toISOString().slice(0, 10);
	const machine = `${cpus().length} cores of ${model.trim()}, ${process.platform}`;
	return `Measured on ${day}, Node ${process.version}, ${machine}.`;
}
