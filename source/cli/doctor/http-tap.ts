import type { Clock } from '../../fleet/clock.ts';
import type { Fetch } from '../../fleet/fetch.ts';
import { textFrom } from '../../platform/body.ts';
import { shapeOf } from './shape.ts';

/** What an answer was like, beside what it said. */
export type Seen = {
	status: number;
	headers: Headers;
	askedAt: number;
	answeredAt: number;
	/** Undefined when it was no JSON. */
	shape: string | undefined;
};

/** Looks over the shoulder of a fetch. */
export type Wire = {
	watching(fetch: Fetch): Fetch;
	last(): Seen | undefined;
};

export function createWire(clock: Clock): Wire {
	let last: Seen | undefined;
	return {
		watching: fetch => async (input, init) => {
			const askedAt = clock.now();
			last = undefined;
			const response = await fetch(input, init);
			const answeredAt = clock.now();
			const { status, headers } = response;
			// A response over the size limit is not inspected; its caller fails on the same limit.
			const text = await textFrom(response.clone().body).catch(() => '');
			last = { status, headers, askedAt, answeredAt, shape: shapeIn(text) };
			return response;
		},
		last: () => last,
	};
}

function shapeIn(text: string): string | undefined {
	try {
		return shapeOf(JSON.parse(text));
	} catch {
		return undefined;
	}
}
