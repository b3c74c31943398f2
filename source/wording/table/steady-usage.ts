import type { Reading } from '../../fleet/computers/computer.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { VisibleRows } from './visible-rows.ts';

const minuteMs = 60_000;

type Usage = Pick<Reading, 'cpu' | 'memory' | 'storage'>;

function usageFrom({ cpu, memory, storage }: Reading): Usage {
	return {
		...(cpu !== undefined && { cpu }),
		...(memory !== undefined && { memory }),
		...(storage !== undefined && { storage }),
	};
}

/**
 * The CPU, memory and storage use that each row had when it was first visible in this minute, by the id of
 * the row.
 */
type SteadyUsage = { minute: number; usageById: ReadonlyMap<GlobalId, Usage> };

export const noSteadyUsage: SteadyUsage = { minute: 0, usageById: new Map() };

/**
 * Replaces the usage of each visible row by the usage that was first shown in this minute. On a slow line,
 * the usage would otherwise change the screen with every read. Returns the same `steady` object if no row
 * was added to that object.
 */
export function withSteadyUsage(
	steady: SteadyUsage,
	{ shown, first, now }: { shown: VisibleRows; first: number; now: number },
): { shown: VisibleRows; steady: SteadyUsage } {
	const currentMinute = Math.floor(now / minuteMs);
	const earlierUsageById =
		currentMinute === steady.minute ? steady.usageById : noSteadyUsage.usageById;
	const { rows, maxRows } = shown;
	const visible = rows.slice(first, first + maxRows);
	const addedRows = visible.filter(row => !hasSteadyUsage(row, earlierUsageById));
	const usageById = new Map(earlierUsageById);
	for (const { id, computer } of addedRows) usageById.set(id, usageFrom(computer.reading));
	const steadyRows = visible.map(row => rowWithUsage(row, usageById.get(row.id)));
	return {
		shown: {
			...shown,
			rows: [...rows.slice(0, first), ...steadyRows, ...rows.slice(first + maxRows)],
		},
		steady:
			addedRows.length === 0 && earlierUsageById === steady.usageById
				? steady
				: { minute: currentMinute, usageById },
	};
}

// If a computer begins or stops reporting its usage, its row changes at once.
function hasSteadyUsage({ id, computer }: FleetRow, usageById: SteadyUsage['usageById']): boolean {
	const usage = usageById.get(id);
	return usage !== undefined && typeof usage.cpu === typeof computer.reading.cpu;
}

function rowWithUsage(row: FleetRow, usage: Usage | undefined): FleetRow {
	const { computer } = row;
	return { ...row, computer: { ...computer, reading: { ...computer.reading, ...usage } } };
}
