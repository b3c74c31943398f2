import { createDirectFetch } from '../source/platform/direct-fetch.ts';
import { liveClock } from './live-clock.ts';

/** The HTTP client that the program uses, with one connection pool for all tests of a process. */
export const shippedFetch = createDirectFetch(liveClock, 'crowsnest/test');
