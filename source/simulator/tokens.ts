import { createHmac } from 'node:crypto';
import type { SimulatorClock } from './clock.ts';
import { demoAccount } from './demo-account.ts';
import { randomCode, salts } from './random.ts';

export type Session = {
	id: string;
	accessToken: string;
	refreshToken: string;
	/** The expiry in Unix seconds. */
	expiresAt: number;
};

export type Tokens = {
	signIn(): Session;
	/** Renews a session. Each refresh token works only once. */
	refresh(refreshToken: string): Session | undefined;
	/** Returns the session of an access token, if the token is still valid. */
	sessionOf(accessToken: string): string | undefined;
	end(sessionId: string): void;
	endOthers(sessionId: string): void;
	endAll(): void;
};

type Claims = { session_id: string; exp: number };

export function createTokens(clock: SimulatorClock, seed: number, seconds: number): Tokens {
	const secret = randomCode(32, seed, salts.secret);
	// The open sessions, each with its current refresh token.
	const sessions = new Map<string, string>();
	let issued = 0;

	const signature = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');

	function issue(id: string): Session {
		const issuedAt = Math.floor(clock.now() / 1000);
		const expiresAt = issuedAt + seconds;
		const refreshToken = randomCode(22, seed, salts.refresh, issued++);
		const text = [
			encoded({ alg: 'HS256', typ: 'JWT' }),
			encoded({
				aud: 'authenticated',
				exp: expiresAt,
				iat: issuedAt,
				sub: demoAccount.userId,
				email: demoAccount.email,
				role: 'authenticated',
				session_id: id,
				jti: `${issued}`,
			}),
		].join('.');
		sessions.set(id, refreshToken);
		return { id, accessToken: `${text}.${signature(text)}`, refreshToken, expiresAt };
	}

	return {
		signIn: () => issue(`session-${issued}`),
		refresh(refreshToken) {
			const [id] = [...sessions].find(([, token]) => token === refreshToken) ?? [];
			return id === undefined ? undefined : issue(id);
		},
		sessionOf(accessToken) {
			const [head = '', claims = '', signed] = accessToken.split('.');
			if (signed !== signature(`${head}.${claims}`)) return undefined;
			const { session_id: id, exp } = decoded(claims);
			return sessions.has(id) && exp * 1000 > clock.now() ? id : undefined;
		},
		end: id => sessions.delete(id),
		endOthers(id) {
			for (const other of sessions.keys()) if (other !== id) sessions.delete(other);
		},
		endAll: () => sessions.clear(),
	};
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The caller has checked the signature, so the simulator itself wrote these claims. */
const decoded = (claims: string): Claims => JSON.parse(Buffer.from(claims, 'base64url').toString());
