import { AuthClient } from '@supabase/auth-js';
import { expect, test } from 'vitest';
import type { Simulator } from '../../../source/simulator/simulator.ts';
import { minutes, openSimulator, seconds, valueAt } from '../open-simulator.ts';

const claimsOf = (token: string): unknown =>
	JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

test('signing in with a password returns a token that is valid until its expiry', async () => {
	const { clock, signIn, get, ask } = await openSimulator({ tokenLifetimeSeconds: 600 });
	const { status, body } = await signIn();
	expect(status).toBe(200);
	const end = clock.now() / 1000 + 600;
	expect(body).toMatchObject({ token_type: 'bearer', expires_in: 600, expires_at: end });
	const token = String(valueAt(body, 'access_token'));
	expect(claimsOf(token)).toMatchObject({ exp: end, email: 'owner@example.com' });

	clock.move(seconds(600) - 1);
	expect(
		await ask('GET', '/models', undefined, { Authorization: `Bearer ${token}` }),
	).toMatchObject({
		status: 200,
	});
	clock.move(1);
	expect(await get('/models')).toMatchObject({ status: 401 });
	expect(await get('/platform/sandbox/sb_x/status')).toMatchObject({ status: 401 });
});

test('the platform refuses a token with a wrong signature', async () => {
	const { ask, token } = await openSimulator();
	const other = await openSimulator({ seed: 2 });
	const [head, claims, signature] = token.split('.');
	const later = Buffer.from('{"exp":99999999999,"session_id":"session-0"}').toString('base64url');
	for (const wrong of [
		'Bearer ',
		'Bearer nonsense',
		`Basic ${token}`,
		`Bearer ${other.token}`,
		`Bearer ${head}.${later}.${signature}`,
		`Bearer ${head}.${claims}.`,
	]) {
		const answer = await ask('GET', '/models', undefined, { Authorization: wrong });
		expect({ wrong, status: answer.status }).toEqual({ wrong, status: 401 });
	}
});

test('a test can make all tokens expire at once', async () => {
	const { simulator, get, signIn, ask } = await openSimulator();
	simulator.expireTokens();
	expect(await get('/models')).toMatchObject({ status: 401 });
	const fresh = String(valueAt((await signIn()).body, 'access_token'));
	expect(
		await ask('GET', '/models', undefined, { Authorization: `Bearer ${fresh}` }),
	).toMatchObject({
		status: 200,
	});
	expect(await get('/models')).toMatchObject({ status: 401 });
});

test('the identity provider refuses a sign-in without the right anon key', async () => {
	const { signIn } = await openSimulator();
	expect(await signIn({}, 'wrong')).toMatchObject({ status: 401 });
});

test('the identity provider refuses further sign-ins for a while after too many sign-ins', async () => {
	const { signIn, clock } = await openSimulator();
	for (let tried = 1; tried < 30; tried++) expect(await signIn()).toMatchObject({ status: 200 });
	const { status, body } = await signIn();
	expect([status, valueAt(body, 'error_code')]).toEqual([429, 'over_request_rate_limit']);
	clock.move(minutes(5));
	expect(await signIn()).toMatchObject({ status: 200 });
});

test('the platform refuses requests without a JSON content type or with a body that is not JSON', async () => {
	const { ask, simulator, token } = await openSimulator();
	expect(await ask('GET', '/models', undefined, { 'Content-Type': 'text/plain' })).toMatchObject({
		status: 400,
	});
	const broken = await fetch(`${simulator.baseUrl}/billing/checkout`, {
		method: 'POST',
		headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
		body: '{"credits',
	});
	expect(broken.status).toBe(400);
});

async function openClient(options: Parameters<typeof openSimulator>[0] = {}) {
	const opened = await openSimulator(options);
	const { authUrl, anonKey, email, password } = opened.simulator;
	const client = new AuthClient({
		url: `${authUrl}/auth/v1`,
		headers: { apikey: anonKey },
		autoRefreshToken: false,
		persistSession: false,
		detectSessionInUrl: false,
	});
	return { ...opened, client, credentials: { email, password } };
}

async function refresh({ authUrl, anonKey }: Simulator, token: string | undefined) {
	const answer = await fetch(`${authUrl}/auth/v1/token?grant_type=refresh_token`, {
		method: 'POST',
		headers: { apikey: anonKey, 'Content-Type': 'application/json' },
		body: JSON.stringify({ refresh_token: token }),
	});
	return answer.status;
}

test('the identity provider’s own client signs in, refreshes and signs out', async () => {
	const { client, credentials, ask, simulator } = await openClient();
	const models = async (token: string | undefined) =>
		(await ask('GET', '/models', undefined, { Authorization: `Bearer ${token}` })).status;

	const { data, error } = await client.signInWithPassword(credentials);
	expect([error, data.user?.email]).toEqual([null, credentials.email]);
	expect(await models(data.session?.access_token)).toBe(200);

	const refreshed = await client.refreshSession();
	expect(refreshed.error).toBeNull();
	expect(refreshed.data.session?.access_token).not.toBe(data.session?.access_token);
	expect(await models(refreshed.data.session?.access_token)).toBe(200);
	const user = await client.getUser();
	expect(user.data.user?.id).toBe(data.user?.id);

	expect(await refresh(simulator, data.session?.refresh_token)).toBe(400);
	expect(await refresh(simulator, refreshed.data.session?.refresh_token)).toBe(200);

	expect((await client.signOut()).error).toBeNull();
	expect(await models(refreshed.data.session?.access_token)).toBe(401);
	expect(simulator.requests.at(-2)).toMatchObject({ path: '/auth/v1/logout', status: 204 });
});

test('a sign-out ends its own session, or all other sessions if the request says so', async () => {
	const { client, credentials, get, token, ask } = await openClient();
	const bearer = { Authorization: `Bearer ${token}` };
	await client.signInWithPassword(credentials);
	await client.signOut({ scope: 'local' });
	expect(await get('/models')).toMatchObject({ status: 200 });
	await client.signInWithPassword(credentials);
	await client.signOut({ scope: 'others' });
	expect(await ask('GET', '/models', undefined, bearer)).toMatchObject({ status: 401 });
	expect((await client.getUser()).error).toBeNull();
});

test.each(['oauth', 'coded'] as const)(
	'the identity provider reports a wrong password in the configured shape “%s”',
	async signInError => {
		const { client, credentials, signIn } = await openClient({ shapes: { signInError } });
		const { body, status } = await signIn({ ...credentials, password: 'wrong' });
		expect(status).toBe(400);
		expect(body).toEqual(
			signInError === 'oauth'
				? { error: 'invalid_grant', error_description: 'Invalid login credentials' }
				: { code: 400, error_code: 'invalid_credentials', msg: 'Invalid login credentials' },
		);
		const { error } = await client.signInWithPassword({ ...credentials, password: 'wrong' });
		expect(error?.message).toBe('Invalid login credentials');
	},
);
