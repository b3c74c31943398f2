import { defineConfig } from 'vitest/config';

// The groups run in this order, so that what is quick to fail fails first.
const groups = {
	architecture: ['test/architecture.test.ts'],
	unit: ['test/*/**/*.test.{ts,tsx}'],
	journeys: ['test/journeys/**/*.test.{ts,tsx}'],
	properties: ['test/properties/**/*.test.ts'],
	terminal: ['test/terminal/**/*.test.ts'],
};

const apart = [groups.journeys, groups.properties, groups.terminal].flat();

export default defineConfig({
	test: {
		// Most of the time is spent waiting for processes: all cores share that.
		maxWorkers: '100%',
		projects: Object.entries(groups).map(([name, include], groupOrder) => ({
			test: {
				name,
				include,
				exclude: name === 'unit' ? apart : [],
				sequence: { groupOrder },
				// These keep nothing in modules, and loading all of them for each file takes its time.
				isolate: name !== 'unit' && name !== 'journeys',
				testTimeout: 20_000,
			},
		})),
	},
});
