import { expect, test } from 'vitest';
import { openSpokenStage } from './spoken-stage.ts';

const stops = ({ simulator }: Awaited<ReturnType<typeof openSpokenStage>>) =>
	simulator.requests.filter(({ path }) => path.endsWith('/stop'));

test('a countdown is held while a dialog is open, and both are spoken', async () => {
	const stage = await openSpokenStage();
	await stage.press('x');
	stage.clock.move(300);
	await stage.press('y');
	await stage.pass(1_000);
	await stage.hear('Stopping atlas in 4 s, Esc to keep it.');
	await stage.press('q');
	await stage.hear(/^Quitting cancels \(held at \d/);
	await stage.pass(1_000);
	await stage.pass(60_000, 5_000);
	expect(stops(stage)).toEqual([]);
	await stage.press('escape');
	await stage.hear('Question closed.');
	await stage.pass(200, 100);
	await stage.hear('Stopping atlas in 4 s, Esc to keep it.');
	await stage.press('escape');
	await stage.hear('Cancelled: atlas was not stopped');
	await stage.pass(10_000);
	expect(stops(stage)).toEqual([]);
});
