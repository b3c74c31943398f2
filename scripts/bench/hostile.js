// Measures what one hostile response costs: the processor time of the event loop, the peak of memory, and the
// longest turn of the event loop, for which a key has to wait.
// The response with the largest supported fleet is measured for comparison.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from '../build.js';
import { createTable, median } from './figures.js';

const mega = 1_048_576;
const fill = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join(',');
const list = text => `[${text}]`;

const record = index =>
	JSON.stringify({
		sandbox_id: `sb_${index}`,
		name: `computer-${index}`,
		status: 'active',
		version: '1.4.2',
		...Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`field_${at}`, at * index])),
		metadata: { publicIp: '198.18.0.1', serverType: 'c2', location: 'fsn1', version: '1.4.2' },
		ports: [{ port: 8080, url: 'https://platform.example/p/sb/8080', share_token: 'token' }],
	});

/** Returns a record whose text takes more work to clean than any other. */
const recordToClean = index =>
	JSON.stringify({
		id: `sb_${index}`,
		name: '\u009d\u0301é'.repeat(1_300),
		error: 'ö'.repeat(4_000),
	});

/** Returns a function that makes records whose long texts repeat one piece. */
const recordOf = piece => index => {
	const text = piece.repeat(4_000 / piece.length);
	return JSON.stringify({ id: `sb_${index}`, name: text, error: text, stage_message: text });
};

const unusualPort = { port: 1, url: 'HTTPS://platform.example:443/a/../b?c=%64#e' };

// The largest responses are just within the limits of the program.
const answers = {
	'10,000 computers': () => list(fill(10_000, record)),
	'14 MB of numbers': () => list(fill(7 * mega, () => 0)),
	'14 MB of empty records': () => list(fill(4.6 * mega, () => '{}')),
	'14 MB of brackets': () => '['.repeat(14 * mega),
	'half a gigabyte of one string, compressed': () => `"${'x'.repeat(511 * mega)}`,
	'100,000 records without an id': () => list(fill(100_000, () => '{}')),
	'20,000 records without an id': () => list(fill(20_000, () => '{}')),
	'400,000 different field names': () =>
		list(fill(1_990, i => `{${fill(195, at => `"n${i}_${at}":0`)}}`)),
	'130,000 ports with unusual addresses': () =>
		list(
			fill(1_300, index =>
				JSON.stringify({ id: `sb_${index}`, ports: Array(100).fill(unusualPort) }),
			),
		),
	'14 MB of text that has to be cleaned': () => list(fill(870, recordToClean)),
	'14 MB of escape sequences': () => list(fill(345, recordOf('\u001b '))),
	'14 MB of invisible characters': () => list(fill(600, recordOf('a\u200d'))),
	'14 MB of combining marks': () => list(fill(600, recordOf('\u0301'))),
	'one string of nearly 14 MB': () =>
		list(JSON.stringify({ id: 'sb', name: '\u009d'.repeat(7 * mega - 50) })),
};

export async function measureHostile() {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-hostile-'));
	const table = createTable('Hostile responses');
	try {
		const client = join(folder, 'client.mjs');
		copyFileSync(`${root}scripts/bench/hostile-client.js`, client);
		await bundlePlatform(join(folder, 'platform.mjs'));
		for (const [name, make] of Object.entries(answers)) await measure(table, client, name, make);
	} finally {
		rmSync(folder, { recursive: true });
	}
	return table;
}

async function measure(table, client, name, make) {
	const isFleet = name === '10,000 computers';
	const usual = gzipSync(list(fill(1_000, record)));
	const hostile = gzipSync(make());
	const server = createServer(({ url }, response) => {
		response.setHeader('content-encoding', 'gzip');
		response.end(url.startsWith('/usual') ? usual : hostile);
	});
	await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${server.address().port}`;
	const costs = await runClients(client, url, 'cost');
	const cpu = median(costs.map(cost => cost.cpu));
	const grown = Math.max(...costs.map(cost => cost.grown));
	const turns = await runClients(client, url, 'turns');
	const longest = median(turns.map(turn => turn.longest));
	const { result } = costs[0];
	const foldRuns = isFleet ? await runClients(client, url, 'folds') : [];
	const folds = isFleet
		? [0, 1].map(time => median(foldRuns.map(run => run.folds[time])))
		: undefined;
	server.closeAllConnections();
	server.close();
	table.addRow(
		`${name}: ${result}`,
		`${cpu.toFixed(0)} ms`,
		'≤ 250 ms of the event loop',
		cpu <= 250,
	);
	table.addRow(`${name}: memory`, `${grown.toFixed(0)} MB`, '≤ 100 MB', grown <= 100);
	table.addRow(
		`${name}: longest turn of the event loop`,
		`${longest.toFixed(1)} ms`,
		...(isFleet ? ['≤ 120 ms', longest <= 120] : ['≤ 60 ms', longest <= 60]),
	);
	if (!folds) return;
	const shown = folds.map(fold => `${fold.toFixed(1)} ms`).join(', ');
	const what = `${name}: longest turn that folds the list, first and second time`;
	table.addRow(what, shown, '≤ 8 ms', Math.max(...folds) <= 8);
}

// The median of several runs counts, because single runs differ by half due to other programs and the garbage
// collector.
const runCount = 5;

async function runClients(client, url, measured) {
	const results = [];
	for (let run = 0; run < runCount; run += 1) results.push(await runClient(client, url, measured));
	return results;
}

async function runClient(client, url, measured) {
	const { stdout } = await promisify(execFile)(process.execPath, [
		'--expose-gc',
		client,
		url,
		measured,
	]);
	return JSON.parse(stdout);
}

const bundlePlatform = outfile =>
	build({
		stdin: {
			contents: [
				"export { createDirectFetch } from './source/platform/direct-fetch.ts';",
				"export { createPlatform } from './source/platform/platform.ts';",
				"export { createFoldInOrder } from './source/store/fold-in-order.ts';",
				"export { createStore } from './source/store/store.ts';",
				"export { PlatformError } from './source/platform/decoding/platform-error.ts';",
			].join('\n'),
			resolveDir: root,
		},
		outfile,
		bundle: true,
		platform: 'node',
		target: 'node20.19',
		format: 'esm',
		logLevel: 'warning',
	});
