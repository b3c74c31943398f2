import type { Answer, Refusal } from './answer.ts';
import type { FaultTarget } from './faults.ts';
import type { LimitedScope } from './limits.ts';
import type { Shapes } from './shapes.ts';
import type { World } from './world.ts';

export type Scope = LimitedScope | 'auth' | 'public';

/** One request, as far as an endpoint may look at it. */
export type Call = {
	/** A part of the path; empty when it is not there. */
	param(name: string): string;
	query(name: string): string | undefined;
	header(name: string): string | undefined;
	/** The JSON that came, or nothing. */
	body: unknown;
};

/** An answer, or why there is none. */
export type EndpointResult = Answer | { refused: Refusal };

type Handler = (call: Call, view: AnswerContext) => EndpointResult;

export type Endpoint = {
	name: FaultTarget;
	method: string;
	path: string;
	scope: Scope;
	handle: Handler;
};

/** One row of a table of endpoints: its name, its method and path, what it answers, who counts it. */
export function endpoint(
	name: FaultTarget,
	request: `${'GET' | 'POST' | 'DELETE'} /${string}`,
	answer: Handler,
	scope: Scope = 'other',
): Endpoint {
	const [method = '', path = ''] = request.split(' ');
	return { name, method, path, scope, handle: answer };
}

export const invalidRequest = (message: string): EndpointResult => ({
	refused: { status: 400, code: 'invalid_request', message },
});

/** A field of a JSON object. */
export function fieldOf(body: unknown, name: string): unknown {
	if (typeof body !== 'object' || body === null) return undefined;
	return Object.entries(body).find(([key]) => key === name)?.[1];
}

export const bearerToken = (call: Call) =>
	call.header('authorization')?.match(/^Bearer (.+)$/i)?.[1] ?? '';

/** What an encoder needs to know of the world and of who asks. */
export type AnswerContext = {
	world: World;
	shapes: Shapes;
	/** Where the asker sees the platform, `http://127.0.0.1:1234`. */
	origin: string;
	now: number;
};
