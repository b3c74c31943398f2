import type { Refusal, World } from '../world/world.ts';
import type { LimitedScope } from './limits.ts';
import type { WireShapes } from './shapes.ts';

/** The identity provider and the public pages count against no limit. */
export type EndpointScope = LimitedScope | 'auth' | 'public';

export const isLimited = (scope: EndpointScope): scope is LimitedScope =>
	scope !== 'auth' && scope !== 'public';

/** The parts of a request that an endpoint may read. */
export type EndpointRequest = {
	/** Returns a parameter of the path, or an empty text if it is missing. */
	param(name: string): string;
	query(name: string): string | undefined;
	header(name: string): string | undefined;
	/** The parsed JSON body; undefined if the request has no body. */
	body: unknown;
};

/** An answer has either `json` or `html`, or an empty body. */
export type EndpointAnswer = { status: number; json?: unknown; html?: string };

/** The answer to a request, or the reason why the request is refused. */
export type EndpointResult = EndpointAnswer | { refused: Refusal };

/** The data from which a handler builds its answer. */
export type AnswerContext = {
	world: World;
	shapes: WireShapes;
	/** The platform's origin as the client sees it, such as `http://127.0.0.1:1234`. */
	origin: string;
	now: number;
};

export type EndpointHandler = (request: EndpointRequest, context: AnswerContext) => EndpointResult;

export type Endpoint = {
	name: string;
	method: string;
	path: string;
	scope: EndpointScope;
	handle: EndpointHandler;
};

/** Creates an endpoint from its name for faults, a text such as `GET /v1/models`, its handler and its rate limit scope. */
export function createEndpoint(
	name: string,
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
	return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
}

const escapedHtml = (text: string) =>
	text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);

export const htmlPage = (status: number, title: string, text: string): EndpointAnswer => ({
	status,
	html: `<!doctype html>\n<title>${escapedHtml(title)}</title>\n<h1>${escapedHtml(title)}</h1>\n<p>${escapedHtml(text)}</p>\n`,
});
