import type { Refusal } from '../world/operations.ts';
import type { World } from '../world/world.ts';
import type { FaultTarget } from './faults.ts';
import type { LimitedScope } from './limits.ts';
import type { WireShapes } from './shapes.ts';

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
export type EndpointResult = EndpointAnswer | { refused: Refusal };

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
	shapes: WireShapes;
	/** The platform's origin as the client sees it, such as `http://127.0.0.1:1234`. */
	origin: string;
	now: number;
};

/** Wraps a record or a list in the configured envelope, such as `{data: …}`. */
export function inEnvelope(value: unknown, envelope: WireShapes['envelope']): unknown {
	if (envelope === 'data') return { data: value };
	return envelope === 'wrapped' ? { success: true, data: value } : value;
}

/** Creates the handler of a read that answers with one record. */
export const createRecordHandler =
	(body: (context: AnswerContext) => unknown) =>
	(_: unknown, context: AnswerContext): EndpointAnswer => ({
		status: 200,
		json: inEnvelope(body(context), context.shapes.envelope),
	});

/** Converts the keys and numbers of a body to the configured style, such as camelCase keys. */
export function withConfiguredStyle(value: unknown, { case: keys, numbers }: WireShapes): unknown {
	if (keys === 'documented' && numbers === 'numbers') return value;
	const renamedKeys = new Map<string, string>();
	const rename = { documented: (key: string) => key, snake: snakeCaseOf, camel: camelCaseOf }[keys];

	function keyFrom(key: string): string {
		const renamedKey = renamedKeys.get(key) ?? rename(key);
		renamedKeys.set(key, renamedKey);
		return renamedKey;
	}

	function restyle(part: unknown): unknown {
		if (Array.isArray(part)) return part.map(restyle);
		if (typeof part === 'number') return numbers === 'strings' ? String(part) : part;
		if (typeof part !== 'object' || part === null) return part;
		return Object.fromEntries(
			Object.entries(part).map(([key, value]) => [keyFrom(key), restyle(value)]),
		);
	}

	return restyle(value);
}

const camelCaseOf = (key: string) =>
	key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const snakeCaseOf = (key: string) => key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

/** The response of an endpoint, before it is encoded for the connection. */
export type EndpointAnswer = {
	status: number;
	headers?: Readonly<Record<string, string>>;
	/** The JSON body. An answer has either `json` or `html`, or an empty body. */
	json?: unknown;
	html?: string;
};

export const htmlPage = (status: number, title: string, text: string): EndpointAnswer => ({
	status,
	html: `<!doctype html>\n<title>${escapedHtml(title)}</title>\n<h1>${escapedHtml(title)}</h1>\n<p>${escapedHtml(text)}</p>\n`,
});

const escapedHtml = (text: string) =>
	text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);
