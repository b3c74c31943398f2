import type { Reading } from '../fleet/computers/computer.ts';
import { busyCpu } from '../fleet/computers/stop-reason.ts';
import { percentFromLevel, usageLevelFrom } from '../fleet/computers/usage-level.ts';
import type { RecalledUsage } from '../fleet/fact.ts';

export const slotMs = 45_000;

/** Divisible by the number of cells of every chart. */
export const slotCount = 40;

export const usageSpanMs = slotMs * slotCount;

export type UsageKind = 'cpu' | 'memory';

/** The levels in the slots up to `lastSlot`, oldest first. Level 0 means that nothing was read. */
type ComputerUsage = Readonly<Record<UsageKind, readonly number[]>> & {
	lastSlot: number;
	/** 0 if it never was. */
	busySlot: number;
};

export type UsageHistory = {
	lastSlot: number;
	computers: ReadonlyMap<string, ComputerUsage>;
};

export const emptyUsage: UsageHistory = { lastSlot: 0, computers: new Map() };

const neverRead: ComputerUsage = { cpu: [], memory: [], lastSlot: 0, busySlot: 0 };

const slotAt = (time: number) => Math.floor(time / slotMs);

type Ids = { has(id: string): boolean };

/** Only known computers count, if `known` is given. Returns the same object if nothing is new. */
export function usageAfter(
	history: UsageHistory,
	readings: readonly Pick<Reading, 'id' | UsageKind>[],
	at: number,
	known?: Ids,
): UsageHistory {
	const slot = slotAt(at);
	let computers: Map<string, ComputerUsage> | undefined;
	let isReported = false;
	for (const reading of readings) {
		const cpu = usageLevelFrom(reading.cpu);
		const memory = usageLevelFrom(reading.memory);
		if (cpu + memory === 0 || (known && !known.has(reading.id))) continue;
		isReported = true;
		const before = history.computers.get(reading.id) ?? neverRead;
		const usage = withLevels(before, slot, cpu, memory);
		if (usage === before) continue;
		computers ??= new Map(history.computers);
		computers.set(reading.id, usage);
	}
	if (!isReported || (!computers && slot === history.lastSlot)) return history;
	return { lastSlot: slot, computers: computers ?? history.computers };
}

const busyLevel = usageLevelFrom(busyCpu);

function withLevels(
	before: ComputerUsage,
	slot: number,
	cpu: number,
	memory: number,
): ComputerUsage {
	const isSame = before.cpu.at(-1) === cpu && before.memory.at(-1) === memory;
	if (before.lastSlot === slot && isSame) return before;
	return {
		lastSlot: slot,
		busySlot: cpu >= busyLevel ? Math.max(slot, before.busySlot) : before.busySlot,
		cpu: [...levelsUpTo(before, 'cpu', slot - 1), cpu].slice(-slotCount),
		memory: [...levelsUpTo(before, 'memory', slot - 1), memory].slice(-slotCount),
	};
}

/** Later slots were read while the clock was ahead. */
function levelsUpTo(usage: ComputerUsage, kind: UsageKind, slot: number): readonly number[] {
	const passed = slot - usage.lastSlot;
	if (passed <= 0) return passed === 0 ? usage[kind] : usage[kind].slice(0, passed);
	if (passed >= slotCount) return [];
	return [...usage[kind], ...new Array<number>(passed).fill(0)].slice(-slotCount);
}

export function usageWithout(history: UsageHistory, ids: readonly string[]): UsageHistory {
	if (!ids.some(id => history.computers.has(id))) return history;
	const computers = new Map(history.computers);
	for (const id of ids) computers.delete(id);
	return { ...history, computers };
}

export function recalledUsageFrom(
	{ lastSlot, computers }: UsageHistory,
	ids: readonly string[] = [...computers.keys()],
): RecalledUsage | undefined {
	if (computers.size === 0) return undefined;
	const recalled = ids.flatMap(id => {
		const usage = computers.get(id);
		if (!usage) return [];
		const cpu = levelsUpTo(usage, 'cpu', lastSlot);
		const memory = levelsUpTo(usage, 'memory', lastSlot);
		const first = cpu.findIndex((level, place) => level + (memory[place] ?? 0) > 0);
		if (first < 0) return [{ id, cpu: [], memory: [] }];
		return [{ id, cpu: cpu.slice(first), memory: memory.slice(first) }];
	});
	return { lastSlotAt: lastSlot * slotMs, computers: recalled };
}

/** It is recalled before this run has read more than the latest usage. */
export function usageWithRecalled(
	history: UsageHistory,
	{ lastSlotAt, computers: recalled }: RecalledUsage,
	known: Ids,
): UsageHistory {
	const recalledSlot = slotAt(lastSlotAt);
	const computers = new Map(history.computers);
	for (const { id, cpu, memory } of recalled) {
		if (!known.has(id)) continue;
		const length = Math.min(cpu.length, memory.length, slotCount);
		const busyAgo = [...cpu].reverse().findIndex(level => level >= busyLevel);
		const earlier: ComputerUsage = {
			cpu: cpu.slice(cpu.length - length),
			memory: memory.slice(memory.length - length),
			lastSlot: recalledSlot,
			busySlot: busyAgo < 0 ? 0 : recalledSlot - busyAgo,
		};
		const own = history.computers.get(id);
		const latest = [own?.cpu.at(-1) ?? 0, own?.memory.at(-1) ?? 0] as const;
		computers.set(id, own ? withLevels(earlier, own.lastSlot, ...latest) : earlier);
	}
	return { lastSlot: history.lastSlot || recalledSlot, computers };
}

const maxUnreadMs = 5 * 60_000;

/** Undefined if its CPU has not been read lately, because it may have been busy unseen. */
export function lastBusyAt(
	{ computers }: UsageHistory,
	id: string,
	now: number,
): number | undefined {
	const { busySlot, lastSlot, cpu } = computers.get(id) ?? neverRead;
	const lastRead = lastSlot - (cpu.length - 1 - cpu.findLastIndex(level => level > 0));
	if (busySlot === 0 || now - lastRead * slotMs > maxUnreadMs) return undefined;
	return busySlot * slotMs;
}

/** Undefined where nothing was read. The cells begin at round times, so that they move only when a new cell begins. */
export function usageCells(
	{ lastSlot, computers }: UsageHistory,
	id: string,
	kind: UsageKind,
	now: number,
	cellCount: number,
): readonly (number | undefined)[] {
	const slotsPerCell = slotCount / cellCount;
	// The present slot is empty until the next list arrives, and the chart would show it as a gap.
	const present = slotAt(now);
	const newest = lastSlot === present - 1 ? lastSlot : present;
	const firstCell = Math.floor(newest / slotsPerCell) - cellCount + 1;
	const usage = computers.get(id) ?? neverRead;
	const firstSlot = usage.lastSlot - usage[kind].length + 1;
	const cells = Array.from({ length: cellCount }, (): number[] => []);
	for (const [at, level] of usage[kind].entries()) {
		const percent = percentFromLevel(level);
		const cell = Math.floor((firstSlot + at) / slotsPerCell) - firstCell;
		if (percent !== undefined) cells[cell]?.push(percent);
	}
	return cells.map(values =>
		values.length === 0 ? undefined : values.reduce((sum, each) => sum + each) / values.length,
	);
}
