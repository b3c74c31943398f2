import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { replacingInTests } from './replacements/plugins.js';
import { createSlowestFiles } from './test/slowest-files.ts';

type Group = { name: string; include: string[]; exclude?: string[]; isProcess?: boolean };

const journeys = ['test/journeys/**/*.test.{ts,tsx}'];
const properties = ['test/properties/**/*.test.ts', 'test/replacements/**/*.test.ts'];
// They start the built program, and wait for it most of the time.
const terminal = ['test/terminal/**/*.test.ts', 'test/commands/scripts-process.test.ts'];

// They run in this order, so that what is quick to fail fails first.
const groups: Group[] = [
	{ name: 'architecture', include: ['test/architecture.test.ts'] },
	{
		name: 'unit',
		include: ['test/*/**/*.test.{ts,tsx}'],
		exclude: [...journeys, ...properties, ...terminal],
	},
	{ name: 'journeys', include: journeys },
	{ name: 'properties', include: properties },
	{ name: 'terminal', include: terminal, isProcess: true },
];

// What is replaced and all that imports it: only what Vite loads can be replaced, and all have to share
// one Ink.
const replaced =
	/\/node_modules\/(ink|ink-[\w-]+|yoga-layout|string-width|widest-line|wrap-ansi|slice-ansi|cli-truncate|cli-cursor|restore-cursor|signal-exit|terminal-size|@alcalzone\/ansi-tokenize|ofetch|object-hash)\//;

export default defineConfig({
	test: {
		// Most of the time is spent waiting for processes: all cores share that.
		maxWorkers: '100%',
		reporters: ['default', createSlowestFiles(text => process.stdout.write(text))],
		projects: groups.map(
			(
				{ name, include, exclude = [], isProcess = false },
				groupOrder,
			): TestProjectInlineConfiguration => ({
				plugins: [replacingInTests()],
				// What is tested is what is shipped: with the replacements, and with React in production.
				oxc: { jsx: { development: false } },
				test: {
					name,
					include,
					exclude,
					sequence: { groupOrder },
					env: { NODE_ENV: 'production' },
					server: {
						deps: { inline: [replaced], external: [/\/test\/replacements\/original-module\.js/] },
					},
					globalSetup: isProcess ? ['test/build-once.ts'] : [],
					// The other groups keep nothing in modules, and loading all of them again for each file is
					// most of the time that a small file takes.
					isolate: isProcess,
					testTimeout: 20_000,
				},
			}),
		),
	},
});
