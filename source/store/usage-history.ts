import type { Reading } from '../fleet/computers/computer.ts';
import { busyCpu } from '../fleet/computers/stop-reason.ts';
import { percentFromLevel, usageLevelFrom } from '../fleet/computers/usage-level.ts';

// The CPU and memory of every computer in the last 30 minutes, one value for each slot of 45 seconds:
//
//   places       sb_1 → 0     sb_2 → 1     sb_3 → 2
//   slot 811     [ 12 %         –            3 %  ]     the oldest slot
//   slot 812     [ 14 %         –            –    ]     a gap where nothing was read
//   slot 813     [ 90 %         41 %         2 %  ]     the slot of the latest list
//
// Beside the slots stands when each computer was last busy, which may be longer ago:
//
//   busySlots    [ 813          640          –    ]
//
// Ten thousand computers take 840 kB. A slot is copied when a value in it changes, and never changed in place, so
// that an earlier state stays as it was.

export const slotMs = 45_000;

/**
 * The number of slots that are kept. The number of cells of every chart divides it, so that each cell stands for the
 * same number of slots.
 */
export const slotCount = 40;

export const usageSpanMs = slotMs * slotCount;

/** The usage that a computer reports in percent and that is kept over time. */
export type UsageKind = 'cpu' | 'memory';

/** The levels of all computers in one slot, by the place of the computer. Level 0 means that nothing was read. */
export type UsageSlot = { index: number } & Readonly<Record<UsageKind, Uint8Array>>;

export type UsageHistory = {
	/** The place of each computer in the arrays, by computer id. */
	places: ReadonlyMap<string, number>;
	/** The slots, oldest first. A slot in which nothing was read is missing. */
	slots: readonly UsageSlot[];
	/** The slot in which each computer was last busy, by the place of the computer; 0 if it never was. */
	busySlots: Readonly<Uint32Array>;
};

export const emptyUsage: UsageHistory = {
	places: new Map(),
	slots: [],
	busySlots: new Uint32Array(0),
};

export const slotIndexAt = (time: number) => Math.floor(time / slotMs);

type Usage = Pick<Reading, 'id' | UsageKind>;

/**
 * Adds the usage in an answer to the slot of its time. Returns the same object if the answer reports no usage, or no
 * other usage than the previous answer.
 */
export function usageAfter(
	history: UsageHistory,
	readings: readonly Usage[],
	at: number,
	isKnown: (id: string) => boolean,
): UsageHistory {
	const places = withPlaces(history.places, readings, isKnown);
	const index = slotIndexAt(at);
	const current = history.slots.findLast(slot => slot.index === index);
	/** A copy of the current slot, which is made for the first value that changes. */
	let draft: UsageSlot | undefined;
	let busySlots: Uint32Array | undefined;
	let isReported = false;
	for (const { id, cpu, memory } of readings) {
		const cpuLevel = usageLevelFrom(cpu);
		const memoryLevel = usageLevelFrom(memory);
		if (cpuLevel + memoryLevel === 0) continue;
		isReported = true;
		const place = places.get(id);
		if (place === undefined) continue;
		const known = draft ?? current;
		const isChanged =
			(known?.cpu[place] ?? 0) !== cpuLevel || (known?.memory[place] ?? 0) !== memoryLevel;
		if (isChanged) {
			draft ??= copyOfSlot(index, current, places.size);
			draft.cpu[place] = cpuLevel;
			draft.memory[place] = memoryLevel;
		}
		const earlier = (busySlots ?? history.busySlots)[place] ?? 0;
		if (cpuLevel < busyLevel || earlier >= index) continue;
		busySlots ??= withSize(history.busySlots, places.size);
		busySlots[place] = index;
	}
	if (!isReported) return history;
	const next = draft ?? current ?? copyOfSlot(index, current, places.size);
	if (next === current && !busySlots) return history;
	return {
		places,
		slots: [...slotsBefore(history.slots, index), next],
		busySlots: busySlots ?? history.busySlots,
	};
}

/** The least level of the CPU of a busy computer. */
export const busyLevel = usageLevelFrom(busyCpu);

/** Returns a copy that has a value for each place. */
export function withSize(busySlots: UsageHistory['busySlots'], size: number): Uint32Array {
	const copy = new Uint32Array(Math.max(size, busySlots.length));
	copy.set(busySlots);
	return copy;
}

