import type { SimulatorClock } from '../world/clock.ts';
import {
	type AnswerContext,
	bearerTokenOf,
	createEndpoint,
	type Endpoint,
	type EndpointAnswer,
	type EndpointRequest,
	fieldOf,
} from './endpoint.ts';
import type { WireShapes } from './shapes.ts';
import { type AuthSession, demoAccount, type Tokens } from './tokens.ts';

const maxSignIns = 30;
const signInWindowMs = 5 * 60_000;

/** Creates the endpoints of the identity provider, which has its own rate limit and error shapes. */
export function createAuthEndpoints(tokens: Tokens, clock: SimulatorClock): readonly Endpoint[] {
	let signInTimes: number[] = [];

	function isOverSignInLimit(): boolean {
		const now = clock.now();
		signInTimes = signInTimes.filter(at => at > now - signInWindowMs);
		if (signInTimes.length >= maxSignIns) return true;
		signInTimes.push(now);
		return false;
	}

	function tokenAnswer(request: EndpointRequest, shapes: WireShapes): EndpointAnswer {
		if (isOverSignInLimit()) {
			return codedError(429, 'over_request_rate_limit', 'Request rate limit reached');
		}
		switch (request.query('grant_type')) {
			case 'password': {
				const isRight =
					fieldOf(request.body, 'email') === demoAccount.email &&
					fieldOf(request.body, 'password') === demoAccount.password;
				if (isRight) return sessionAnswer(tokens.signIn(), clock, shapes);
				return shapes.signInError === 'oauth'
					? oauthError('invalid_grant', 'Invalid login credentials')
					: codedError(400, 'invalid_credentials', 'Invalid login credentials');
			}
			case 'refresh_token': {
				const session = tokens.refresh(`${fieldOf(request.body, 'refresh_token')}`);
				if (session) return sessionAnswer(session, clock, shapes);
				return shapes.signInError === 'oauth'
					? oauthError('invalid_grant', 'Invalid Refresh Token')
					: codedError(400, 'refresh_token_not_found', 'Invalid Refresh Token');
			}
			default:
				return oauthError('unsupported_grant_type', 'The grant type is not supported');
		}
	}

	const withSession =
		(answer: (request: EndpointRequest, sessionId: string) => EndpointAnswer) =>
		(request: EndpointRequest) => {
			const sessionId = tokens.sessionIdOf(bearerTokenOf(request));
			return sessionId === undefined
				? codedError(401, 'bad_jwt', 'The token is invalid or has expired')
				: answer(request, sessionId);
		};

	const withAnonKey =
		(answer: (request: EndpointRequest, shapes: WireShapes) => EndpointAnswer) =>
		(request: EndpointRequest, context: AnswerContext) =>
			request.header('apikey') === demoAccount.anonKey
				? answer(request, context.shapes)
				: wrongApiKey;

	function signOut(request: EndpointRequest, sessionId: string): EndpointAnswer {
		const scope = request.query('scope') ?? 'global';
		if (scope === 'local') tokens.endSession(sessionId);
		else if (scope === 'others') tokens.endOtherSessions(sessionId);
		else tokens.endAllSessions();
		return { status: 204 };
	}

	const userAnswer = (): EndpointAnswer => ({ status: 200, json: userRecord });

	return [
		createEndpoint('sign-in', 'POST /auth/v1/token', withAnonKey(tokenAnswer), 'auth'),
		createEndpoint('user', 'GET /auth/v1/user', withAnonKey(withSession(userAnswer)), 'auth'),
		createEndpoint('sign-out', 'POST /auth/v1/logout', withAnonKey(withSession(signOut)), 'auth'),
	];
}

const userRecord = {
	id: demoAccount.userId,
	aud: 'authenticated',
	role: 'authenticated',
	email: demoAccount.email,
};

function sessionAnswer(
	session: AuthSession,
	clock: SimulatorClock,
	{ token }: WireShapes,
): EndpointAnswer {
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
			user: userRecord,
		},
	};
}

const wrongApiKey: EndpointAnswer = { status: 401, json: { message: 'Invalid API key' } };

const oauthError = (error: string, description: string): EndpointAnswer => ({
	status: 400,
	json: { error, error_description: description },
});

const codedError = (status: number, error_code: string, msg: string): EndpointAnswer => ({
	status,
	json: { code: status, error_code, msg },
});
