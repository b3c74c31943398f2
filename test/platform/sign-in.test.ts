import { expect, onTestFinished, test, vi } from 'vitest';
import type { Fetch } from '../../source/foundation/network.ts';
import { PlatformError } from '../../source/platform/decoding/platform-error.ts';
import { createPlatform } from '../../source/platform/platform.ts';
import { createSignIn } from '../../source/platform/sign-in.ts';
import { createSimulator, type Fault } from '../../source/simulator/simulator.ts';
import { createHeldClock } from '../held-clock.ts';
import { createUnlimitedRateLimiter } from '../unlimited-rate-limiter.ts';
import { directFetch } from './clients.ts';

const never = () => new AbortController().signal;

type Met = { status?: number; json: unknown } | Error;
type Asked = { address: string; apikey: string | undefined; body: unknown };

/** An identity provider without a server. */
function fetchFrom(answer: (asked: Asked) => Met): Fetch {
	return async (address, { headers, body }) => {
		const met = answer({ address, apikey: headers['apikey'], body: JSON.parse(body ?? 'null') });
		if (met instanceof Error) throw met;
		return new Response(JSON.stringify(met.json), { status: met.status ?? 200 }) as never;
	};
}

/** Signs in at an identity provider that `answer` answers for, by the number of the request. */
function provider(answer: (count: number) => Met, password = () => 'hunter2') {
	const requests: Asked[] = [];
	const refusals: (string | undefined)[] = [];
	const clock = createHeldClock();
	const onSignedIn = vi.fn();
	const signIn = createSignIn({
		credentials: {
			kind: 'password',
			authUrl: 'https://auth.example/',
			anonKey: 'anon-key-value',
			email: 'owner@example.com',
			async password(_, refused) {
				refusals.push(refused?.message);
				return password();
			},
		},
		clock,
		onSignedIn,
		fetch: fetchFrom(request => {
			requests.push(request);
			return answer(requests.length);
		}),
	});
	return { signIn, requests, refusals, clock, onSignedIn };
}

const good = (count: number) => ({ json: { access_token: `token-${count}`, expires_in: 3600 } });

test('the client sends one sign-in for all callers that wait for a token', async () => {
	const { signIn, requests, onSignedIn } = provider(good);
	const tokens = await Promise.all([1, 2, 3].map(() => signIn.getToken(never())));
	expect(tokens).toEqual(['token-1', 'token-1', 'token-1']);
	expect(await signIn.getToken(never())).toBe('token-1');
	expect(requests).toEqual([
		{
			address: 'https://auth.example/auth/v1/token?grant_type=password',
			apikey: 'anon-key-value',
			body: { email: 'owner@example.com', password: 'hunter2' },
		},
	]);
	expect(onSignedIn).toHaveBeenCalledExactlyOnceWith('owner@example.com');
});

test('the client renews a token before it expires, and keeps a token whose expiry is unknown', async () => {
	const { signIn, clock } = provider(good);
	await signIn.getToken(never());
	clock.move(3_600_000 - 61_000);
	expect(await signIn.getToken(never())).toBe('token-1');
	clock.move(2000);
	expect(await signIn.getToken(never())).toBe('token-2');

	const endless = provider(count => ({ json: { access_token: `token-${count}` } }));
	await endless.signIn.getToken(never());
	endless.clock.move(1e9);
	expect(await endless.signIn.getToken(never())).toBe('token-1');
});

test('the client uses a token even if it expires almost at once', async () => {
	const { signIn, clock, requests } = provider(count => ({
		json: { access_token: `token-${count}`, expires_in: 20 },
	}));
	await signIn.getToken(never());
	clock.move(17_000);
	expect(await signIn.getToken(never())).toBe('token-1');
	expect(requests).toHaveLength(1);
});

test('the client signs in once when many requests report the same token as refused', async () => {
	const { signIn, requests } = provider(good);
	const token = await signIn.getToken(never());
	const renewed = await Promise.all([1, 2, 3].map(() => signIn.renewToken(token, never())));
	expect(renewed).toEqual(['token-2', 'token-2', 'token-2']);
	expect(await signIn.renewToken(token, never())).toBe('token-2');
	expect(requests).toHaveLength(2);
});

test.each([
	[400, { error: 'invalid_grant', error_description: 'Invalid login credentials' }, 'auth'],
	[400, { code: 400, error_code: 'invalid_credentials', msg: 'Invalid login credentials' }, 'auth'],
	[401, { message: 'No API key found in request' }, 'auth'],
	[429, { code: 429, error_code: 'over_request_rate_limit', msg: 'slow down' }, 'limited'],
	[500, {}, 'server'],
	[200, { token: 'elsewhere' }, 'unreadable'],
])(
	'the client reports the response %i %j to a sign-in as a failure of kind “%s”, and allows the next sign-in',
	async (status, json, kind) => {
		const { signIn, requests, clock } = provider(count =>
			count === 1 ? { status, json } : good(count),
		);
		const error = await signIn.getToken(never()).catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(PlatformError);
		expect((error as PlatformError).failure).toMatchObject({ kind, isOutcomeUnknown: false });
		expect(JSON.stringify(error)).not.toMatch(/hunter2|anon-key-value/);
		clock.move(1_000);
		expect(await signIn.getToken(never())).toBe('token-2');
		expect(requests).toHaveLength(2);
	},
);

