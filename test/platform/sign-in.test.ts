import { expect, test, vi } from 'vitest';
import { PlatformError } from '../../source/platform/decoding/platform-error.ts';
import { createSignIn } from '../../source/platform/sign-in.ts';
import { second } from '../durations.ts';
import { createHeldClock } from '../held-clock.ts';

const never = () => new AbortController().signal;

type Met = { status?: number; headers?: Record<string, string>; json: unknown } | Error;

const good = (count: number): Met => ({
	json: { access_token: `token-${count}`, expires_in: 3600 },
});
const wrong: Met = { status: 400, json: { error: 'invalid_grant' } };
const troubled: Met = { status: 401, json: { message: 'try again' } };
const broken: Met = { status: 500, json: { message: 'Internal error' } };
const throttled: Met = { status: 429, json: {}, headers: { 'retry-after': '86400' } };

/** An identity provider without a server, that gives these answers and then tokens, and an account there. */
function provider({
	answers = [],
	passwords = [],
}: {
	answers?: readonly Met[];
	passwords?: readonly string[];
}) {
	const left = [...answers];
	const typed = [...passwords];
	const sent: { address: string; apikey: string | undefined; body: unknown }[] = [];
	const refusals: (string | undefined)[] = [];
	const clock = createHeldClock();
	const onSignedIn = vi.fn();
	const onSignInFailed = vi.fn();
	const options = {
		credentials: {
			kind: 'password',
			authUrl: 'https://auth.example/',
			anonKey: 'anon-key-value',
			email: 'owner@example.com',
			async password(_: AbortSignal, refused?: { message: string }) {
				refusals.push(refused?.message);
				return typed.shift() ?? 'hunter2';
			},
		} as const,
		clock,
		onSignedIn,
		onSignInFailed,
		redact: (text: string) => text.replaceAll('hunter2', '…'),
		async fetch(address: string, init: { headers: Record<string, string>; body?: string }) {
			sent.push({ address, apikey: init.headers['apikey'], body: JSON.parse(init.body ?? 'null') });
			const met = left.shift() ?? good(sent.length);
			if (met instanceof Error) throw met;
			return new Response(JSON.stringify(met.json), { status: 200, ...met }) as never;
		},
	};
	const signIn = createSignIn(options);
	return {
		signIn,
		sent,
		refusals,
		clock,
		onSignedIn,
		onSignInFailed,
		options,
		get: (priority: 'read' | 'operation' = 'read', signal = never()) =>
			signIn.getToken(signal, priority),
		/** Asks for a token, and returns how many sign-ins were sent so far. */
		async count() {
			await signIn.getToken(never()).catch(() => undefined);
			return sent.length;
		},
	};
}

test('one sign-in serves all callers that wait for a token, also if one of them leaves', async () => {
	const { get, sent, onSignedIn } = provider({});
	const controller = new AbortController();
	const impatient = get('read', controller.signal);
	const patient = [get(), get()];
	controller.abort();
	await expect(impatient).rejects.toThrow('cancelled');
	expect(await Promise.all([...patient, get()])).toEqual(Array(3).fill('token-1'));
	expect(await get()).toBe('token-1');
	expect(sent).toEqual([
		{
			address: 'https://auth.example/auth/v1/token?grant_type=password',
			apikey: 'anon-key-value',
			body: { email: 'owner@example.com', password: 'hunter2' },
		},
	]);
	expect(onSignedIn).toHaveBeenCalledExactlyOnceWith('owner@example.com');
});

test.each([
	['a minute before it ends', 3600, 3_600 * second - 60 * second],
	['after nine tenths of a short life', 20, 18 * second],
	['never, if its end is unknown', undefined, Number.POSITIVE_INFINITY],
])('a token is renewed %s', async (_, expires_in, renewedAfterMs) => {
	const { get, clock } = provider({ answers: [{ json: { access_token: 'first', expires_in } }] });
	await get();
	clock.move(Math.min(renewedAfterMs - 1, 1e9));
	expect(await get()).toBe('first');
	if (renewedAfterMs === Number.POSITIVE_INFINITY) return;
	clock.move(1);
	expect(await get()).toBe('token-2');
});

test('a refused token from the configuration is told, because it cannot be renewed', async () => {
	const { options, onSignInFailed } = provider({});
	const signIn = createSignIn({ ...options, credentials: { kind: 'token', token: 'given' } });
	expect(await signIn.getToken(never())).toBe('given');
	const message = 'the configured token was refused';
	await expect(signIn.renewToken('given', never())).rejects.toThrow(message);
	expect(onSignInFailed).toHaveBeenCalledWith(expect.objectContaining({ message }));
});

