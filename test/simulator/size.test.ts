import { expect, test } from 'vitest';
import { createHeldClock } from '../held-clock.ts';
import { at, openSimulator } from './open-simulator.ts';

test('one answer lists ten thousand computers, and the world is brought up to the clock only a few times for it', async () => {
	const held = createHeldClock();
	let asked = 0;
	const now = () => {
		asked += 1;
		return held.now();
	};
	const { get } = await openSimulator({ computers: 10_000, clock: { ...held, now } });
	asked = 0;
	const { body } = await get('/platform/sandbox');
	expect(at(body, 'data.length')).toBe(10_000);
	expect(asked).toBeLessThanOrEqual(10);
});

test('an empty fleet is a fleet', async () => {
	const { get } = await openSimulator({ computers: 0 });
	expect(await get('/platform/sandbox')).toMatchObject({ status: 200, body: { data: [] } });
});
