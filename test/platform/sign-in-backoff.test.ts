import { expect, onTestFinished, test } from 'vitest';
import { createPlatform } from '../../source/platform/platform.ts';
import { createSimulator, type Fault } from '../../source/simulator/simulator.ts';
import { createHeldClock } from '../held-clock.ts';
import { createUnlimitedRateLimiter } from '../unlimited-rate-limiter.ts';
import { directFetch } from './clients.ts';

const second = 1_000;

async function signingIn(faults: readonly Fault[]) {
	const clock = createHeldClock();
	const simulator = await createSimulator({ clock, computers: 2, faults });
	const platform = createPlatform({
		baseUrl: simulator.baseUrl,
		credentials: {
			kind: 'password',
			authUrl: simulator.authUrl,
			anonKey: simulator.anonKey,
			email: simulator.email,
			password: async () => simulator.password,
		},
		rateLimiter: createUnlimitedRateLimiter(),
		clock,
		fetch: directFetch,
	});
	onTestFinished(() => {
		platform.close();
		return simulator.close();
	});
	const ask = (priority: 'read' | 'operation', signal = new AbortController().signal) => ({
		priority,
		signal,
	});
	const grants = () => simulator.requests.filter(({ path }) => path.startsWith('/auth')).length;
	return { clock, simulator, platform, ask, grants };
}

test.each(['500', 'throttle', 'lost'] as const)(
	'the client sends few sign-ins for all reads together while every sign-in fails with “%s”',
	async kind => {
		const { clock, platform, ask, grants } = await signingIn([{ target: 'sign-in', kind }]);
		const readAll = () =>
			Promise.allSettled([
				platform.listComputers(ask('read')),
				platform.credits(ask('read')),
				platform.models(ask('read')),
				platform.subscription(ask('read')),
				platform.release(ask('read')),
			]);
		for (let passed = 0; passed < 31; passed += 1) {
			const ends = await readAll();
			expect(ends.every(({ status }) => status === 'rejected')).toBe(true);
			clock.move(second);
		}
		// The sign-ins are sent at 0, 1, 3, 7 and 15 seconds.
		expect(grants()).toBeLessThanOrEqual(5);
		expect(grants()).toBeGreaterThan(0);
	},
);

test('the client fails a read during the sign-in backoff with the reason and the time of the next sign-in', async () => {
	const { clock, platform, ask } = await signingIn([{ target: 'sign-in', kind: '500' }]);
	await expect(platform.credits(ask('read'))).rejects.toThrow();
	clock.move(400);
	await expect(platform.credits(ask('read'))).rejects.toMatchObject({
		failure: {
			kind: 'server',
			message: 'Internal error',
			retryAfter: 600,
			isOutcomeUnknown: false,
		},
	});
});

test('a read signs in at once after the wait was ended, but not in its first second, nor during a rate limit', async () => {
	const { clock, simulator, platform, ask, grants } = await signingIn([
		{ target: 'sign-in', kind: '500' },
	]);
	const read = () => platform.credits(ask('read')).catch(() => undefined);
	for (let waited = 0; waited < 16; waited += 1) {
		await read();
		clock.move(second);
	}
	expect(grants()).toBe(5);
	await read();
	expect(grants()).toBe(5);
	platform.endSignInWait();
	await read();
	expect(grants()).toBe(6);
	clock.move(second - 1);
	platform.endSignInWait();
	await read();
	expect(grants()).toBe(6);
	clock.move(1);
	simulator.setFaults([{ target: 'sign-in', kind: 'throttle' }]);
	await read();
	expect(grants()).toBe(7);
	clock.move(2 * second);
	platform.endSignInWait();
	await read();
	expect(grants()).toBe(7);
});

test('the wait that the identity provider asks for is kept up to an hour, but a typed password is sent at once', async () => {
	const { clock, platform, ask } = await signingIn([]);
	let sent = 0;
	const refusing = createPlatform({
		baseUrl: 'https://platform.test/v1',
		credentials: {
			kind: 'password',
			authUrl: 'https://id.test',
			anonKey: 'key',
			email: 'owner@example.com',
			password: async () => 'secret',
		},
		rateLimiter: createUnlimitedRateLimiter(),
		clock,
		async fetch() {
			sent += 1;
			return new Response('{}', { status: 429, headers: { 'retry-after': '86400' } }) as never;
		},
	});
	onTestFinished(refusing.close);
	platform.close();
	const read = () => refusing.credits(ask('read')).catch(() => undefined);
	await read();
	clock.move(59 * 60 * second);
	refusing.endSignInWait();
	await read();
	expect(sent).toBe(1);
	refusing.endSignInWait(true);
	await read();
	expect(sent).toBe(2);
	clock.move(60 * 60 * second);
	await read();
	expect(sent).toBe(3);
});

test('the client lets an operation wait for the end of the sign-in backoff, and sends it after the sign-in', async () => {
	const { clock, simulator, platform, ask, grants } = await signingIn([
		{ target: 'sign-in', kind: '500', count: 1 },
	]);
	const { id } = simulator.world.add({ name: 'atlas' });
	await expect(platform.credits(ask('read'))).rejects.toThrow();
	const stopping = platform.sendAction(id, 'stop', ask('operation'));
	await new Promise(setImmediate);
	expect(grants()).toBe(1);
	clock.move(second);
	await stopping;
	expect(grants()).toBe(2);
	expect(simulator.world.get(id).state).toBe('stopping');
});

test('the client leaves no timer behind when an operation that waits for a sign-in is aborted or the program ends', async () => {
	const { clock, platform, ask, grants } = await signingIn([{ target: 'sign-in', kind: '500' }]);
	await expect(platform.credits(ask('read'))).rejects.toThrow();
	const waiting = clock.waiting;
	const controller = new AbortController();
	const called = platform.sendAction('sb_a', 'stop', ask('operation', controller.signal));
	controller.abort();
	await expect(called).rejects.toThrow('cancelled');
	const open = platform.sendAction('sb_a', 'stop', ask('operation'));
	platform.close();
	await expect(open).rejects.toThrow('cancelled');
	expect(clock.waiting).toBe(waiting);
	expect(grants()).toBe(1);
});
