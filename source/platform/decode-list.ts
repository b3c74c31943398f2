import type { Reading } from '../fleet/computer.ts';
import { readingFrom } from './decode-computer.ts';
import type { Placed } from './decode-envelope.ts';
import { PlatformError } from './platform-error.ts';

export type ComputerList = {
	computers: readonly Reading[];
	/** How many records could not be read. Whoever is not named may be one of these. */
	unreadable?: number;
};

/**
 * The records of all pages. One that cannot be read, because it has no id as yet, say, does not hide
 * the others; but where none can, the list says nothing.
 */
export function computerListFrom(items: readonly Placed[], now: number): ComputerList {
	const computers = new Map<string, Reading>();
	let unreadable = 0;
	let first: PlatformError | undefined;
	for (const item of items) {
		try {
			const reading = readingFrom(item, now);
			// A computer that was created between two pages may stand on both.
			computers.set(reading.id, reading);
		} catch (error) {
			if (!(error instanceof PlatformError)) throw error;
			unreadable += 1;
			first ??= error;
		}
	}
	if (first && computers.size === 0) throw first;
	return {
		computers: [...computers.values()],
		...(unreadable > 0 && { unreadable }),
	};
}
