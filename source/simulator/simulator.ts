import type { Endpoint } from './endpoints/endpoint.ts';
import { createFaults, type Fault } from './endpoints/faults.ts';
import { createLimiter, documentedLimits, type LimitedScope } from './endpoints/limits.ts';
import { createAuthEndpoints } from './endpoints/routes-auth.ts';
import { billingEndpoints } from './endpoints/routes-billing.ts';
import { catalogueEndpoints } from './endpoints/routes-catalogue.ts';
import { computerEndpoints } from './endpoints/routes-computers.ts';
import { publicEndpoints } from './endpoints/routes-public.ts';
import { defaultShapes, type WireShapes } from './endpoints/shapes.ts';
import { createTokens, demoAccount } from './endpoints/tokens.ts';
import { createRequestLog, createResponder, type LoggedRequest } from './respond.ts';
import { type ListenTarget, startServer } from './server.ts';
import { forwardOnlyClock, type SimulatorClock } from './world/clock.ts';
import type { Plan } from './world/plans.ts';
import { createWorld, type World as WorldAlone } from './world/world.ts';

export { type Fault, faultNames, faultsFromText } from './endpoints/faults.ts';
export { shapeNames, shapesFromText, type WireShapes as Shapes } from './endpoints/shapes.ts';
export { acceleratedClock, type SimulatorClock } from './world/clock.ts';

export type SimulatorOptions = {
	/** The clock from which the simulator takes its time. */
	clock: SimulatorClock;
	seed?: number;
	computers?: number;
	/** Whether the world opens in the middle of a story. Tests use a new world, which stays the same and is cheap. */
	isLivedIn?: boolean;
	plan?: Plan;
	/** The port to listen on; 0 for any free port. */
	port?: ListenTarget;
	shapes?: Partial<WireShapes>;
	faults?: readonly Fault[];
	limits?: Partial<Record<LimitedScope, number>>;
	/** Endpoints in addition to the documented ones. */
	endpoints?: readonly Endpoint[];
	/** The time for which an access token is valid, in seconds. */
	tokenLifetimeSeconds?: number;
};

export type Simulator = {
	/** The address of the API, which ends in /v1. */
	baseUrl: string;
	authUrl: string;
	anonKey: string;
	email: string;
	password: string;
	/** The simulated platform behind the endpoints. Tests may change it directly. */
	world: SimulatedWorld;
	/** The log of the last ten thousand requests. */
	requests: readonly LoggedRequest[];
	/** The number of answers that faults hold back at the moment. */
	readonly heldBackCount: number;
	setShapes(shapes: Partial<WireShapes>): void;
	setFaults(faults: readonly Fault[]): void;
	/** Refuses every token that has been issued so far. */
	expireTokens(): void;
	/** Stops the server and closes all connections at once, even those that wait for an answer. */
	close(): Promise<void>;
};

type SimulatedWorld = WorldAlone & {
	/** Counts requests as if another client of the same account had sent them. */
	countOtherClientRequests(scope: LimitedScope, count: number): void;
};

export async function createSimulator(options: SimulatorOptions): Promise<Simulator> {
	const {
		seed = 1,
		computers = 24,
		plan = 'pro',
		port = 0,
		tokenLifetimeSeconds = 3_600,
	} = options;
	const clock = forwardOnlyClock(options.clock);
	let shapes = { ...defaultShapes, ...options.shapes };
	const world = createWorld({ seed, computers, plan, isLivedIn: options.isLivedIn }, clock);
	const limits = { ...documentedLimits, ...options.limits };
	const limiter = createLimiter(clock, limits, () => shapes);
	const faults = createFaults(seed, options.faults ?? []);
	const tokens = createTokens(clock, seed, tokenLifetimeSeconds);
	const log = createRequestLog();
	const endpoints = [
		...createAuthEndpoints(tokens, clock),
		...computerEndpoints,
		...catalogueEndpoints,
		...billingEndpoints,
		...publicEndpoints,
		...(options.endpoints ?? []),
	];
	const respondDeps = { clock, world, shapes: () => shapes, limiter, faults, tokens, log };
	const server = await startServer(endpoints, createResponder(respondDeps), port);
	const origin = `http://127.0.0.1:${server.port}`;

	return {
		baseUrl: `${origin}/v1`,
		authUrl: origin,
		anonKey: demoAccount.anonKey,
		email: demoAccount.email,
		password: demoAccount.password,
		world: { ...world, countOtherClientRequests: limiter.countOtherClientRequests },
		requests: log.requests,
		get heldBackCount() {
			return log.heldBackCount;
		},
		setShapes(next) {
			shapes = { ...shapes, ...next };
		},
		setFaults: faults.replace,
		expireTokens: tokens.endAllSessions,
		close: server.close,
	};
}
