import type { Reading } from '../fleet/computer.ts';
import type { Row } from '../store/selectors.ts';
import type { VisibleRows } from './visible-rows.ts';

type Usage = Pick<Reading, 'cpu' | 'memory' | 'storage'>;

const minute = 60_000;

function usageIn({ cpu, memory, storage }: Reading): Usage {
	return {
		...(cpu !== undefined && { cpu }),
		...(memory !== undefined && { memory }),
		...(storage !== undefined && { storage }),
	};
}

/** The usage that each visible row had when this minute first showed it. */
export type SteadyUsage = { minute: number; usages: ReadonlyMap<string, Usage> };

export const noSteadyUsage: SteadyUsage = { minute: 0, usages: new Map() };

/**
 * On a slow line, usage would change the screen with every read. Each visible row therefore shows the same
 * usage for a whole minute. Returns the same `steady` object if no row was added to it.
 */
export function withSteadyUsage(
	steady: SteadyUsage,
	{ shown, first, now }: { shown: VisibleRows; first: number; now: number },
): { shown: VisibleRows; steady: SteadyUsage } {
	const present = Math.floor(now / minute);
	const usages = present === steady.minute ? steady.usages : noSteadyUsage.usages;
	const { rows, lines } = shown;
	const window = rows.slice(first, first + lines);
	const added = window.filter(row => !isHeld(row, usages));
	const held = new Map(usages);
	for (const { computer } of added) held.set(computer.id, usageIn(computer.reading));
	const still = window.map(row => rowWithUsage(row, held.get(row.computer.id)));
	return {
		shown: { ...shown, rows: [...rows.slice(0, first), ...still, ...rows.slice(first + lines)] },
		steady:
			added.length === 0 && usages === steady.usages ? steady : { minute: present, usages: held },
	};
}

// A row that gains or loses its usage shows that at once.
function isHeld({ computer }: Row, usages: SteadyUsage['usages']): boolean {
	const usage = usages.get(computer.id);
	return usage !== undefined && typeof usage.cpu === typeof computer.reading.cpu;
}

function rowWithUsage(row: Row, usage: Usage | undefined): Row {
	const { computer } = row;
	return { ...row, computer: { ...computer, reading: { ...computer.reading, ...usage } } };
}
