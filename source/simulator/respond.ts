import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';
import {
	type AnswerContext,
	bearerTokenOf,
	type Endpoint,
	type EndpointAnswer,
	type EndpointRequest,
	type EndpointResult,
	type EndpointScope,
	htmlPage,
	invalidRequest,
	withConfiguredStyle,
} from './endpoints/endpoint.ts';
import type { Fault, FaultKind, Faults } from './endpoints/faults.ts';
import type { LimitedScope, Limiter } from './endpoints/limits.ts';
import type { WireShapes } from './endpoints/shapes.ts';
import type { Tokens } from './endpoints/tokens.ts';
import {
	authRefusalAnswer,
	type Bindings,
	damagedResponse,
	type Respond,
	refusalAnswer,
	wireResponseFrom,
} from './server.ts';
import type { SimulatorClock } from './world/clock.ts';
import type { World } from './world/world.ts';

type RespondDeps = {
	clock: SimulatorClock;
	world: World;
	shapes: () => WireShapes;
	limiter: Limiter;
	faults: Faults;
	tokens: Tokens;
	log: RequestLog;
};

/**
 * Creates the function that handles every request, in these steps:  log ─► rate limit ─► faults before the answer ─►
 * token and content type ─► endpoint ─► the service's style ─► faults that damage the answer ─► wire
 */
export function createResponder({
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
		{ request, isReadable }: ParsedRequest,
		answerContext: AnswerContext,
	): EndpointResult {
		if (!isReadable) return invalidRequest('The body is not JSON');
		if (endpoint.name !== 'unknown' && isLimited(endpoint.scope)) {
			if (tokens.sessionIdOf(bearerTokenOf(request)) === undefined) return unauthorized;
			if (!/^application\/json\b/i.test(request.header('content-type') ?? '')) {
				return invalidRequest('Content-Type must be application/json');
			}
		}
		return endpoint.handle(request, answerContext);
	}

	return async (endpoint, context) => {
		const { req, env } = context;
		const { scope } = endpoint;
		const setStatus = log.add({
			arrivedAt: clock.now(),
			method: req.method,
			path: req.path,
			scope,
		});
		const limitDecision = isLimited(scope)
			? limiter.countRequest(scope)
			: { isAllowed: true, headers: {} };

		const strikingFaults = limitDecision.isAllowed ? faults.strike(endpoint.name) : [];
		const fault = strikingFaults.find(({ kind }) => kind !== 'delay')?.kind;
		const releaseAnswer = log.holdBackAnswer();
		const isConnected = await waitForDelays(clock, strikingFaults, env.outgoing);
		if (isConnected && fault === 'hang') env.outgoing.once('close', releaseAnswer);
		else releaseAnswer();
		if (!isConnected || fault === 'hang') return 'hang';
		if (fault === 'reset') return 'reset';

		const parsedRequest = await parseRequest(context);
		const answerContext = {
			world,
			shapes: shapes(),
			origin: originOf(req),
			now: world.now(),
		};
		const result = limitDecision.isAllowed
			? (faultResultOf(fault) ?? resultOf(endpoint, parsedRequest, answerContext))
			: tooManyRequests;
		const isThrottled = fault === 'throttle' && isLimited(scope);
		const limits = isThrottled ? limiter.refusalHeaders(scope) : limitDecision.headers;
		// Without a Date header, Node would send the time of this machine instead of the simulated time.
		const headers = { ...limits, Date: new Date(clock.now()).toUTCString() };
		const wire = damagedResponse(
			wireResponseFrom({ ...answerFrom(result, scope, answerContext), headers }),
			fault,
		);

		if (fault === 'lost') return 'lost';
		setStatus(wire.status);
		return fault === 'truncated' ? { truncated: wire } : wire;
	};
}

const isLimited = (scope: EndpointScope): scope is LimitedScope =>
	scope !== 'auth' && scope !== 'public';

