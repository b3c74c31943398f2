import { isSameValue, type Reading, type ReadingField } from '../fleet/computers/computer.ts';
import type { Fact } from '../fleet/fact.ts';
import type { ReadingPatch, RecordedFact, RecordedList } from './recording-line.ts';

type PreviousList = {
	/** The readings in the order of the list. */
	computers: readonly Reading[];
	/** The index of each computer in `computers`. If the list names a computer twice, the last index counts. */
	places: ReadonlyMap<string, number>;
};

/** The previous list of each account. The next list is stored as its differences from it. */
export type PreviousLists = ReadonlyMap<string, PreviousList>;

const emptyList: PreviousList = { computers: [], places: new Map() };

export function recordedFactFrom(
	lists: PreviousLists,
	fact: Fact,
): { lists: PreviousLists; recordedFact: RecordedFact } {
	if (fact.type !== 'listRead') return { lists, recordedFact: fact };
	const before = lists.get(fact.account) ?? emptyList;
	const { computers } = fact;
	const patches: ReadingPatch[] = [];
	if (namesSame(before, computers)) {
		for (const [place, reading] of computers.entries()) {
			const patch = patchFrom(before.computers[place], reading);
			if (patch) patches.push(patch);
		}
		const next = { computers, places: before.places };
		const recordedFact: RecordedList = { ...fact, computers: patches };
		return { lists: new Map(lists).set(fact.account, next), recordedFact };
	}
	const order = computers.map(({ id }) => id);
	const readings = readingsStillListed(before, order);
	for (const reading of computers) {
		const patch = patchFrom(readings.get(reading.id), reading);
		if (patch) patches.push(patch);
		readings.set(reading.id, reading);
	}
	const next = listInOrder(order, readings);
	const recordedFact: RecordedList = { ...fact, computers: patches, order };
	return { lists: new Map(lists).set(fact.account, next), recordedFact };
}

/** Returns the whole fact. A reading that has not changed is the same object as in the previous list. */
export function factFrom(
	lists: PreviousLists,
	recordedFact: RecordedFact,
): { lists: PreviousLists; fact: Fact } {
	if (recordedFact.type !== 'listRead') return { lists, fact: recordedFact };
	const before = lists.get(recordedFact.account) ?? emptyList;
	const { order, computers: patches, ...rest } = recordedFact;
	const next = order ? withOrder(before, order, patches) : withPatches(before, patches);
	const fact: Fact = { ...rest, computers: next.computers };
	return { lists: new Map(lists).set(recordedFact.account, next), fact };
}

/** Whether a list names the same computers as the previous list, each once and at the same position. */
function namesSame(before: PreviousList, computers: readonly Reading[]): boolean {
	if (before.computers.length !== computers.length || before.places.size !== computers.length)
		return false;
	for (const [place, { id }] of computers.entries()) {
		if (before.computers[place]?.id !== id) return false;
	}
	return true;
}

/** Most lists change only a few computers, so the others are not touched. */
function withPatches(before: PreviousList, patches: readonly ReadingPatch[]): PreviousList {
	const computers = [...before.computers];
	for (const patch of patches) {
		const place = before.places.get(patch.id);
		if (place !== undefined) computers[place] = patchedReading(computers[place], patch);
	}
	return { computers, places: before.places };
}

function withOrder(
	before: PreviousList,
	order: readonly string[],
	patches: readonly ReadingPatch[],
): PreviousList {
	const readings = readingsStillListed(before, order);
	for (const patch of patches)
		readings.set(patch.id, patchedReading(readings.get(patch.id), patch));
	return listInOrder(order, readings);
}

function listInOrder(
	order: readonly string[],
	readings: ReadonlyMap<string, Reading>,
): PreviousList {
	const computers = order.flatMap(id => readings.get(id) ?? []);
	return { computers, places: new Map(computers.map(({ id }, place) => [id, place])) };
}

/**
 * Keeps only the readings of computers that are still in the list, so that removed computers do not accumulate.
 */
function readingsStillListed(
	{ computers, places }: PreviousList,
	order: readonly string[],
): Map<string, Reading> {
	const named = new Map<string, Reading>();
	for (const id of order) {
		const reading = computers[places.get(id) ?? -1];
		if (reading) named.set(id, reading);
	}
	return named;
}

function patchedReading(before: Reading | undefined, patch: ReadingPatch): Reading {
	const reading: Record<string, unknown> = { ...before };
	for (const field in patch) reading[field] = patch[field as ReadingField];
	if (patch.without) {
		delete reading['without'];
		for (const field of patch.without) delete reading[field];
	}
	return reading as Reading;
}

function patchFrom(before: Reading | undefined, now: Reading): ReadingPatch | undefined {
	if (before === now) return undefined;
	if (!before) return now;
	let changed: Record<string, unknown> | undefined;
	for (const key in now) {
		const field = key as ReadingField;
		const value = now[field];
		if (value === undefined || value === before[field] || isSameValue(before[field], value))
			continue;
		changed ??= { id: now.id };
		changed[field] = value;
	}
	let without: ReadingField[] | undefined;
	for (const key in before) {
		const field = key as ReadingField;
		if (now[field] !== undefined || before[field] === undefined) continue;
		without ??= [];
		without.push(field);
	}
	if (!changed && !without) return undefined;
	return { id: now.id, ...changed, ...(without && { without }) };
}
