import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const shown = 10;

/** Lists the slowest test files at the end of a run, with the time to load them. */
export function createSlowestFilesReport(write: (text: string) => void): Reporter {
	return {
		onTestRunEnd(modules) {
			if (modules.length < 2) return;
			const slowest = modules
				.map(module => ({ module, seconds: secondsOf(module) }))
				.toSorted((a, b) => b.seconds - a.seconds)
				.slice(0, shown);
			const lines = slowest.map(
				({ module, seconds }) =>
					`  ${seconds.toFixed(1).padStart(6)} s  ${relative(module.project.config.root, module.moduleId)}`,
			);
			write(`\n Slowest files\n${lines.join('\n')}\n\n`);
		},
	};
}

function secondsOf(module: TestModule): number {
	const { prepareDuration, setupDuration, collectDuration, duration } = module.diagnostic();
	return (prepareDuration + setupDuration + collectDuration + duration) / 1000;
}
