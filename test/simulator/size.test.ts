import { expect, test } from 'vitest';
import { createHeldClock } from '../held-clock.ts';
import { openSimulator, valueAt } from './open-simulator.ts';

test('the simulator lists ten thousand computers in one response, for which the world advances only a few times', async () => {
	const held = createHeldClock();
	let asked = 0;
	const now = () => {
		asked += 1;
		return held.now();
	};
	const { get } = await openSimulator({ computers: 10_000, clock: { ...held, now } });
	asked = 0;
	const { body } = await get('/platform/sandbox');
	expect(valueAt(body, 'data.length')).toBe(10_000);
	expect(asked).toBeLessThanOrEqual(10);
});

test('the simulator lists an empty fleet as an empty list', async () => {
	const { get } = await openSimulator({ computers: 0 });
	expect(await get('/platform/sandbox')).toMatchObject({ status: 200, body: { data: [] } });
});
