import { expect, test } from 'vitest';
import { openStage, type Stage } from './stage.ts';

// When the next try is, how long nothing has come, and the room that these leave.
const changing =
	/(next try in )?\d+ m \d\d s|next try in \d+ [sm]|trying now|\(R tries now\)|[━· ]+/g;

/** The screen at each of the next seconds, as often as more changed than the time of the silence and of the next try. */
async function pictures(stage: Stage, seconds: number) {
	const seen = new Set<string>();
	for (let second = 0; second < seconds; second += 1) {
		await stage.pass(1000);
		seen.add(stage.text().replace(changing, ''));
	}
	return seen.size;
}

test('on a slow line nothing changes within a minute but what is new', async () => {
	const stage = await openStage({ computers: 2, conditions: { isLowBandwidth: true } });
	await stage.pass(1000);
	await stage.see('2 computers');
	await stage.see('live <1 m');
	expect(stage.text()).not.toMatch(/\b\d+s\b/);
	expect(stage.text()).not.toContain('other ');
	await stage.pass(90_000);
	// A frame waits there for its turn: the first picture may be the one before.
	expect(await pictures(stage, 55)).toBeLessThanOrEqual(3);
});

test('a countdown counts there too', async () => {
	const stage = await openStage({ conditions: { isLowBandwidth: true } });
	await stage.pass(1000);
	await stage.see('gemini');
	await stage.pass(20_000);
	await stage.press('x');
	stage.clock.move(300);
	await stage.press('y');
	await stage.see('Stopping in 4 s, Esc to keep it');
	await stage.pass(2000);
	await stage.see('Stopping in 3 s, Esc to keep it');
});

test('where all is old nothing is counted by the second but the silence and the next try', async () => {
	const stage = await openStage({ computers: 2 });
	await stage.see('2 computers');
	await stage.simulator.close();
	await stage.pass(180_000);
	await stage.see(/offline 3 m/);
	expect(await pictures(stage, 40)).toBeLessThanOrEqual(2);
});

test('on a slow line not even that is', async () => {
	const stage = await openStage({ computers: 2, conditions: { isLowBandwidth: true } });
	await stage.pass(1000);
	await stage.see('2 computers');
	await stage.simulator.close();
	await stage.pass(180_000);
	await stage.see(/offline 3 m, (next try in <?1 m|trying now)/);
	const seen = new Set<string>();
	for (let second = 0; second < 40; second += 1) {
		await stage.pass(1000);
		seen.add(stage.text());
	}
	expect(seen.size).toBeLessThanOrEqual(4);
});
