import { plan } from '../../../source/watch/plan.ts';
import type { PlannerInput } from '../../../source/watch/planner-input.ts';
import { createRequestHistory } from '../../../source/watch/request-history.ts';
import { createReadCounter } from '../../read-counter.ts';
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
		{ count, turns: 10, seen: counter.counted },
		{
			before: () => counter.takeCount(),
			after: () => perComputer.push(counter.takeCount() / count),
		},
	);
	return Math.max(...perComputer);
}

/** One plan after another for a fleet of which a hundredth is urgent. */
function livePlans(
	{
		count,
		turns,
		seen,
	}: { count: number; turns: number; seen: (outlook: PlannerInput) => PlannerInput },
	{ before, after }: { before: () => void; after: () => void },
) {
	const start = Date.UTC(2026, 10, 21, 8);
	const memory = createRequestHistory(() => 0.5);
	const computers = Array.from({ length: count }, (_, place) => ({
		id: `sb_${place}`,
		urgentSince: place % 100 === 0 ? start : null,
	}));
	memory.setFleet({ computers, listFields: new Set(['id', 'status']), isListUrgent: false });
	memory.setAttention({
		visible: new Set(computers.slice(0, 50).map(({ id }) => id)),
		focused: true,
	});
	memory.refresh(start);
	for (let turn = 0; turn < turns; turn++) {
		const now = start + turn * 500;
		const purse = { left: 10, rate: 24 / 60_000, nextAt: now };
		const outlook = seen(memory.input);
		before();
		const { reads } = plan(outlook, { status: purse, other: purse }, now);
		after();
		for (const read of reads) {
			memory.sent(read, now);
			memory.cancelled(read);
		}
	}
}
