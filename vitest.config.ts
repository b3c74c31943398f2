import { readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, platform } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { testReplacements } from './replacements/plugins.js';
import { slowestFilesReport } from './test/slowest-files.ts';
import { createSourceModule, sourceModulePath } from './test/source-module.ts';

// With as many workers for both groups, the second group begins when the first worker has no more files of the
// first. A worker more than cores costs more time than it saves, because each worker loads the program once.
const maxWorkers = availableParallelism();

type Group = { name: string; include: string[]; exclude?: string[]; isProcess?: boolean };

// They start the built program, and wait for it most of the time.
const processes = ['test/processes/*.test.ts', 'test/cli/scripts-process.test.ts'];

// What needs no process of its own shares one: each process loads Ink, React and the program once.
const groups: Group[] = [
	{
		name: 'unit',
		include: ['test/**/*.test.{ts,tsx}'],
		exclude: processes,
	},
	{ name: 'processes', include: processes, isProcess: true },
];

// What is replaced and all that imports it: only what Vite loads can be replaced, and all have to share
// one Ink.
const replaced =
	/\/node_modules\/(ink|ink-[\w-]+|yoga-layout|string-width|widest-line|wrap-ansi|slice-ansi|cli-truncate|cli-cursor|restore-cursor|signal-exit|terminal-size|@alcalzone\/ansi-tokenize|ofetch|object-hash)\//;

// Most code of a test runs too seldom to earn back what V8 spends on optimising it, so V8 waits longer before it
// does, and compiles it quickly at once. It also collects garbage less often, and without threads, because the other
// worker uses the other cores. Together they save a fifth of the processor time. V8 has the first option only in
// Node 20.
const shortLivedProcess = [
	...(process.versions.node.startsWith('20.') ? ['--interrupt-budget=400000'] : []),
	'--always-sparkplug',
	'--min-semi-space-size=32',
	'--max-semi-space-size=32',
	'--single-threaded-gc',
];

/**
 * Returns a folder in memory for the files of the tests. They write and remove thousands of small files, and a disk
 * takes milliseconds to store each. In a container, the folder may be too small, or unable to hold programs.
 */
function folderInMemory(): string | undefined {
	const folder = '/dev/shm';
	const mounts = platform() === 'linux' ? readFileSync('/proc/mounts', 'utf8') : '';
	const [, mode] = / \/dev\/shm tmpfs (\S+)/.exec(mounts) ?? [];
	if (mode === undefined || /\b(ro|noexec)\b/.test(mode)) return undefined;
	const { bavail, bsize } = statfsSync(folder);
	return bavail * bsize > 256 * 2 ** 20 ? folder : undefined;
}

const temporaryFolder = process.env['TMPDIR'] ?? folderInMemory();

const sourceModule = await createSourceModule(replaced);

export default defineConfig({
	test: {
		// A kept file that is missing or differs fails, and only `npm run screens` writes it.
		update: 'none',
		reporters: ['default', slowestFilesReport],
		// Transforming the sources takes longer than most tests do.
		experimental: { fsModuleCache: true },
		projects: groups.map(
			({ name, include, exclude = [], isProcess = false }): TestProjectInlineConfiguration => ({
				plugins: [sourceModule, testReplacements()],
				// What is tested is what is shipped: with the replacements, and with React in production.
				oxc: { jsx: { development: false } },
				test: {
					name,
					include,
					exclude,
					env: { NODE_ENV: 'production', ...(temporaryFolder && { TMPDIR: temporaryFolder }) },
					server: {
						deps: {
							inline: [replaced],
							external: [sourceModulePath, /\/test\/replacements\/original-module\.js/],
						},
					},
					globalSetup: isProcess ? ['test/build-once.ts'] : [],
					setupFiles: isProcess ? [] : ['test/fixed-seed.ts'],
					maxWorkers,
					execArgv: isProcess ? [] : shortLivedProcess,
					// Nothing is kept in modules, and loading all of them again for each file is most of the time
					// that a small file takes.
					isolate: false,
					// No test measures time, so only one that hangs for good may end here, however slow the machine is.
					testTimeout: 60_000,
					hookTimeout: 60_000,
				},
			}),
		),
	},
});
