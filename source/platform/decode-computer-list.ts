import type { Reading } from '../fleet/computer.ts';
import { maxPorts, readingFrom } from './decode-computer.ts';
import type { WireValue } from './decode-envelope.ts';
import { PlatformError } from './platform-error.ts';

export type ComputerList = {
	computers: readonly Reading[];
	/** The number of unreadable records. A computer that is missing from the list may be one of these. */
	unreadable?: number;
};

/**
 * Reads the records of all pages. An unreadable record, such as one without an id, does not hide the others.
 * This throws if no record can be read.
 */
export function computerListFrom(items: readonly WireValue[], now: number): ComputerList {
	const list = createUnfinishedList();
	for (const item of items) addRecord(list, item, now);
	return finishedList(list);
}

// Decoding this many records takes a fraction of a millisecond, or about ten if all their texts need cleaning.
const recordsPerSlice = 16;

/** Like `computerListFrom`, but pauses after every few records. An error of `pause` ends the decoding. */
export async function computerListInSlices(
	items: readonly WireValue[],
	now: number,
	pause: () => Promise<void>,
): Promise<ComputerList> {
	const list = createUnfinishedList();
	for (const [index, item] of items.entries()) {
		if (index > 0 && index % recordsPerSlice === 0) await pause();
		addRecord(list, item, now);
	}
	return finishedList(list);
}

/**
 * The most ports that are read of a whole list. In the largest supported fleet, that is two ports for each
 * computer. Afterwards, one port of each computer is read.
 */
const maxPortsOfList = 20_000;

type UnfinishedList = {
	computers: Map<string, Reading>;
	portCount: number;
	unreadableCount: number;
	firstError: PlatformError | undefined;
};

const createUnfinishedList = (): UnfinishedList => ({
	computers: new Map(),
	portCount: 0,
	unreadableCount: 0,
	firstError: undefined,
});

function addRecord(list: UnfinishedList, item: WireValue, now: number) {
	try {
		const most = Math.max(1, Math.min(maxPorts, maxPortsOfList - list.portCount));
		const reading = readingFrom(item, now, { most });
		// A computer appears on two pages if another one was created between the two requests.
		list.computers.set(reading.id, reading);
		list.portCount += reading.ports?.length ?? 0;
	} catch (error) {
		if (!(error instanceof PlatformError)) throw error;
		list.unreadableCount += 1;
		list.firstError ??= error;
	}
}

function finishedList({ computers, unreadableCount, firstError }: UnfinishedList): ComputerList {
	if (firstError && computers.size === 0) throw firstError;
	return {
		computers: [...computers.values()],
		...(unreadableCount > 0 && { unreadable: unreadableCount }),
	};
}
