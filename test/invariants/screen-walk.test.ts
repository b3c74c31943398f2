import { afterAll, expect, test } from 'vitest';
import { isLongRun, longRun } from '../runs.ts';
import { chosenSeeds } from './screen-walk/seeds.ts';
import { sumOf, type WalkCounts, walkFrom } from './screen-walk/walk.ts';

const walks: WalkCounts[] = [];

const report = (line: string) => process.stdout.write(`${line}\n`);

async function walk(seed: number): Promise<WalkCounts> {
	const counts = await walkFrom(seed);
	walks.push(counts);
	return counts;
}

if (isLongRun) {
	test('no keys on any screen send an operation that was not asked for, shown and confirmed', async () => {
		const { seed, isOver } = longRun();
		for (let next = seed; !isOver(); next += 1) {
			const counts = await walk(next);
			const situations = Object.entries(counts).filter(([, count]) => count > 0);
			report(`seed ${next}: ${situations.map(([name, count]) => `${count} ${name}`).join(', ')}`);
		}
	}, 0);
} else {
	test.each(chosenSeeds.map(({ description: because, ...rest }) => [because, rest] as const))(
		'random input that %s sends only operations that were requested, shown and confirmed',
		async (_, { seed, meets }) => {
			const counts = await walk(seed);
			for (const what of meets) expect(counts[what], what).toBeGreaterThan(0);
		},
	);

	test('the random inputs are long enough to reach most situations', () => {
		expect(sumOf(walks)['steps']).toBeGreaterThanOrEqual(1_500);
	});
}

afterAll(() => {
	if (isLongRun) report(`in all: ${JSON.stringify(sumOf(walks))}`);
});
