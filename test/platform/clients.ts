import { createDirectFetch } from '../../source/platform/http.ts';
import { createHeldClock } from '../held-clock.ts';

/** The client that the program uses without a proxy. */
export const directFetch = createDirectFetch(createHeldClock(), 'crowsnest/test');

/** The direct client, and Node's fetch as its model: a version of undici, like the client that uses a proxy. */
export const clients = [
	{ client: 'the direct client', fetch: directFetch },
	{ client: "Node's fetch", fetch },
] as const;