/** Waits as long as the faults delay the answer. Resolves with false if the client disconnects in the meantime. */
async function waitForDelays(
	clock: SimulatorClock,
	strikingFaults: readonly Fault[],
	outgoing: Closable,
) {
	for (const { kind, delayMs = 2_000 } of strikingFaults) {
		if (kind !== 'delay') continue;
		const isConnected = await new Promise<boolean>(resolve => {
			const cancel = clock.after(delayMs, () => resolve(true));
			outgoing.once('close', () => {
				cancel();
				resolve(false);
			});
		});
		if (!isConnected) return false;
	}
	return true;
}

type Closable = Pick<ServerResponse, 'once'>;

type ParsedRequest = { request: EndpointRequest; isReadable: boolean };

/** Returns the address that the client uses, which a proxy tells in a header if it is https. */
function originOf(req: Context<Bindings>['req']): string {
	const { protocol, host } = new URL(req.url);
	return `${req.header('x-forwarded-proto') ?? protocol.slice(0, -1)}://${host}`;
}

async function parseRequest({ req }: Context<Bindings>): Promise<ParsedRequest> {
	// GET requests have no body. Trying to read one would double the time of an answer.
	const text = req.method === 'GET' ? '' : await req.text();
	const call = {
		param: (name: string) => req.param(name) ?? '',
		query: (name: string) => req.query(name),
		header: (name: string) => req.header(name),
	};
	try {
		const body: unknown = text.trim() === '' ? undefined : JSON.parse(text);
		return { request: { ...call, body }, isReadable: true };
	} catch {
		return { request: { ...call, body: undefined }, isReadable: false };
	}
}

function answerFrom(
	result: EndpointResult,
	scope: EndpointScope,
	{ shapes, origin }: AnswerContext,
): EndpointAnswer {
	if (scope === 'auth') return 'refused' in result ? authRefusalAnswer(result.refused) : result;
	const answer = 'refused' in result ? refusalAnswer(result.refused, shapes, origin) : result;
	return 'json' in answer ? { ...answer, json: withConfiguredStyle(answer.json, shapes) } : answer;
}

const refusedWith = (status: number, code: string, message: string): EndpointResult => ({
	refused: { status, code, message },
});

const tooManyRequests = refusedWith(429, 'rate_limited', 'Too many requests');
const unauthorized = refusedWith(401, 'unauthorized', 'The access token is missing or has expired');

/** Returns the result of a fault that replaces the answer of the endpoint; undefined for every other fault. */
function faultResultOf(fault: FaultKind | undefined): EndpointResult | undefined {
	switch (fault) {
		case '500':
			return refusedWith(500, 'internal_error', 'Internal error');
		case '502':
			return refusedWith(502, 'bad_gateway', 'The upstream service did not answer');
		case '503':
			return refusedWith(503, 'unavailable', 'The service is being maintained');
		case 'proxy-error':
			return htmlPage(502, '502 Bad Gateway', 'The proxy could not reach the service.');
		case 'throttle':
			return tooManyRequests;
		case 'unauthorized':
			return unauthorized;
		default:
			return undefined;
	}
}

export type LoggedRequest = {
	/** The time at which the request arrived, in milliseconds since 1970. */
	arrivedAt: number;
	method: string;
	path: string;
	scope: EndpointScope;
	/** The HTTP status of the answer; 0 until the answer is sent. */
	status: number;
};

const maxRequests = 10_000;

export type RequestLog = {
	readonly requests: readonly LoggedRequest[];
	/** Logs a request. The returned function must be called with the status of the answer. */
	add(request: Omit<LoggedRequest, 'status'>): (status: number) => void;
	/** Counts an answer as held back by a fault until the returned function is called. */
	holdBackAnswer(): () => void;
	readonly heldBackCount: number;
};

export function createRequestLog(): RequestLog {
	const requests: LoggedRequest[] = [];
	const heldAnswers = new Set<symbol>();
	return {
		requests,
		add(request) {
			const loggedRequest = { ...request, status: 0 };
			requests.push(loggedRequest);
			if (requests.length > maxRequests) requests.shift();
			return status => {
				loggedRequest.status = status;
			};
		},
		holdBackAnswer() {
			const answer = Symbol('held back');
			heldAnswers.add(answer);
			return () => {
				heldAnswers.delete(answer);
			};
		},
		get heldBackCount() {
			return heldAnswers.size;
		},
	};
}
