import { createMemory } from '../../../source/watch/memory.ts';
import type { Outlook } from '../../../source/watch/outlook.ts';
import { plan } from '../../../source/watch/plan.ts';
import { createReadCounter } from '../../counted-reads.ts';
import { atMost, type Figure, quantile } from './figure.ts';

/** What a plan costs, in real time: for the benchmark. */
export function speedOf(count: number): Figure {
	const costs: number[] = [];
	let before = 0;
	livePlans(
		{ count, turns: 200, seen: outlook => outlook },
		{
			before() {
				before = performance.now();
			},
			after() {
				costs.push(performance.now() - before);
			},
		},
	);
	return atMost(`a plan for ${count} computers (median)`, quantile(costs, 0.5), 'ms', 5);
}

/** How many fields a plan reads for each computer, at most: the same on any machine. */
export function readsOfPlan(count: number): number {
	const counter = createReadCounter();
	const perComputer: number[] = [];
	livePlans(
		{ count, turns: 10, seen: counter.watched },
		{
			before: () => counter.take(),
			after: () => perComputer.push(counter.take() / count),
		},
	);
	return Math.max(...perComputer);
}

/** One plan after another for a fleet of which a hundredth is urgent. */
function livePlans(
	{ count, turns, seen }: { count: number; turns: number; seen: (outlook: Outlook) => Outlook },
	{ before, after }: { before: () => void; after: () => void },
) {
	const start = Date.UTC(2026, 10, 21, 8);
	const memory = createMemory(() => 0.5);
	const computers = Array.from({ length: count }, (_, place) => ({
		id: `sb_${place}`,
		urgentSince: place % 100 === 0 ? start : null,
	}));
	memory.meet({ computers, listTells: new Set(['id', 'status']), isListUrgent: false });
	memory.look({ visible: new Set(computers.slice(0, 50).map(({ id }) => id)), focused: true });
	memory.refresh(start);
	for (let turn = 0; turn < turns; turn++) {
		const now = start + turn * 500;
		const purse = { left: 10, rate: 24 / 60_000, nextAt: now };
		const outlook = seen(memory.outlook);
		before();
		const { reads } = plan(outlook, { status: purse, other: purse }, now);
		after();
		for (const read of reads) {
			memory.asked(read, now);
			memory.dropped(read);
		}
	}
}