test('the client asks for another password only after a second 401 that does not mention the password', async () => {
	const troubled = { status: 401, json: { message: 'try again' } };
	const once = provider(count => (count === 1 ? troubled : good(count)));
	await expect(once.signIn.getToken(never())).rejects.toThrow('try again');
	await once.signIn.getToken(never());
	expect(once.refusals).toEqual([undefined, undefined]);

	const always = provider(() => troubled);
	await expect(always.signIn.getToken(never())).rejects.toThrow('try again');
	await expect(always.signIn.getToken(never())).rejects.toThrow('try again');
	expect(always.refusals).toEqual([undefined, undefined, 'try again']);
	expect(always.requests).toHaveLength(2);
});

test('the client does not count an unclear 401 for one password against the next password', async () => {
	const troubled = { status: 401, json: { message: 'try again' } };
	const wrong = { status: 400, json: { error: 'invalid_grant' } };
	const answers = [troubled, wrong, troubled];
	const passwords = ['hunter2', 'hunter2', 'right', 'right'];
	const { signIn, requests, refusals } = provider(
		count => answers[count - 1] ?? good(count),
		() => passwords.shift() ?? '',
	);
	await expect(signIn.getToken(never())).rejects.toThrow('try again');
	await expect(signIn.getToken(never())).rejects.toThrow('try again');
	expect(await signIn.getToken(never())).toBe('token-4');
	expect(refusals).toEqual([undefined, undefined, 'invalid_grant', undefined]);
	expect(requests).toHaveLength(4);
});

test.each([
	['no answer', new Error('no answer')],
	['too many sign-ins', { status: 429, json: {} }],
	['a server error', { status: 500, json: {} }],
])(
	'the client tries the last typed password again after the failure “%s”, because only an earlier password was refused',
	async (_, met) => {
		const passwords = ['wrong', 'right', 'right'];
		const answers = [{ status: 400, json: { error: 'invalid_grant' } }, met];
		const { signIn, refusals, clock } = provider(
			count => answers[count - 1] ?? good(count),
			() => passwords.shift() ?? '',
		);
		await expect(signIn.getToken(never())).rejects.toThrow();
		clock.move(1_000);
		expect(await signIn.getToken(never())).toBe('token-3');
		expect(refusals).toEqual([undefined, 'invalid_grant', undefined]);
	},
);

test('the client continues a sign-in for the other callers when one caller aborts', async () => {
	const { signIn } = provider(good);
	const controller = new AbortController();
	const impatient = signIn.getToken(controller.signal);
	const patient = signIn.getToken(never());
	controller.abort();
	await expect(impatient).rejects.toThrow('cancelled');
	expect(await patient).toBe('token-1');
});

test('the client reports a refused token from the configuration as a failure, because it cannot be renewed', async () => {
	const signIn = createSignIn({
		credentials: { kind: 'token', token: 'given' },
		clock: createHeldClock(),
		fetch: () => Promise.reject(new Error('asked')),
	});
	expect(await signIn.getToken(never())).toBe('given');
	await expect(signIn.renewToken('given', never())).rejects.toThrow(
		'the configured token was refused',
	);
});

test('the client asks for another password instead of sending a refused password again', async () => {
	const asked: (string | undefined)[] = [];
	const sent: unknown[] = [];
	const passwords = ['hunter2', 'hunter2', 'hunter2', 'hunter3', 'right'];
	const signIn = createSignIn({
		credentials: {
			kind: 'password',
			authUrl: 'https://auth.example',
			anonKey: 'anon',
			email: 'owner@example.com',
			password: async (_, refused) => {
				asked.push(refused?.message);
				return passwords.shift() ?? '';
			},
		},
		clock: createHeldClock(),
		redact: text => text.replace(/hunter./g, '…'),
		fetch: fetchFrom(({ body }) => {
			const { password } = body as { password: string };
			sent.push(password);
			if (password === 'right') return { json: { access_token: 'token' } };
			return {
				status: 400,
				json: { error: 'invalid_grant', error_description: `${password} is wrong` },
			};
		}),
	});
	await expect(signIn.getToken(never())).rejects.toThrow('… is wrong');
	expect(sent).toEqual(['hunter2']);
	expect(await signIn.getToken(never())).toBe('token');
	expect(sent).toEqual(['hunter2', 'hunter2', 'hunter3', 'right']);
	expect(asked).toEqual([undefined, ...Array(4).fill('… is wrong')]);
});

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
