import { expect, onTestFinished, test, vi } from 'vitest';
import type { TokenCache } from '../../source/foundation/sign-in.ts';
import { createPlatform } from '../../source/platform/platform.ts';
import { createSimulator } from '../../source/simulator/simulator.ts';
import { createHeldClock } from '../held-clock.ts';
import { createUnlimitedRateLimiter } from '../unlimited-rate-limiter.ts';

/** Creates a token cache in memory that several runs share, like the cache on disk. */
function createCache(): TokenCache {
	let kept: ReturnType<TokenCache['load']>;
	return {
		load: () => kept,
		save: vi.fn(token => {
			kept = token;
		}),
		remove(accessToken) {
			if (kept?.accessToken === accessToken) kept = undefined;
		},
		forget() {
			kept = undefined;
		},
	};
}

async function start() {
	const clock = createHeldClock();
	const simulator = await createSimulator({ clock, computers: 1 });
	onTestFinished(simulator.close);
	const tokens = createCache();
	const password = vi.fn(async () => simulator.password);
	const onSignedIn = vi.fn();
	const run = () => {
		const { baseUrl, authUrl, anonKey, email } = simulator;
		const platform = createPlatform({
			baseUrl,
			credentials: { kind: 'password', authUrl, anonKey, email, password },
			rateLimiter: createUnlimitedRateLimiter(),
			clock,
			fetch,
			tokenCache: tokens,
			onSignedIn,
		});
		const asking = { signal: new AbortController().signal, priority: 'read' } as const;
		return { credits: () => platform.credits(asking), signOut: platform.signOut };
	};
	return { simulator, clock, tokens, password, onSignedIn, run };
}

test('the next run of the program uses the token that the last run stored', async () => {
	const { run, password, tokens, onSignedIn } = await start();
	await run().credits();
	await run().credits();
	expect(password).toHaveBeenCalledOnce();
	expect(tokens.save).toHaveBeenCalledOnce();
	expect(onSignedIn).toHaveBeenCalledTimes(2);
});

test('the program does not use a stored token that has expired or is about to expire', async () => {
	const { run, password, clock } = await start();
	await run().credits();
	clock.move(3_600_000 - 59_000);
	await run().credits();
	expect(password).toHaveBeenCalledTimes(2);
});

test('when the token of two running programs is refused, only one of them signs in again', async () => {
	const { run, password, clock } = await start();
	const [one, other] = [run(), run()];
	await one.credits();
	await other.credits();
	clock.move(3_600_000 - 59_000);
	await one.credits();
	await other.credits();
	expect(password).toHaveBeenCalledTimes(2);
});

test('the program deletes a stored token that the platform refuses, and stores the new token', async () => {
	const { run, password, simulator, tokens } = await start();
	await run().credits();
	const old = tokens.load()?.accessToken;
	simulator.expireTokens();
	await run().credits();
	expect(password).toHaveBeenCalledTimes(2);
	expect(tokens.load()?.accessToken).not.toBe(old);
});

test('after a sign-out, a token that another run stores is not used, and a new sign-in asks for the password', async () => {
	const { run, password, tokens } = await start();
	const [one, other] = [run(), run()];
	await one.credits();
	one.signOut();
	expect(tokens.load()).toBeUndefined();
	await other.credits();
	expect(tokens.load()).toBeDefined();
	await one.credits();
	expect(password).toHaveBeenCalledTimes(3);
});

test('a sign-in that is under way during a sign-out gives no token', async () => {
	const { run, tokens } = await start();
	const one = run();
	const asked = one.credits();
	one.signOut();
	await expect(asked).rejects.toThrow('you signed out');
	expect(tokens.load()).toBeUndefined();
});
