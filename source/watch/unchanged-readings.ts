import { isSameValue, type Reading, type ReadingField } from '../fleet/computers/computer.ts';
import { isSameStart } from '../fleet/computers/uptime.ts';
import type { FactBody } from '../fleet/fact.ts';

/**
 * Returns a function that replaces each unchanged reading of a list by the object from the previous list. So the
 * store, the followers and a recording can compare objects instead of all fields.
 */
export function createReadingReuse(): (fact: FactBody) => FactBody {
	let before: readonly Reading[] = [];

	return fact => {
		if (fact.type !== 'listRead') return fact;
		before = withUnchanged(before, fact.computers);
		return { ...fact, computers: before };
	};
}

function withUnchanged(
	before: readonly Reading[],
	computers: readonly Reading[],
): readonly Reading[] {
	const earlierReading = findEarlierReading(before);
	return computers.map((reading, place) => {
		const earlier = earlierReading(reading, place);
		if (!earlier) return reading;
		if (areEqual(earlier, reading)) return earlier;
		const { startedAt } = earlier;
		const isKnownStart = isSameStart(startedAt, reading.startedAt);
		return isKnownStart && startedAt !== undefined ? { ...reading, startedAt } : reading;
	});
}

/** Returns a function that finds a computer of a list in the previous list. */
export function findEarlierReading(
	before: readonly Reading[],
): (reading: Reading, place: number) => Reading | undefined {
	let byId: ReadonlyMap<string, Reading> | undefined;
	return ({ id }, place) => {
		// Most computers stay at their place in the list.
		const atPlace = before[place];
		if (atPlace?.id === id || before.length === 0) return atPlace;
		byId ??= new Map(before.map(reading => [reading.id, reading]));
		return byId.get(id);
	};
}

function areEqual(one: Reading, other: Reading): boolean {
	for (const key in other) if (!isSameField(one, other, key as ReadingField)) return false;
	for (const key in one) if (!isSameField(one, other, key as ReadingField)) return false;
	return true;
}

// Many platforms report an uptime in whole seconds, so the computed start time differs slightly in each answer.
const isSameField = (one: Reading, other: Reading, field: ReadingField): boolean =>
	one[field] === other[field] ||
	isSameValue(one[field], other[field]) ||
	(field === 'startedAt' && isSameStart(one.startedAt, other.startedAt));
