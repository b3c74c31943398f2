import type { Answer } from './answer.ts';
import type { SimulatorClock } from './clock.ts';
import { demoAccount } from './demo-account.ts';
import {
	type AnswerContext,
	bearerToken,
	type Call,
	type Endpoint,
	endpoint,
	fieldOf,
} from './endpoint.ts';
import type { Shapes } from './shapes.ts';
import type { Session, Tokens } from './tokens.ts';

const mostSignIns = 30;
const signInWindow = 5 * 60_000;

/**
 * The endpoints of the identity provider, which has its own rate limits and error shapes. The function is
 * long because its handlers share the count of sign-ins.
 */
export function authEndpoints(tokens: Tokens, clock: SimulatorClock): readonly Endpoint[] {
	let signIns: number[] = [];

	function isOverSignInLimit(): boolean {
		const now = clock.now();
		signIns = signIns.filter(at => at > now - signInWindow);
		if (signIns.length >= mostSignIns) return true;
		signIns.push(now);
		return false;
	}

	function tokenAnswer(call: Call, shapes: Shapes): Answer {
		if (isOverSignInLimit()) {
			return codedError(429, 'over_request_rate_limit', 'Request rate limit reached');
		}
		switch (call.query('grant_type')) {
			case 'password': {
				const isRight =
					fieldOf(call.body, 'email') === demoAccount.email &&
					fieldOf(call.body, 'password') === demoAccount.password;
				if (isRight) return sessionAnswer(tokens.signIn(), clock, shapes);
				return shapes.signInError === 'oauth'
					? oauthError('invalid_grant', 'Invalid login credentials')
					: codedError(400, 'invalid_credentials', 'Invalid login credentials');
			}
			case 'refresh_token': {
				const session = tokens.refresh(`${fieldOf(call.body, 'refresh_token')}`);
				if (session) return sessionAnswer(session, clock, shapes);
				return shapes.signInError === 'oauth'
					? oauthError('invalid_grant', 'Invalid Refresh Token')
					: codedError(400, 'refresh_token_not_found', 'Invalid Refresh Token');
			}
			default:
				return oauthError('unsupported_grant_type', 'The grant type is not supported');
		}
	}

	const signedIn = (answer: (call: Call, sessionId: string) => Answer) => (call: Call) => {
		const sessionId = tokens.sessionOf(bearerToken(call));
		return sessionId === undefined
			? codedError(401, 'bad_jwt', 'The token is invalid or has expired')
			: answer(call, sessionId);
	};

	const withKey =
		(answer: (call: Call, shapes: Shapes) => Answer) => (call: Call, view: AnswerContext) =>
			call.header('apikey') === demoAccount.anonKey ? answer(call, view.shapes) : wrongApiKey;

	function signOut(call: Call, sessionId: string): Answer {
		const scope = call.query('scope') ?? 'global';
		if (scope === 'local') tokens.end(sessionId);
		else if (scope === 'others') tokens.endOthers(sessionId);
		else tokens.endAll();
		return { status: 204 };
	}

	const userAnswer = (): Answer => ({ status: 200, json: user });

	return [
		endpoint('sign-in', 'POST /auth/v1/token', withKey(tokenAnswer), 'auth'),
		endpoint('user', 'GET /auth/v1/user', withKey(signedIn(userAnswer)), 'auth'),
		endpoint('sign-out', 'POST /auth/v1/logout', withKey(signedIn(signOut)), 'auth'),
	];
}

const user = {
	id: demoAccount.userId,
	aud: 'authenticated',
	role: 'authenticated',
	email: demoAccount.email,
};

function sessionAnswer(session: Session, clock: SimulatorClock, { token }: Shapes): Answer {
	const { accessToken, refreshToken, expiresAt } = session;
	if (token === 'minimal') return { status: 200, json: { access_token: accessToken } };
	return {
		status: 200,
		json: {
			access_token: accessToken,
			token_type: 'bearer',
			expires_in: expiresAt - Math.floor(clock.now() / 1000),
			expires_at: expiresAt,
			refresh_token: refreshToken,
			user,
		},
	};
}

const wrongApiKey: Answer = { status: 401, json: { message: 'Invalid API key' } };

const oauthError = (error: string, description: string): Answer => ({
	status: 400,
	json: { error, error_description: description },
});

const codedError = (status: number, error_code: string, msg: string): Answer => ({
	status,
	json: { code: status, error_code, msg },
});
