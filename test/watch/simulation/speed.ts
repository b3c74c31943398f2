import { createMemory } from '../../../source/watch/memory.ts';
import { plan } from '../../../source/watch/plan.ts';
import { atMost, type Figure, quantile } from './figure.ts';

/** What a plan costs, in real time. */
export function speedOf(count: number): Figure {
	const start = Date.UTC(2026, 10, 21, 8);
	const memory = createMemory(() => 0.5);
	const computers = Array.from({ length: count }, (_, place) => ({
		id: `sb_${place}`,
		urgentSince: place % 100 === 0 ? start : null,
	}));
	memory.meet({ computers, listTells: new Set(['id', 'status']), isListUrgent: false });
	memory.look({ visible: new Set(computers.slice(0, 50).map(({ id }) => id)), focused: true });
	memory.refresh(start);
	const costs = Array.from({ length: 200 }, (_, turn) => {
		const now = start + turn * 500;
		const purse = { left: 10, rate: 24 / 60_000, nextAt: now };
		const before = performance.now();
		const { reads } = plan(memory.outlook, { status: purse, other: purse }, now);
		const cost = performance.now() - before;
		for (const read of reads) {
			memory.asked(read, now);
			memory.dropped(read);
		}
		return cost;
	});
	return atMost(`a plan for ${count} computers (median)`, quantile(costs, 0.5), 'ms', 5);
}
