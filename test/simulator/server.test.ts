import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { createEndpoint } from '../../source/simulator/endpoints/endpoint.ts';
import { createSimulator } from '../../source/simulator/simulator.ts';
import { createHeldClock } from '../held-clock.ts';
import { openSimulator } from './open-simulator.ts';

test('the simulator listens on the requested port, and fails if another process uses the port', async () => {
	const { simulator } = await openSimulator();
	const port = Number(new URL(simulator.baseUrl).port);
	await expect(createSimulator({ clock: createHeldClock(), port })).rejects.toThrow('EADDRINUSE');
	await simulator.close();
	const next = await createSimulator({ clock: createHeldClock(), port });
	expect(next.baseUrl).toBe(`http://127.0.0.1:${port}/v1`);
	await next.close();
});

test('the simulator listens on loopback only', async () => {
	const { simulator } = await openSimulator();
	const { port } = new URL(simulator.baseUrl);
	const outside = Object.values(networkInterfaces())
		.flatMap(each => each ?? [])
		.filter(({ internal, family }) => !internal && family === 'IPv4');
	for (const address of ['127.0.0.2', ...outside.map(each => each.address)]) {
		await expect(fetch(`http://${address}:${port}/portal`)).rejects.toThrow();
	}
	expect(await fetch(`http://127.0.0.1:${port}/portal`)).toMatchObject({ status: 200 });
});

test('a throttled sign-in is refused with the identity provider’s own error code', async () => {
	const { simulator, signIn } = await openSimulator();
	simulator.setFaults([{ target: 'sign-in', kind: 'throttle' }]);
	expect(await signIn()).toMatchObject({
		status: 429,
		body: { code: 429, error_code: 'over_request_rate_limit' },
	});
});

test('an error in an endpoint is answered with status 500, and the simulator answers the next request', async () => {
	const broken = createEndpoint(
		'page',
		'GET /broken',
		() => {
			throw new Error('out of order');
		},
		'public',
	);
	const { open } = await openSimulator({ endpoints: [broken] });
	expect(await open('/broken')).toMatchObject({
		status: 500,
		body: { error: { message: 'out of order' } },
	});
	expect(await open('/portal')).toMatchObject({ status: 200 });
});
