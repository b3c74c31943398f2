import type { Reading } from '../../fleet/computers/computer.ts';
import { createReadingReuse } from '../../fleet/computers/unchanged-readings.ts';
import type { Page, WireValue } from './decode.ts';
import { computersPageFrom, hasId, maxPorts, readingFrom } from './decode-computer.ts';
import { PlatformError, unreadableError } from './platform-error.ts';

export type ComputerList = {
	computers: readonly Reading[];
	/** The number of unreadable records. A computer that is missing from the list may be one of these. */
	unreadable?: number;
	/** The number of records that had the id of another record of their page. */
	repeated?: number;
};

/**
 * The most records of a list, over all its pages: twice the computers that this program supports. A longer list is
 * refused as soon as its further records arrive.
 */
export const maxRecords = 20_000;

export const tooManyRecordsError = () =>
	unreadableError('the list', `at most ${maxRecords} records`);

// Creating an error takes longer than looking for an id. So after this number of errors, records without an id are
// skipped.
const maxErrors = 100;

/**
 * A decoded record of a page. An unreadable record is kept as it is, because the error names its path in the page.
 */
class DecodedRecord {
	readonly reading: Reading | undefined;
	readonly unreadable: unknown;

	constructor(reading: Reading | undefined, unreadable?: unknown) {
		this.reading = reading;
		this.unreadable = unreadable;
	}
}

/**
 * The most ports that are read of a whole list. In the largest supported fleet, that is two ports for each
 * computer. Afterwards, one port of each computer is read.
 */
const maxPortsOfList = 20_000;

/**
 * Decodes a list of computers while its pages arrive:
 *
 * ```
 *   bytes ─▶ a slice of records ─▶ decodeElement ─▶ pageFrom ─▶ the records of all pages ─▶ listFrom ─▶ computers
 * ```
 *
 * The raw records of a slice are dropped before the next slice arrives. So a list of 10,000 computers takes less
 * memory, and the garbage collector does not copy its records. What has not changed since the previous list is
 * reused at once, for the same reason.
 */
export function createListDecoder(now: () => number, reuse = createReadingReuse([])) {
	let portCount = 0;
	let elementCount = 0;
	let [readableCount, unreadableCount] = [0, 0];
	let repeatedCount = 0;

	function decode(record: WireValue): Reading {
		const most = Math.max(1, Math.min(maxPorts, maxPortsOfList - portCount));
		const reading = reuse(readingFrom(record, now(), { most }), readableCount);
		readableCount += 1;
		portCount += reading.ports?.length ?? 0;
		return reading;
	}

	function decodedFrom(value: unknown): DecodedRecord {
		if (value instanceof DecodedRecord) return value;
		const isTried = unreadableCount < maxErrors || hasId(value);
		try {
			if (isTried) return new DecodedRecord(decode({ value, path: '' }));
		} catch (error) {
			if (!(error instanceof PlatformError)) throw error;
		}
		unreadableCount += 1;
		return new DecodedRecord(undefined, value);
	}

	return {
		/** Decodes an element of a long list before the rest arrives. Throws, to end the response, if the list is too long. */
		decodeElement(value: unknown): unknown {
			elementCount += 1;
			if (elementCount > maxRecords) throw tooManyRecordsError();
			return decodedFrom(value);
		},
		/** Reads a page. A list of a few kilobytes arrives in one piece, so its records are decoded only here. */
		pageFrom(body: unknown): Page {
			const page = computersPageFrom(body);
			const items = page.items.map(({ value, path }) => ({ value: decodedFrom(value), path }));
			const ids = items.flatMap(({ value }) => value.reading?.id ?? []);
			repeatedCount += ids.length - new Set(ids).size;
			return { ...page, items };
		},
		/**
		 * Returns the computers of all pages. An unreadable record, such as one without an id, does not hide the
		 * others. This throws if no record can be read.
		 */
		listFrom(records: readonly WireValue[]): ComputerList {
			const computers = new Map<string, Reading>();
			let unreadable = 0;
			let firstUnreadable: WireValue | undefined;
			for (const { value, path } of records) {
				const decoded = decodedFrom(value);
				// A computer appears on two pages if another one was created between the two requests.
				if (decoded.reading) computers.set(decoded.reading.id, decoded.reading);
				else {
					unreadable += 1;
					firstUnreadable ??= { value: decoded.unreadable, path };
				}
			}
			if (firstUnreadable && computers.size === 0) decode(firstUnreadable);
			return {
				computers: [...computers.values()],
				...(unreadable > 0 && { unreadable }),
				...(repeatedCount > 0 && { repeated: repeatedCount }),
			};
		},
	};
}
