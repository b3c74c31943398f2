import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

function secondsOf(module: TestModule): number {
	const { prepareDuration, setupDuration, collectDuration, duration } = module.diagnostic();
	return (prepareDuration + setupDuration + collectDuration + duration) / 1000;
}

/** Lists the ten slowest test files at the end of a run, with the time to load them. */
export const slowestFilesReport: Reporter = {
	onTestRunEnd(modules) {
		if (modules.length < 2) return;
		const lines = modules
			.map(module => ({ module, seconds: secondsOf(module) }))
			.toSorted((a, b) => b.seconds - a.seconds)
			.slice(0, 10)
			.map(({ module: { project, moduleId }, seconds }) => {
				const path = relative(project.config.root, moduleId);
				return `  ${seconds.toFixed(1).padStart(6)} s  ${path}`;
			});
		process.stdout.write(`\n Slowest files\n${lines.join('\n')}\n\n`);
	},
};
