import type { Answer } from './answer.ts';
import type { Place } from './faults.ts';
import type { LimitedScope } from './limits.ts';
import type { Refusal } from './refusal.ts';
import type { View } from './view.ts';

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
export type Said = Answer | { refused: Refusal };

type Ask = (call: Call, view: View) => Said;

export type Endpoint = { name: Place; method: string; path: string; scope: Scope; answer: Ask };

/** One row of a table of endpoints: its name, its method and path, what it answers, who counts it. */
export function endpoint(
	name: Place,
	request: `${'GET' | 'POST' | 'DELETE'} /${string}`,
	answer: Ask,
	scope: Scope = 'other',
): Endpoint {
	const [method = '', path = ''] = request.split(' ');
	return { name, method, path, scope, answer };
}

export const invalid = (message: string): Said => ({
	refused: { status: 400, code: 'invalid_request', message },
});

/** A field of a JSON object. */
export function fieldOf(body: unknown, name: string): unknown {
	if (typeof body !== 'object' || body === null) return undefined;
	return Object.entries(body).find(([key]) => key === name)?.[1];
}

export const bearerOf = (call: Call) =>
	call.header('authorization')?.match(/^Bearer (.+)$/i)?.[1] ?? '';
