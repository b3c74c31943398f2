import type { WireValue } from '../../../source/platform/decoding/decode.ts';
import { createListDecoder } from '../../../source/platform/decoding/decode-list.ts';

/** Decodes the records of a list as the program does. */
export const computerListFrom = (records: readonly WireValue[], now: number) =>
	createListDecoder(() => now).listFrom(records);
