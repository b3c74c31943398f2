import { isSameValue, type Reading, type ReadingField } from './computer.ts';
import { isSameStart } from './uptime.ts';

/**
 * Returns a function that replaces an unchanged reading of a list by the object from the previous list. So the
 * store, the followers and a recording can compare objects instead of all fields. From list to list, most readings
 * differ only in CPU and memory. They share their texts and times with the previous reading, so that those of the new
 * list become garbage before V8 treats them as old.
 */
export function createReadingReuse(
	before: readonly Reading[],
): (reading: Reading, place: number) => Reading {
	const earlierReading = findEarlierReading(before);
	return (reading, place) => {
		const earlier = earlierReading(reading, place);
		if (!earlier || earlier === reading) return reading;
		const news = newsOf(earlier, reading);
		if (news === 'none') return earlier;
		if (news === 'usage') return withUsage(earlier, reading);
		const { startedAt } = earlier;
		const isKnownStart = isSameStart(startedAt, reading.startedAt);
		return isKnownStart && startedAt !== undefined ? { ...reading, startedAt } : reading;
	};
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

/** Says how a reading differs from the previous one: `usage` means only in its values of CPU and memory. */
function newsOf(earlier: Reading, next: Reading): 'none' | 'usage' | 'more' {
	for (const key in earlier) if (next[key as ReadingField] === undefined) return 'more';
	let hasNewUsage = false;
	for (const key in next) {
		const field = key as ReadingField;
		if (isSameField(earlier, next, field)) continue;
		const isUsage = field === 'cpu' || field === 'memory';
		if (!isUsage || earlier[field] === undefined) return 'more';
		hasNewUsage = true;
	}
	return hasNewUsage ? 'usage' : 'none';
}

function withUsage(earlier: Reading, { cpu, memory }: Reading): Reading {
	const next = { ...earlier };
	if (cpu !== undefined) next.cpu = cpu;
	if (memory !== undefined) next.memory = memory;
	return next;
}

// Many platforms report an uptime in whole seconds, so the computed start time differs slightly in each answer.
const isSameField = (one: Reading, other: Reading, field: ReadingField): boolean =>
	one[field] === other[field] ||
	isSameValue(one[field], other[field]) ||
	(field === 'startedAt' && isSameStart(one.startedAt, other.startedAt));
