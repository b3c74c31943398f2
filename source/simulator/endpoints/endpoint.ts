import type { Answer, Refusal } from '../world/answer.ts';
import type { World } from '../world/world.ts';
import type { FaultTarget } from './faults.ts';
import type { LimitedScope } from './limits.ts';
import type { Shapes } from './shapes.ts';

export type EndpointScope = LimitedScope | 'auth' | 'public';

/** The parts of a request that an endpoint may read. */
export type EndpointRequest = {
	/** Returns a parameter of the path, or an empty text if it is missing. */
	param(name: string): string;
	query(name: string): string | undefined;
	header(name: string): string | undefined;
	/** The parsed JSON body; undefined if the request has no body. */
	body: unknown;
};

/** The answer to a request, or the reason why the request is refused. */
export type EndpointResult = Answer | { refused: Refusal };

type EndpointHandler = (request: EndpointRequest, context: AnswerContext) => EndpointResult;

export type Endpoint = {
	name: FaultTarget;
	method: string;
	path: string;
	scope: EndpointScope;
	handle: EndpointHandler;
};

/** Creates an endpoint from its name, a text such as `GET /v1/models`, its handler and its rate limit scope. */
export function createEndpoint(
	name: FaultTarget,
	methodAndPath: `${'GET' | 'POST' | 'DELETE'} /${string}`,
	handle: EndpointHandler,
	scope: EndpointScope = 'other',
): Endpoint {
	const [method = '', path = ''] = methodAndPath.split(' ');
	return { name, method, path, scope, handle };
}

export const invalidRequest = (message: string): EndpointResult => ({
	refused: { status: 400, code: 'invalid_request', message },
});

/** Returns a field of a JSON object; undefined if the body is not an object. */
export function fieldOf(body: unknown, name: string): unknown {
	if (typeof body !== 'object' || body === null) return undefined;
	return Object.entries(body).find(([key]) => key === name)?.[1];
}

export const bearerTokenOf = (request: EndpointRequest) =>
	request.header('authorization')?.match(/^Bearer (.+)$/i)?.[1] ?? '';

/** The data from which a handler builds its answer. */
export type AnswerContext = {
	world: World;
	shapes: Shapes;
	/** The platform's origin as the client sees it, such as `http://127.0.0.1:1234`. */
	origin: string;
	now: number;
};
