import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import type { Clock } from '../foundation/clock.ts';
import {
	type AnswerContext,
	createEndpoint,
	type Endpoint,
	type EndpointAnswer,
	type EndpointRequest,
	type EndpointResult,
	type EndpointScope,
	htmlPage,
	invalidRequest,
	isLimited,
} from './endpoints/endpoint.ts';
import {
	createFaults,
	type Fault,
	faultTable,
	tooManyRequests,
	unauthorized,
	type WireResponse,
} from './endpoints/faults.ts';
import { createLimiter, documentedLimits, type LimitedScope } from './endpoints/limits.ts';
import { accountEndpoints } from './endpoints/routes-account.ts';
import { computerEndpoints, statusWordOf } from './endpoints/routes-computers.ts';
import { defaultShapes, restyled, shaped, type WireShapes } from './endpoints/shapes.ts';
import { createIdentityProvider, demoAccount } from './endpoints/sign-in.ts';
import { addFleet } from './world/fleet.ts';
import { openInStory } from './world/story.ts';
import { type Plan, plans, refusedWith, World } from './world/world.ts';

export { type Fault, faultNames, faultsFromText } from './endpoints/faults.ts';
export { shapeNames, shapesFromText, type WireShapes as Shapes } from './endpoints/shapes.ts';

type SimulatorClock = Pick<Clock, 'now' | 'after'>;

export function acceleratedClock(clock: SimulatorClock, factor: number): SimulatorClock {
	const start = clock.now();
	return {
		now: () => start + (clock.now() - start) * factor,
		after: (milliseconds, call) => clock.after(milliseconds / factor, call),
	};
}

export type SimulatorOptions = {
	clock: SimulatorClock;
	seed?: number;
	computers?: number;
	/** Whether the world opens in the middle of a story. Tests use a new one, which stays the same. */
	isLivedIn?: boolean;
	plan?: Plan;
	/** 0 for any free port. */
	port?: number;
	shapes?: Partial<WireShapes>;
	faults?: readonly Fault[];
	limits?: Partial<Record<LimitedScope, number>>;
	endpoints?: readonly Endpoint[];
	tokenLifetimeSeconds?: number;
};

export type Simulator = Awaited<ReturnType<typeof createSimulator>>;

type RequestContext = Context<{ Bindings: HttpBindings }>;

type LoggedRequest = {
	arrivedAt: number;
	endpoint: Endpoint['name'];
	method: string;
	path: string;
	scope: EndpointScope;
	status: number;
};

const maxLoggedRequests = 10_000;

const unknownEndpoint = createEndpoint('unknown', 'GET /*', () =>
	refusedWith(404, 'not_found', 'There is no such endpoint'),
);

