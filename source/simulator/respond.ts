import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';
import { type Answer, page } from './answer.ts';
import type { SimulatorClock } from './clock.ts';
import { inServiceStyle } from './encode-style.ts';
import {
	type AnswerContext,
	bearerToken,
	type Call,
	type Endpoint,
	type EndpointResult,
	invalidRequest,
	type Scope,
} from './endpoint.ts';
import type { Fault, FaultKind, Faults } from './faults.ts';
import type { LimitedScope, Limiter } from './limits.ts';
import type { RequestLog } from './request-log.ts';
import type { Bindings, Respond } from './server.ts';
import type { Shapes } from './shapes.ts';
import type { Tokens } from './tokens.ts';
import { authRefusalAnswer, damagedBy, refusalAnswer, wireFrom } from './wire.ts';
import type { World } from './world.ts';

export type RespondDeps = {
	clock: SimulatorClock;
	world: World;
	shapes: () => Shapes;
	limiter: Limiter;
	faults: Faults;
	tokens: Tokens;
	log: RequestLog;
};

/**
 * Creates the function that handles every request, in these steps:
 *
 *    log ─► rate limit ─► faults before the answer ─► token and content type ─► endpoint
 *        ─► the service's style ─► faults that damage the answer ─► wire
 */
export function createRespond({
	clock,
	world,
	shapes,
	limiter,
	faults,
	tokens,
	log,
}: RespondDeps): Respond {
	function resultOf(
		endpoint: Endpoint,
		{ call, isReadable }: Body,
		view: AnswerContext,
	): EndpointResult {
		if (!isReadable) return invalidRequest('The body is not JSON');
		if (endpoint.name !== 'unknown' && isLimited(endpoint.scope)) {
			if (tokens.sessionOf(bearerToken(call)) === undefined) return unauthorized;
			if (!/^application\/json\b/i.test(call.header('content-type') ?? '')) {
				return invalidRequest('Content-Type must be application/json');
			}
		}
		return endpoint.handle(call, view);
	}

	return async (endpoint, context) => {
		const { req, env } = context;
		const { scope } = endpoint;
		const setStatus = log.note({ at: clock.now(), method: req.method, path: req.path, scope });
		const spending = isLimited(scope) ? limiter.spend(scope) : { isAllowed: true, headers: {} };

		const struck = spending.isAllowed ? faults.strike(endpoint.name) : [];
		const fault = struck.find(({ kind }) => kind !== 'delay')?.kind;
		const release = log.holdBack();
		const isStillThere = await delayed(clock, struck, env.outgoing);
		if (isStillThere && fault === 'hang') env.outgoing.once('close', release);
		else release();
		if (!isStillThere || fault === 'hang') return 'hang';
		if (fault === 'reset') return 'reset';

		const body = await bodyFrom(context);
		const view = { world, shapes: shapes(), origin: new URL(req.url).origin, now: world.now() };
		const result = spending.isAllowed
			? (faultResult(fault) ?? resultOf(endpoint, body, view))
			: tooManyRequests;
		const isThrottled = fault === 'throttle' && isLimited(scope);
		const limits = isThrottled ? limiter.refusal(scope) : spending.headers;
		// Without this header Node would send the time of this machine instead of the simulated time.
		const headers = { ...limits, Date: new Date(clock.now()).toUTCString() };
		const wire = damagedBy(wireFrom({ ...answerFrom(result, scope, view), headers }), fault);

		if (fault === 'lost') return 'lost';
		setStatus(wire.status);
		return fault === 'truncated' ? { truncated: wire } : wire;
	};
}

const isLimited = (scope: Scope): scope is LimitedScope => scope !== 'auth' && scope !== 'public';

/** Waits for the delays among the faults. Returns false if the client disconnected meanwhile. */
async function delayed(clock: SimulatorClock, struck: readonly Fault[], outgoing: Closable) {
	for (const { kind, milliseconds = 2_000 } of struck) {
		if (kind !== 'delay') continue;
		const isThere = await new Promise<boolean>(resolve => {
			const cancel = clock.after(milliseconds, () => resolve(true));
			outgoing.once('close', () => {
				cancel();
				resolve(false);
			});
		});
		if (!isThere) return false;
	}
	return true;
}

type Closable = Pick<ServerResponse, 'once'>;

type Body = { call: Call; isReadable: boolean };

async function bodyFrom({ req }: Context<Bindings>): Promise<Body> {
	// Reading a missing body would take as long as all other work for the answer.
	const text = req.method === 'GET' ? '' : await req.text();
	const call = {
		param: (name: string) => req.param(name) ?? '',
		query: (name: string) => req.query(name),
		header: (name: string) => req.header(name),
	};
	try {
		const body: unknown = text.trim() === '' ? undefined : JSON.parse(text);
		return { call: { ...call, body }, isReadable: true };
	} catch {
		return { call: { ...call, body: undefined }, isReadable: false };
	}
}

function answerFrom(
	result: EndpointResult,
	scope: Scope,
	{ shapes, origin }: AnswerContext,
): Answer {
	if (scope === 'auth') return 'refused' in result ? authRefusalAnswer(result.refused) : result;
	const answer = 'refused' in result ? refusalAnswer(result.refused, shapes, origin) : result;
	return 'json' in answer ? { ...answer, json: inServiceStyle(answer.json, shapes) } : answer;
}

const refused = (status: number, code: string, message: string): EndpointResult => ({
	refused: { status, code, message },
});

const tooManyRequests = refused(429, 'rate_limited', 'Too many requests');
const unauthorized = refused(401, 'unauthorized', 'The access token is missing or has expired');

/** Returns the result of a fault that replaces the endpoint, or undefined if the endpoint is called. */
function faultResult(fault: FaultKind | undefined): EndpointResult | undefined {
	switch (fault) {
		case '500':
			return refused(500, 'internal_error', 'Internal error');
		case '502':
			return refused(502, 'bad_gateway', 'The upstream service did not answer');
		case '503':
			return refused(503, 'unavailable', 'The service is being maintained');
		case 'proxy-error':
			return page(502, '502 Bad Gateway', 'The proxy could not reach the service.');
		case 'throttle':
			return tooManyRequests;
		case 'unauthorized':
			return unauthorized;
		default:
			return undefined;
	}
}
