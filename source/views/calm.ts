import type { Reading } from '../fleet/computer.ts';
import type { Row } from '../store/rows.ts';
import type { ShownRows } from './shown.ts';

type Usage = Pick<Reading, 'cpu' | 'memory' | 'storage'>;

const minute = 60_000;

function usageIn({ cpu, memory, storage }: Reading): Usage {
	return {
		...(cpu !== undefined && { cpu }),
		...(memory !== undefined && { memory }),
		...(storage !== undefined && { storage }),
	};
}

/**
 * Where every change has its price: what a computer uses changes with every look and is no news, so
 * each row in the window shows for a minute what it showed first.
 */
export function createCalm(): (shown: ShownRows, first: number, now: number) => ShownRows {
	let held = new Map<string, Usage>();
	let heldIn = 0;

	function calmed(row: Row): Row {
		const { computer } = row;
		const { reading } = computer;
		const usage = held.get(computer.id);
		// Told for the first time, or no more: that is news.
		if (!usage || typeof usage.cpu !== typeof reading.cpu) {
			held.set(computer.id, usageIn(reading));
			return row;
		}
		return { ...row, computer: { ...computer, reading: { ...reading, ...usage } } };
	}

	return (shown, first, now) => {
		const present = Math.floor(now / minute);
		if (present !== heldIn) held = new Map();
		heldIn = present;
		const { rows, lines } = shown;
		const window = rows.slice(first, first + lines).map(calmed);
		return { ...shown, rows: [...rows.slice(0, first), ...window, ...rows.slice(first + lines)] };
	};
}
