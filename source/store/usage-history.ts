import type { Reading } from '../fleet/computers/computer.ts';
import { busyCpu } from '../fleet/computers/stop-reason.ts';
import type { ComputerUsage } from '../fleet/fact.ts';

export const slotMs = 45_000;

export const slotCount = 40;

export type UsageKind = 'cpu' | 'memory';

export type UsageHistory = ReadonlyMap<string, ComputerUsage>;

const slotAt = (time: number) => Math.floor(time / slotMs);

const roundedPercent = (percent: number | null | undefined) =>
	typeof percent === 'number' ? Math.round(percent * 10) / 10 : null;

export function usageAfter(
	history: UsageHistory,
	readings: readonly Pick<Reading, 'id' | UsageKind>[],
	at: number,
): UsageHistory {
	const computers = new Map(history);
	let isSame = true;
	for (const { id, cpu, memory } of readings) {
		const before = history.get(id);
		const latest = [roundedPercent(cpu), roundedPercent(memory)] as const;
		if (latest.every(percent => percent === null)) continue;
		const usage = withLatest(before, id, slotAt(at), ...latest);
		if (usage === before) continue;
		computers.set(id, usage);
		isSame = false;
	}
	return isSame ? history : computers;
}

function withLatest(
	before: ComputerUsage = { id: '', lastSlot: 0, cpu: [], memory: [] },
	id: string,
	slot: number,
	cpu: number | null,
	memory: number | null,
): ComputerUsage {
	const isSame = before.cpu.at(-1) === cpu && before.memory.at(-1) === memory;
	if (before.lastSlot === slot && isSame) return before;
	return {
		id,
		lastSlot: slot,
		busySlot: cpu !== null && cpu >= busyCpu ? slot : before.busySlot,
		quietSlot: quietSlotAfter(before, cpu, slot),
		cpu: [...percentagesUntil(before, 'cpu', slot), cpu].slice(-slotCount),
		memory: [...percentagesUntil(before, 'memory', slot), memory].slice(-slotCount),
	};
}

function quietSlotAfter(before: ComputerUsage, cpu: number | null, slot: number) {
	if (cpu === null) return before.quietSlot;
	if (cpu >= busyCpu) return undefined;
	return isUnread(before, slot * slotMs) ? slot : Math.min(before.quietSlot ?? slot, slot);
}

/** Later slots may have been read while the clock was ahead. */
function percentagesUntil(usage: ComputerUsage, kind: UsageKind, slot: number) {
	const passed = slot - 1 - usage.lastSlot;
	if (passed < 0) return usage[kind].slice(0, passed);
	return passed < slotCount ? [...usage[kind], ...new Array<null>(passed).fill(null)] : [];
}

export function usageWithRecalled(
	history: UsageHistory,
	recalled: readonly ComputerUsage[],
	known: { has(id: string): boolean },
): UsageHistory {
	const computers = new Map(history);
	for (const earlier of recalled) {
		const { id } = earlier;
		if (!known.has(id)) continue;
		const own = history.get(id);
		const latest = [own?.cpu.at(-1) ?? null, own?.memory.at(-1) ?? null] as const;
		computers.set(id, own ? withLatest(earlier, id, own.lastSlot, ...latest) : earlier);
	}
	return computers;
}

const maxUnreadMs = 5 * 60_000;

/** Undefined if it has not been read lately, and may have been busy unseen. */
export function lastBusyAt(history: UsageHistory, id: string, now: number): number | undefined {
	const usage = history.get(id);
	if (usage?.busySlot === undefined || isUnread(usage, now)) return undefined;
	return usage.busySlot * slotMs;
}

export function quietSince(history: UsageHistory, id: string, now: number): number | undefined {
	const usage = history.get(id);
	if (usage?.quietSlot === undefined || isUnread(usage, now)) return undefined;
	return (usage.quietSlot + 1) * slotMs;
}

function isUnread({ lastSlot, cpu }: ComputerUsage, now: number): boolean {
	const lastRead = lastSlot - (cpu.length - 1 - cpu.findLastIndex(percent => percent !== null));
	return now - lastRead * slotMs > maxUnreadMs;
}

/** The cells begin at round times, so that they move only when a new cell begins. */
export function usageCells(
	history: UsageHistory,
	id: string,
	kind: UsageKind,
	now: number,
	cellCount: number,
): readonly (number | undefined)[] {
	const slotsPerCell = slotCount / cellCount;
	const { lastSlot = 0, [kind]: percentages = [] } = history.get(id) ?? {};
	// The chart would show the present slot as a gap until the next list.
	const present = slotAt(now);
	const newest = lastSlot === present - 1 ? lastSlot : present;
	const firstCell = Math.floor(newest / slotsPerCell) - cellCount + 1;
	const firstSlot = lastSlot - percentages.length + 1;
	const cells = Array.from({ length: cellCount }, (): number[] => []);
	for (const [at, percent] of percentages.entries()) {
		const cell = Math.floor((firstSlot + at) / slotsPerCell) - firstCell;
		if (percent !== null) cells[cell]?.push(percent);
	}
	return cells.map(values =>
		values.length === 0 ? undefined : values.reduce((sum, each) => sum + each) / values.length,
	);
}