export async function createSimulator(options: SimulatorOptions) {
	const { clock, seed = 1, computers = 24, plan = 'pro' } = options;
	const { tokenLifetimeSeconds = 3_600 } = options;
	let shapes = { ...defaultShapes, ...options.shapes };
	const { world, past } = options.isLivedIn
		? openInStory({ seed, plan, computers, owner: demoAccount.email }, clock)
		: { world: newWorld(seed, plan, computers, clock), past: undefined };
	const limits = { ...documentedLimits, ...options.limits };
	const limiter = createLimiter(clock, limits, () => shapes);
	const faults = createFaults(seed, options.faults ?? []);
	const identity = createIdentityProvider(clock, seed, tokenLifetimeSeconds);
	const requests: LoggedRequest[] = [];
	const heldBack = new Set<LoggedRequest>();

	/** log ─► rate limit ─► faults before the answer ─► sign-in ─► endpoint ─► faults that damage the answer ─► wire */
	async function respond(endpoint: Endpoint, context: RequestContext): Promise<Response> {
		const { incoming, outgoing } = context.env;
		const { scope, name } = endpoint;
		const { method, path } = context.req;
		const arrivedAt = clock.now();
		const logged: LoggedRequest = { arrivedAt, endpoint: name, method, path, scope, status: 0 };
		requests.push(logged);
		if (requests.length > maxLoggedRequests) requests.shift();

		const limit = isLimited(scope) ? limiter.countRequest(scope) : { isAllowed: true, headers: {} };
		const striking = limit.isAllowed ? faults.strike(name) : [];
		const fault = striking.find(({ kind }) => kind !== 'delay')?.kind;
		for (const { kind, delayMs = 2_000 } of striking) {
			if (kind !== 'delay' && kind !== 'hang') continue;
			heldBack.add(logged);
			const isConnected = await isDelayOver(clock, kind === 'hang' ? undefined : delayMs, outgoing);
			heldBack.delete(logged);
			if (!isConnected) return RESPONSE_ALREADY_SENT;
		}
		if (fault === 'reset') {
			incoming.socket.resetAndDestroy();
			return RESPONSE_ALREADY_SENT;
		}

		const now = world.now();
		const answerContext: AnswerContext = { world, shapes, now, origin: originOf(context) };
		const { instead, damage } = fault ? faultTable[fault] : {};
		const result = limit.isAllowed
			? (instead ?? (await resultOf(endpoint, context, answerContext)))
			: tooManyRequests;
		const isThrottled = fault === 'throttle' && isLimited(scope);
		const answer = answerFrom(result, scope, answerContext);
		const sound = wireFrom(answer, {
			...(isThrottled ? limiter.refusalHeaders(scope) : limit.headers),
			// Node would send the time of this machine instead of the simulated time.
			Date: new Date(now).toUTCString(),
		});
		const wire = damage ? { ...sound, ...damage(sound) } : sound;
		if (fault === 'lost') {
			incoming.socket.destroy();
			return RESPONSE_ALREADY_SENT;
		}
		logged.status = wire.status;
		// A `Response` and its streams would take a third of the time of a request.
		const bytes = Buffer.from(wire.text);
		const length = fault === 'truncated' ? bytes.length + 1 : bytes.length;
		outgoing.writeHead(wire.status, { ...wire.headers, 'Content-Length': length });
		if (length === bytes.length) outgoing.end(bytes);
		else outgoing.write(bytes.subarray(0, length / 2), () => outgoing.destroy());
		return RESPONSE_ALREADY_SENT;
	}

	async function resultOf(
		{ scope, name, handle }: Endpoint,
		{ req }: RequestContext,
		answerContext: AnswerContext,
	): Promise<EndpointResult> {
		// Trying to read no body would double the time of an answer.
		const text = req.method === 'GET' ? '' : await req.text();
		const request: EndpointRequest = {
			param: parameter => req.param(parameter) ?? '',
			query: parameter => req.query(parameter),
			header: header => req.header(header),
			body: undefined,
		};
		try {
			if (text.trim() !== '') request.body = JSON.parse(text);
		} catch {
			return invalidRequest('The body is not JSON');
		}
		if (name !== 'unknown' && isLimited(scope)) {
			if (!identity.isSignedIn(request)) return unauthorized;
			if (!/^application\/json\b/i.test(req.header('content-type') ?? ''))
				return invalidRequest('Content-Type must be application/json');
		}
		return handle(request, answerContext);
	}

	const app = new Hono<{ Bindings: HttpBindings }>();
	const all = [identity.endpoints, computerEndpoints, accountEndpoints, options.endpoints ?? []];
	for (const endpoint of all.flat())
		app.on(endpoint.method, endpoint.path, context => respond(endpoint, context));
	app.all('*', context => respond(unknownEndpoint, context));
	app.onError(({ message }) => Response.json({ error: { message, code: 'bug' } }, { status: 500 }));
	const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
	await new Promise<void>((resolve, reject) => {
		server.on('error', reject);
		server.listen(options.port ?? 0, '127.0.0.1', resolve);
	});
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const { countOtherClientRequests } = limiter;

	return {
		baseUrl: `${origin}/v1`,
		authUrl: origin,
		...demoAccount,
		world: Object.assign(world, { countOtherClientRequests }),
		past,
		requests: requests as readonly LoggedRequest[],
		get heldBackCount() {
			return heldBack.size;
		},
		setShapes(next: Partial<WireShapes>) {
			shapes = { ...shapes, ...next };
		},
		setFaults: faults.replace,
		expireTokens: identity.endAllSessions,
		close: () =>
			new Promise<void>(resolve => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function newWorld(seed: number, plan: Plan, computers: number, clock: SimulatorClock): World {
	const world = new World(seed, plan, clock);
	addFleet(world, computers);
	const { daily, monthly } = plans[plan];
	world.setCredits(Math.max(12.5, 1.75 * computers, daily + monthly), { daily, monthly });
	return world;
}

/** Waits for ever without a time. False if the client disconnects. */
function isDelayOver(
	clock: SimulatorClock,
	delayMs: number | undefined,
	outgoing: ServerResponse,
): Promise<boolean> {
	return new Promise(resolve => {
		const cancel = delayMs === undefined ? undefined : clock.after(delayMs, () => resolve(true));
		outgoing.once('close', () => {
			cancel?.();
			resolve(false);
		});
	});
}

function originOf({ req }: RequestContext): string {
	const { protocol, host } = new URL(req.url);
	return `${req.header('x-forwarded-proto') ?? protocol.slice(0, -1)}://${host}`;
}

function answerFrom(
	result: EndpointResult,
	scope: EndpointScope,
	{ shapes, origin }: AnswerContext,
): EndpointAnswer {
	if (!('refused' in result))
		return scope === 'auth' ? result : { ...result, json: restyled(result.json, shapes) };
	const { status, code, message, computer } = result.refused;
	if (scope === 'auth') {
		const error_code = status === 429 ? 'over_request_rate_limit' : code;
		return { status, json: { code: status, error_code, msg: message } };
	}
	if (shapes.error === 'html') return htmlPage(status, `${status}`, message);
	if (shapes.error === 'empty') return { status };
	const values = {
		message,
		code,
		status: computer && statusWordOf(computer, shapes),
		portalUrl: status === 402 ? `${origin}/portal` : undefined,
	};
	return { status, json: restyled(shaped(shapes, 'error', values), shapes) };
}

function wireFrom(
	{ status, json, html }: EndpointAnswer,
	headers: Readonly<Record<string, string>>,
): WireResponse {
	const text = html ?? JSON.stringify(json);
	if (text === undefined) return { status, headers, text: '' };
	const type = `${html === undefined ? 'application/json' : 'text/html'}; charset=utf-8`;
	return { status, headers: { ...headers, 'Content-Type': type }, text };
}
