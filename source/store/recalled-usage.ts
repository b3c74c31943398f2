import { levelsFromText, textFromLevels } from '../fleet/computers/usage-level.ts';
import type { FactBody } from '../fleet/fact.ts';
import {
	busyLevel,
	slotCount,
	slotIndexAt,
	slotMs,
	type UsageHistory,
	type UsageKind,
	type UsageSlot,
	withSize,
} from './usage-history.ts';

type RecalledUsage = Omit<Extract<FactBody, { type: 'usageRecalled' }>, 'type'>;

//   slots        811   812   813          computer "sb_1"     cpu "7-B"   memory "HHJ"
//   sb_1 cpu      8     –     12     →    a letter for each slot up to `lastSlotAt`

/** Returns the usage of these computers as a fact that restores it; undefined if nothing was read. */
export function recalledUsageFrom(
	{ places, slots }: UsageHistory,
	ids: readonly string[],
): RecalledUsage | undefined {
	const last = slots.at(-1);
	if (!last) return undefined;
	const byIndex = new Map(slots.map(slot => [slot.index, slot]));
	const textOf = (kind: UsageKind, place: number) => {
		const levels = Array.from({ length: slotCount }, (_, at) => {
			const slot = byIndex.get(last.index - slotCount + 1 + at);
			return slot?.[kind][place] ?? 0;
		});
		return textFromLevels(levels.slice(levels.findIndex(level => level > 0)));
	};
	const computers = ids.flatMap(id => {
		const place = places.get(id);
		return place === undefined
			? []
			: [{ id, cpu: textOf('cpu', place), memory: textOf('memory', place) }];
	});
	return { lastSlotAt: last.index * slotMs, computers };
}

/** Adds the usage of an earlier run where this run has read nothing. Computers that no longer exist are left out. */
export function usageWithRecalled(
	history: UsageHistory,
	{ lastSlotAt, computers }: RecalledUsage,
	isKnown: (id: string) => boolean,
): UsageHistory {
	const known = computers.filter(({ id }) => isKnown(id));
	if (known.length === 0) return history;
	const places = new Map(history.places);
	for (const { id } of known) if (!places.has(id)) places.set(id, places.size);
	const slots = new Map<number, UsageSlot>();
	const ownSlot = (index: number): UsageSlot => {
		const draft = slots.get(index) ?? {
			index,
			cpu: new Uint8Array(places.size),
			memory: new Uint8Array(places.size),
		};
		slots.set(index, draft);
		return draft;
	};
	for (const { index, cpu, memory } of history.slots) {
		ownSlot(index).cpu.set(cpu);
		ownSlot(index).memory.set(memory);
	}
	const lastIndex = slotIndexAt(lastSlotAt);
	/** The slots that the texts fill, newest first. */
	const recalled: UsageSlot[] = [];
	for (const { id, ...texts } of known) {
		const place = places.get(id) ?? 0;
		for (const kind of ['cpu', 'memory'] as const) {
			const levels = levelsFromText(texts[kind].slice(-slotCount));
			for (let age = 0; age < levels.length; age += 1) {
				const level = levels[levels.length - 1 - age] ?? 0;
				if (level === 0) continue;
				const slot = recalled[age] ?? ownSlot(lastIndex - age);
				recalled[age] = slot;
				slot[kind][place] ||= level;
			}
		}
	}
	const sorted = [...slots.values()].sort((a, b) => a.index - b.index);
	const busySlots = withSize(history.busySlots, places.size);
	for (const { index, cpu } of sorted)
		for (const [place, level] of cpu.entries())
			if (level >= busyLevel && index > (busySlots[place] ?? 0)) busySlots[place] = index;
	const newest = history.slots.at(-1)?.index ?? lastIndex;
	return {
		places,
		slots: sorted.filter(({ index }) => index <= newest && index > newest - slotCount),
		busySlots,
	};
}
