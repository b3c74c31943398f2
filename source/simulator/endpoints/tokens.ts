import { createHmac } from 'node:crypto';
import type { SimulatorClock } from '../world/clock.ts';
import { randomCode, randomPurposes } from '../world/random.ts';

/** The one account that the simulated platform knows. */
export const demoAccount = {
	email: 'owner@example.com',
	password: 'lookout',
	anonKey: 'anon-key-of-the-demo',
	userId: '6f1d2c9a-0c1e-4f57-9a53-2b8f0f3c7d11',
} as const;

export type AuthSession = {
	id: string;
	accessToken: string;
	refreshToken: string;
	/** The time at which the access token expires, in seconds since 1970. */
	expiresAt: number;
};

export type Tokens = {
	signIn(): AuthSession;
	/** Renews a session. Each refresh token works only once. */
	refresh(refreshToken: string): AuthSession | undefined;
	/** Returns the session id of an access token, or undefined if the token is invalid or has expired. */
	sessionIdOf(accessToken: string): string | undefined;
	endSession(sessionId: string): void;
	endOtherSessions(sessionId: string): void;
	endAllSessions(): void;
};

type Claims = { session_id: string; exp: number };

export function createTokens(
	clock: SimulatorClock,
	seed: number,
	tokenLifetimeSeconds: number,
): Tokens {
	const secret = randomCode(32, seed, randomPurposes.secret);
	// The current refresh token of each open session, by session id.
	const sessions = new Map<string, string>();
	let issuedCount = 0;

	const signature = (signedText: string) =>
		createHmac('sha256', secret).update(signedText).digest('base64url');

	function issue(id: string): AuthSession {
		const issuedAt = Math.floor(clock.now() / 1000);
		const expiresAt = issuedAt + tokenLifetimeSeconds;
		const refreshToken = randomCode(22, seed, randomPurposes.refresh, issuedCount++);
		const text = [
			encodedTokenPart({ alg: 'HS256', typ: 'JWT' }),
			encodedTokenPart({
				aud: 'authenticated',
				exp: expiresAt,
				iat: issuedAt,
				sub: demoAccount.userId,
				email: demoAccount.email,
				role: 'authenticated',
				session_id: id,
				jti: `${issuedCount}`,
			}),
		].join('.');
		sessions.set(id, refreshToken);
		return { id, accessToken: `${text}.${signature(text)}`, refreshToken, expiresAt };
	}

	return {
		signIn: () => issue(`session-${issuedCount}`),
		refresh(refreshToken) {
			const [id] = [...sessions].find(([, token]) => token === refreshToken) ?? [];
			return id === undefined ? undefined : issue(id);
		},
		sessionIdOf(accessToken) {
			const [head = '', claims = '', signed] = accessToken.split('.');
			if (signed !== signature(`${head}.${claims}`)) return undefined;
			const { session_id: id, exp } = decodedClaims(claims);
			return sessions.has(id) && exp * 1000 > clock.now() ? id : undefined;
		},
		endSession: id => sessions.delete(id),
		endOtherSessions(id) {
			for (const openSessionId of sessions.keys())
				if (openSessionId !== id) sessions.delete(openSessionId);
		},
		endAllSessions: () => sessions.clear(),
	};
}

const encodedTokenPart = (value: object) =>
	Buffer.from(JSON.stringify(value)).toString('base64url');

/** Decodes the claims of a token. The signature has been checked, so the simulator itself wrote them. */
const decodedClaims = (claims: string): Claims =>
	JSON.parse(Buffer.from(claims, 'base64url').toString());
