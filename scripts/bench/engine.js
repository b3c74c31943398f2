// Runs the watch and the pace against a model of the platform in simulated time, prints how they do
// beside their goals, and fails when a goal is missed.
import { build } from 'esbuild';
import { root } from './build.js';

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
const { runBench } = await import(
	`data:text/javascript;base64,${Buffer.from(bundle.contents).toString('base64')}`
);

const started = performance.now();
const isGood = await runBench(line => process.stdout.write(`${line}\n`));
const seconds = (performance.now() - started) / 1000;
process.stdout.write(
	`\n${isGood ? 'All goals are met' : 'A goal is missed'}; ${seconds.toFixed(0)} s\n`,
);
process.exitCode = isGood ? 0 : 1;
