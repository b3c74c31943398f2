import type { Refusal, World } from '../world/world.ts';
import type { LimitedScope } from './limits.ts';
import type { WireShapes } from './shapes.ts';

export type EndpointScope = LimitedScope | 'auth' | 'public';

export const isLimited = (scope: EndpointScope): scope is LimitedScope =>
	scope !== 'auth' && scope !== 'public';

export type EndpointRequest = {
	param(name: string): string;
	query(name: string): string | undefined;
	header(name: string): string | undefined;
	body: unknown;
};

export type EndpointAnswer = { status: number; json?: unknown; html?: string };

export type EndpointResult = EndpointAnswer | { refused: Refusal };

export type AnswerContext = {
	world: World;
	shapes: WireShapes;
	origin: string;
	now: number;
};

export type EndpointHandler = (request: EndpointRequest, context: AnswerContext) => EndpointResult;

export type Endpoint<Name = string> = {
	name: Name;
	method: string;
	path: string;
	scope: EndpointScope;
	handle: EndpointHandler;
};

export function createEndpoint<Name extends string>(
	name: Name,
	methodAndPath: `${'GET' | 'POST' | 'DELETE'} /${string}`,
	handle: EndpointHandler,
	scope: EndpointScope = 'other',
): Endpoint<Name> {
	const [method = '', path = ''] = methodAndPath.split(' ');
	return { name, method, path, scope, handle };
}

export const invalidRequest = (message: string): EndpointResult => ({
	refused: { status: 400, code: 'invalid_request', message },
});

export function fieldOf(body: unknown, name: string): unknown {
	return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
}

const escapedHtml = (text: string) =>
	text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);

export const htmlPage = (status: number, title: string, text: string): EndpointAnswer => ({
	status,
	html: `<!doctype html>\n<title>${escapedHtml(title)}</title>\n<h1>${escapedHtml(title)}</h1>\n<p>${escapedHtml(text)}</p>\n`,
});
