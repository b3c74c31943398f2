import {
	computersFrom,
	computersPageFrom,
} from '../../source/platform/decoding/decode-computer.ts';

/** Decodes the body of a list as the program does. */
export const computerListFrom = (body: unknown, now = 0) =>
	computersFrom([computersPageFrom(body).items], { now: () => now });
