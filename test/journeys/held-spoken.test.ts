import { expect, test } from 'vitest';
import { openSpokenMonitor } from '../driver/spoken.ts';

const stops = ({ simulator }: Awaited<ReturnType<typeof openSpokenMonitor>>) =>
	simulator.requests.filter(({ path }) => path.endsWith('/stop'));

test('a countdown is held while a dialog is open, and both are spoken', async () => {
	const monitor = await openSpokenMonitor();
	await monitor.press('x');
	monitor.clock.move(300);
	await monitor.press('y');
	await monitor.pass(1_000);
	await monitor.hear('Stopping atlas in 4 s, Esc to keep it.');
	await monitor.press('q');
	await monitor.hear(/^Quitting cancels \(held at \d/);
	await monitor.pass(1_000);
	await monitor.pass(60_000, 5_000);
	expect(stops(monitor)).toEqual([]);
	await monitor.press('escape');
	await monitor.hear('Question closed.');
	await monitor.pass(200, 100);
	await monitor.hear('Stopping atlas in 4 s, Esc to keep it.');
	await monitor.press('escape');
	await monitor.hear('Cancelled: atlas was not stopped');
	await monitor.pass(10_000);
	expect(stops(monitor)).toEqual([]);
});
