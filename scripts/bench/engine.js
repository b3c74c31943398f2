// Measures the watch and the pace against a model of the platform in simulated time.
import { build } from 'esbuild';
import { root } from '../build.js';
import { createTable } from './figures.js';

export async function measureEngine() {
	const { outputFiles } = await build({
		entryPoints: [`${root}test/watch/simulation/bench.ts`],
		bundle: true,
		write: false,
		platform: 'node',
		target: 'node20.19',
		format: 'esm',
		logLevel: 'warning',
	});
	const [bundle] = outputFiles;
	const { runBench, short } = await import(
		`data:text/javascript;base64,${Buffer.from(bundle.contents).toString('base64')}`
	);
	const tables = [];
	await runBench(async (title, measure) => {
		const table = createTable(title);
		tables.push(table);
		for await (const figures of measure()) {
			for (const { name, value, unit, goal, isMet, beside } of figures) {
				const more = beside ? ` (${beside})` : '';
				table.addRow(name, `${short(value)} ${unit}${more}`, goal, isMet);
			}
		}
	});
	return tables;
}