test.each<[Met, string]>([
	[{ status: 400, json: { error_description: 'Invalid login: hunter2' } }, 'auth'],
	[{ status: 400, json: { error_code: 'invalid_credentials', msg: 'Invalid login' } }, 'auth'],
	[{ status: 401, json: { message: 'No API key found in request' } }, 'auth'],
	[{ status: 429, json: { error_code: 'over_request_rate_limit', msg: 'slow down' } }, 'limited'],
	[{ status: 500, json: {} }, 'server'],
	[{ status: 200, json: { token: 'elsewhere' } }, 'unreadable'],
	[new Error('no answer'), 'offline'],
])(
	'the answer %o to a sign-in is a failure of the kind “%s”, without a secret, and the next may work',
	async (...row) => {
		const [answer, kind] = row;
		const { get, count, clock } = provider({
			answers: [answer],
			passwords: kind === 'auth' ? ['hunter2', 'hunter2'] : [],
		});
		const error = await get().catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(PlatformError);
		expect((error as PlatformError).failure).toMatchObject({ kind, isOutcomeUnknown: false });
		expect(JSON.stringify(error)).not.toMatch(/hunter2|anon-key-value/);
		clock.move(60 * second);
		expect(await count()).toBe(2);
		expect(await get()).toBe('token-2');
	},
);

// What is sent, and what is said of the last refusal when a password is asked for.
test.each<
	[string, readonly Met[], readonly string[], readonly string[], readonly (string | undefined)[]]
>([
	[
		'a refused password is not sent again, but another one is asked for',
		[wrong, wrong, wrong],
		['one', 'one', 'one', 'two', 'right'],
		['one', 'one', 'two', 'right'],
		[undefined, ...Array(4).fill('invalid_grant')],
	],
	[
		'a first 401 that does not blame the password is no refusal',
		[troubled],
		['one', 'one'],
		['one', 'one'],
		[undefined, undefined],
	],
	[
		'a second 401 in a row is a refusal',
		[troubled, troubled],
		['one', 'one', 'right'],
		['one', 'one', 'right'],
		[undefined, undefined, 'try again'],
	],
	[
		'a 401 for one password does not count against the next',
		[troubled, wrong, troubled],
		['one', 'one', 'right', 'right'],
		['one', 'one', 'right', 'right'],
		[undefined, undefined, 'invalid_grant', undefined],
	],
	...[new Error('no answer'), { status: 429, json: {} }, broken].map(
		met =>
			[
				'after any other failure, the last typed password is sent again',
				[wrong, met],
				['wrong', 'right', 'right'],
				['wrong', 'right', 'right'],
				[undefined, 'invalid_grant', undefined],
			] as [string, Met[], string[], string[], (string | undefined)[]],
	),
])('%s', async (_, answers, passwords, expected, told) => {
	const { count, clock, sent, refusals } = provider({ answers, passwords });
	while (refusals.length < passwords.length) {
		await count();
		clock.move(60 * second);
	}
	expect(sent.map(({ body }) => (body as { password: string }).password)).toEqual(expected);
	expect(refusals).toEqual(told);
});

test('while sign-ins fail, reads fail at once with the reason and the time of the next, and few are sent', async () => {
	const { get, count, clock, sent } = provider({ answers: Array(9).fill(broken) });
	for (let passed = 0; passed < 31; passed += 1) {
		await Promise.all([count(), count(), count()]);
		clock.move(second);
	}
	// At 0, 1, 3, 7 and 15 seconds.
	expect(sent).toHaveLength(5);
	await get().catch(() => {});
	clock.move(400);
	await expect(get()).rejects.toMatchObject({
		failure: {
			kind: 'server',
			message: 'Internal error',
			retryAfter: 31_600,
			isOutcomeUnknown: false,
		},
	});
});

test('a person ends the wait, but not in its first second, nor that of a rate limit of at most an hour', async () => {
	const { signIn, count, clock } = provider({
		answers: [...Array(5).fill(broken), throttled, throttled],
	});
	for (let waited = 0; waited < 16; waited += 1) {
		await count();
		clock.move(second);
	}
	expect(await count()).toBe(5);
	signIn.endWait();
	expect(await count()).toBe(6);
	clock.move(59 * 60 * second);
	signIn.endWait();
	expect(await count()).toBe(6);
	// A password that was typed is sent at once.
	signIn.endWait(true);
	expect(await count()).toBe(7);
	clock.move(60 * 60 * second - 1);
	expect(await count()).toBe(7);
	clock.move(1);
	expect(await count()).toBe(8);

	const held = provider({ answers: [broken, broken] });
	await held.count();
	held.clock.move(second - 1);
	held.signIn.endWait();
	expect(await held.count()).toBe(1);
});

test('an operation waits for the next sign-in, until it is aborted or the program ends', async () => {
	const { get, count, clock } = provider({ answers: [broken, broken] });
	await count();
	const controller = new AbortController();
	const aborted = get('operation', controller.signal);
	controller.abort();
	await expect(aborted).rejects.toThrow('cancelled');
	const waiting = get('operation').catch((error: Error) => error.message);
	clock.move(second);
	expect(await waiting).toBe('Internal error');
	const next = get('operation');
	clock.move(2 * second);
	expect(await next).toBe('token-3');

	const ended = provider({ answers: [broken] });
	await ended.count();
	const open = ended.get('operation');
	ended.signIn.close();
	await expect(open).rejects.toThrow('cancelled');
	expect([clock.waiting, ended.clock.waiting]).toEqual([0, 0]);
});
