import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { replacingInTests } from './replacements/plugins.js';

// The groups run in this order, so that what is quick to fail fails first.
const groups = {
	architecture: ['test/architecture.test.ts'],
	unit: ['test/*/**/*.test.{ts,tsx}'],
	journeys: ['test/journeys/**/*.test.{ts,tsx}'],
	properties: ['test/properties/**/*.test.ts', 'test/replacements/**/*.test.ts'],
	terminal: ['test/terminal/**/*.test.ts'],
};

const apart = [groups.journeys, groups.properties, groups.terminal].flat();

// What is replaced, and all that imports it: only what is loaded by Vite can be replaced. Ink and the
// component libraries have to share one Ink.
const replaced =
	/\/node_modules\/(ink|ink-[\w-]+|yoga-layout|string-width|widest-line|wrap-ansi|slice-ansi|cli-truncate|cli-cursor|restore-cursor|signal-exit|terminal-size|@alcalzone\/ansi-tokenize|ofetch|object-hash)\//;

export default defineConfig({
	test: {
		// Most of the time is spent waiting for processes: all cores share that.
		maxWorkers: '100%',
		projects: Object.entries(groups).map(
			([name, include], groupOrder): TestProjectInlineConfiguration => ({
				plugins: [replacingInTests()],
				// What is tested is what is shipped: with the replacements, and with React in production.
				oxc: { jsx: { development: false } },
				test: {
					name,
					include,
					exclude: name === 'unit' ? apart : [],
					sequence: { groupOrder },
					env: { NODE_ENV: 'production' },
					server: {
						deps: { inline: [replaced], external: [/\/test\/replacements\/original\.js/] },
					},
					// These keep nothing in modules, and loading all of them for each file takes its time.
					isolate: name !== 'unit' && name !== 'journeys',
					testTimeout: 20_000,
				},
			}),
		),
	},
});