// A slot in the future was read while the clock was ahead.
function slotsBefore(slots: readonly UsageSlot[], index: number): readonly UsageSlot[] {
	return slots.filter(slot => slot.index < index && slot.index > index - slotCount);
}

function withPlaces(
	places: UsageHistory['places'],
	readings: readonly Usage[],
	isKnown: (id: string) => boolean,
): UsageHistory['places'] {
	let next: Map<string, number> | undefined;
	for (const reading of readings) {
		const { id } = reading;
		if ((next ?? places).has(id)) continue;
		const { cpu, memory } = reading;
		// Without usage in the list, this loop calls no function, which matters in code that runs for the first time.
		if (typeof cpu !== 'number' && typeof memory !== 'number') continue;
		if (usageLevelFrom(cpu) + usageLevelFrom(memory) === 0 || !isKnown(id)) continue;
		next ??= new Map(places);
		next.set(id, next.size);
	}
	return next ?? places;
}

const copyOfSlot = (index: number, slot: UsageSlot | undefined, size: number): UsageSlot => ({
	index,
	cpu: copyWithSize(slot?.cpu, size),
	memory: copyWithSize(slot?.memory, size),
});

function copyWithSize(levels: Uint8Array | undefined, size: number): Uint8Array {
	const copy = new Uint8Array(Math.max(size, levels?.length ?? 0));
	if (levels) copy.set(levels);
	return copy;
}

/** Drops the values of computers that no longer exist. */
export function usageWithout(history: UsageHistory, ids: ReadonlySet<string>): UsageHistory {
	const kept = [...history.places].filter(([id]) => !ids.has(id));
	if (kept.length === history.places.size) return history;
	const picked = (levels: Uint8Array) => Uint8Array.from(kept, ([, place]) => levels[place] ?? 0);
	return {
		places: new Map(kept.map(([id], place) => [id, place])),
		slots: history.slots.map(({ index, cpu, memory }) => ({
			index,
			cpu: picked(cpu),
			memory: picked(memory),
		})),
		busySlots: Uint32Array.from(kept, ([, place]) => history.busySlots[place] ?? 0),
	};
}

/**
 * Returns when a computer was last busy; undefined if no read saw it busy, or if its CPU has not been read lately, because
 * it may have been busy unseen.
 */
export function lastBusyAt(
	{ places, slots, busySlots }: UsageHistory,
	id: string,
	now: number,
): number | undefined {
	const place = places.get(id) ?? -1;
	const busySlot = busySlots[place] ?? 0;
	const latest = slots.findLast(({ cpu }) => (cpu[place] ?? 0) > 0);
	if (busySlot === 0 || !latest || now - latest.index * slotMs > maxUnreadMs) return undefined;
	return busySlot * slotMs;
}

/** The CPU was read lately if the slot of its latest value began at most this long ago. */
const maxUnreadMs = 5 * 60_000;

/**
 * Returns the usage of a computer in the last 30 minutes as `cellCount` values, oldest first: the average of the slots
 * that each cell stands for, or undefined where nothing was read. The cells begin at round times, so that they move
 * only when a new cell begins.
 */
export function usageCells(
	{ places, slots }: UsageHistory,
	id: string,
	kind: UsageKind,
	now: number,
	cellCount: number,
): readonly (number | undefined)[] {
	const slotsPerCell = slotCount / cellCount;
	// The present slot is empty until the next list arrives. It is left out, because the chart would show it as a
	// gap.
	const newest = slots.at(-1)?.index;
	const present = slotIndexAt(now);
	const lastSlot = newest === present - 1 ? newest : present;
	const lastCell = Math.floor(lastSlot / slotsPerCell);
	const place = places.get(id) ?? -1;
	const cells = new Array<number | undefined>(cellCount).fill(undefined);
	let sum = 0;
	let count = 0;
	let filled = -1;
	// The slots are in the order of their times, so the slots of a cell follow each other.
	for (const slot of slots) {
		const cell = Math.floor(slot.index / slotsPerCell) - lastCell + cellCount - 1;
		const percent = percentFromLevel(slot[kind][place] ?? 0);
		if (cell < 0 || cell >= cellCount || percent === undefined) continue;
		sum = cell === filled ? sum + percent : percent;
		count = cell === filled ? count + 1 : 1;
		filled = cell;
		cells[cell] = sum / count;
	}
	return cells;
}
