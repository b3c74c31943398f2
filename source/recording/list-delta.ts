import { isSameValue, type Reading, type ReadingField } from '../fleet/computers/computer.ts';
import type { Fact } from '../fleet/fact.ts';
import type { ReadingPatch, RecordedFact, RecordedList } from './recording-line.ts';

type PreviousList = { order: readonly string[]; readings: ReadonlyMap<string, Reading> };

/** The previous list of each account. The next list is stored as its differences from it. */
export type PreviousLists = ReadonlyMap<string, PreviousList>;

const emptyList: PreviousList = { order: [], readings: new Map() };

export function recordedFactFrom(
	lists: PreviousLists,
	fact: Fact,
): { lists: PreviousLists; recordedFact: RecordedFact } {
	if (fact.type !== 'listRead') return { lists, recordedFact: fact };
	const before = lists.get(fact.account) ?? emptyList;
	const order = fact.computers.map(({ id }) => id);
	const isSameValue = isSameOrder(before.order, order);
	const readings = isSameValue ? new Map(before.readings) : readingsStillListed(before, order);
	const patches: ReadingPatch[] = [];
	for (const reading of fact.computers) {
		const patch = patchFrom(readings.get(reading.id), reading);
		if (patch) patches.push(patch);
		readings.set(reading.id, reading);
	}
	const note: RecordedList = { ...fact, computers: patches, ...(!isSameValue && { order }) };
	return { lists: new Map(lists).set(fact.account, { order, readings }), recordedFact: note };
}

export function factFrom(
	lists: PreviousLists,
	recordedFact: RecordedFact,
): { lists: PreviousLists; fact: Fact } {
	if (recordedFact.type !== 'listRead') return { lists, fact: recordedFact };
	const before = lists.get(recordedFact.account) ?? emptyList;
	const { order = before.order, computers: patches, ...rest } = recordedFact;
	const readings = recordedFact.order
		? readingsStillListed(before, order)
		: new Map(before.readings);
	for (const { without = [], ...patch } of patches) {
		const reading: Reading = { ...readings.get(patch.id), ...patch };
		for (const field of without) delete reading[field];
		readings.set(patch.id, reading);
	}
	const computers = order.flatMap(id => readings.get(id) ?? []);
	const fact: Fact = { ...rest, computers };
	return { lists: new Map(lists).set(recordedFact.account, { order, readings }), fact };
}

function isSameOrder(one: readonly string[], other: readonly string[]): boolean {
	return one.length === other.length && one.every((id, place) => id === other[place]);
}

/**
 * Keeps only the readings of computers that are still in the list, so that removed computers do not accumulate.
 */
function readingsStillListed(
	{ readings }: PreviousList,
	order: readonly string[],
): Map<string, Reading> {
	const named = new Map<string, Reading>();
	for (const id of order) {
		const reading = readings.get(id);
		if (reading) named.set(id, reading);
	}
	return named;
}

function patchFrom(before: Reading | undefined, now: Reading): ReadingPatch | undefined {
	if (!before) return now;
	let changed: Record<string, unknown> | undefined;
	for (const key in now) {
		const field = key as ReadingField;
		if (now[field] === undefined || isSameValue(before[field], now[field])) continue;
		changed ??= { id: now.id };
		changed[field] = now[field];
	}
	const without: ReadingField[] = [];
	for (const key in before) {
		const field = key as ReadingField;
		if (before[field] !== undefined && now[field] === undefined) without.push(field);
	}
	if (!changed && without.length === 0) return undefined;
	return { id: now.id, ...changed, ...(without.length > 0 && { without }) };
}
