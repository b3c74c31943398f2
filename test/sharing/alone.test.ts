import { expect, test } from 'vitest';
import { openPanes } from './panes.ts';

const minute = 60_000;

/** Returns the most lists that a pane requests in any minute, while computers start. */
async function mostLists(isAlone: boolean) {
	const { open, pass, polls } = await openPanes();
	open(1, { isAlone });
	await pass(3 * minute);
	const counts = polls.map(
		({ at: start }) => polls.filter(({ at }) => at >= start && at < start + minute).length,
	);
	return Math.max(...counts);
}

test('with --alone, a pane uses at most a quarter of the limit, also while something moves', async () => {
	const quarter = 30 / 4;
	expect(await mostLists(false)).toBeGreaterThan(quarter);
	const most = await mostLists(true);
	expect(most).toBeLessThanOrEqual(quarter);
	expect(most).toBeGreaterThan(quarter / 2);
});
