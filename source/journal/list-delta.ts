import {
	isSameValue,
	type Reading,
	readingFields,
	readingSchema,
} from '../fleet/computers/computer.ts';
import { commonFactFields, type Fact, factTable, listNotes } from '../fleet/fact.ts';
import * as v from '../foundation/schema.ts';

// Lists come every few seconds, so a recording has only the differences of each from the one before.

const readingPatch = v.object({
	...readingSchema.entries,
	isWhole: v.optional(v.boolean),
});

type ReadingPatch = v.ValueOf<typeof readingPatch>;

export const recordedFactSchema = v.unionOf(
	{
		...factTable,
		listRead: {
			computers: v.listOf(readingPatch),
			/** Absent if it is the same as in the previous list. */
			order: v.optional(v.listOf(v.id)),
			...listNotes,
		},
	},
	commonFactFields,
);

export type RecordedFact = v.ValueOf<typeof recordedFactSchema>;

export type PreviousLists = ReadonlyMap<string, ReadonlyMap<string, Reading>>;

export function recordedFactFrom(
	lists: PreviousLists,
	fact: Fact,
): { lists: PreviousLists; recordedFact: RecordedFact } {
	if (fact.type !== 'listRead') return { lists, recordedFact: fact };
	const before = lists.get(fact.account) ?? new Map<string, Reading>();
	const now = new Map(fact.computers.map(reading => [reading.id, reading]));
	const computers = fact.computers.flatMap(each => patchFrom(before.get(each.id), each) ?? []);
	const recordedFact: RecordedFact = { ...fact, computers };
	const [order, previousOrder] = [[...now.keys()], [...before.keys()]];
	if (JSON.stringify(order) !== JSON.stringify(previousOrder)) recordedFact.order = order;
	return { lists: new Map(lists).set(fact.account, now), recordedFact };
}

export function factFrom(
	lists: PreviousLists,
	recordedFact: RecordedFact,
): { lists: PreviousLists; fact: Fact } {
	if (recordedFact.type !== 'listRead') return { lists, fact: recordedFact };
	const { order, computers: patches, ...rest } = recordedFact;
	const before = lists.get(rest.account) ?? new Map<string, Reading>();
	const patched = new Map(before);
	for (const { isWhole, ...patch } of patches)
		patched.set(patch.id, isWhole ? patch : { ...before.get(patch.id), ...patch });
	const now = new Map<string, Reading>();
	for (const id of order ?? before.keys()) {
		const reading = patched.get(id);
		if (reading) now.set(id, reading);
	}
	const fact: Fact = { ...rest, computers: [...now.values()] };
	return { lists: new Map(lists).set(rest.account, now), fact };
}

function patchFrom(before: Reading | undefined, now: Reading): ReadingPatch | undefined {
	if (!before) return now;
	if (before === now) return undefined;
	const isGone = (field: keyof Reading) => before[field] !== undefined && now[field] === undefined;
	if (readingFields.some(isGone)) return { ...now, isWhole: true };
	const changed = readingFields.filter(
		field => now[field] !== undefined && !isSameValue(before[field], now[field]),
	);
	if (changed.length === 0) return undefined;
	return { id: now.id, ...Object.fromEntries(changed.map(field => [field, now[field]])) };
}
