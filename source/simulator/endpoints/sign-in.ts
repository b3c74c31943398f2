import { randomCode, randomPurposes } from '../world/random.ts';
import {
	createEndpoint,
	type EndpointAnswer,
	type EndpointHandler,
	type EndpointRequest,
	fieldOf,
} from './endpoint.ts';
import { unauthorized } from './faults.ts';
import { shaped } from './shapes.ts';

export const demoAccount = {
	email: 'owner@example.com',
	password: 'lookout',
	anonKey: 'anon-key-of-the-demo',
};

const user = {
	id: '6f1d2c9a-0c1e-4f57-9a53-2b8f0f3c7d11',
	aud: 'authenticated',
	role: 'authenticated',
	email: demoAccount.email,
};

const invalid = 'Invalid login credentials';
const invalidCredentials = {
	error: 'invalid_grant',
	error_description: invalid,
	code: 400,
	error_code: 'invalid_credentials',
	msg: invalid,
};

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

export function createIdentityProvider(
	clock: { now(): number },
	seed: number,
	lifetimeSeconds: number,
) {
	const expiryByToken = new Map<string, number>();
	let issuedCount = 0;

	const isSignedIn = ({ header }: EndpointRequest) => {
		const [, token = ''] = header('authorization')?.match(/^Bearer (.+)$/i) ?? [];
		return (expiryByToken.get(token) ?? 0) * 1000 > clock.now();
	};

	const signIn: EndpointHandler = ({ query, body, header }, { shapes }) => {
		const isRight =
			query('grant_type') === 'password' &&
			fieldOf(body, 'email') === demoAccount.email &&
			fieldOf(body, 'password') === demoAccount.password;
		if (header('apikey') !== demoAccount.anonKey)
			return { status: 401, json: { message: 'Invalid API key' } };
		if (!isRight) return { status: 400, json: shaped(shapes, 'signInError', invalidCredentials) };
		const issuedAt = Math.floor(clock.now() / 1000);
		const exp = issuedAt + lifetimeSeconds;
		const refresh_token = randomCode(22, seed, randomPurposes.refresh, issuedCount++);
		const claims = { ...user, sub: user.id, iat: issuedAt, exp, jti: `${issuedCount}` };
		const signature = randomCode(43, seed, randomPurposes.secret, issuedCount);
		const access_token = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}.${signature}`;
		expiryByToken.set(access_token, exp);
		const values = {
			access_token,
			token_type: 'bearer',
			expires_in: lifetimeSeconds,
			expires_at: exp,
			refresh_token,
			user,
		};
		return { status: 200, json: shaped(shapes, 'token', values) };
	};

	const signedIn =
		(answer: () => EndpointAnswer): EndpointHandler =>
		request =>
			isSignedIn(request) ? answer() : unauthorized;

	const endAllSessions = () => expiryByToken.clear();
	const userAnswer = signedIn(() => ({ status: 200, json: user }));
	const signOut = signedIn(() => {
		endAllSessions();
		return { status: 204 };
	});
	return {
		endpoints: [
			createEndpoint('sign-in', 'POST /auth/v1/token', signIn, 'auth'),
			createEndpoint('user', 'GET /auth/v1/user', userAnswer, 'auth'),
			createEndpoint('sign-out', 'POST /auth/v1/logout', signOut, 'auth'),
		],
		isSignedIn,
		endAllSessions,
	};
}
