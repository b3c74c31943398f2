import { plan } from '../../../source/watch/plan.ts';
import type { PlannerInput } from '../../../source/watch/planner-input.ts';
import { createRequestHistory } from '../../../source/watch/request-history.ts';
import { createReadCounter } from '../../read-counter.ts';

/** Returns the most fields that a plan reads per computer, which does not depend on the machine. */
export function countReadsOfPlan(count: number): number {
	const counter = createReadCounter();
	const perComputer: number[] = [];
	runPlans(
		{ count, turns: 10, wrapInput: counter.counted },
		{
			before: () => counter.takeCount(),
			after: () => perComputer.push(counter.takeCount() / count),
		},
	);
	return Math.max(...perComputer);
}

/** Makes one plan after another for a fleet in which one computer in a hundred is urgent. */
function runPlans(
	{
		count,
		turns,
		wrapInput,
	}: { count: number; turns: number; wrapInput: (input: PlannerInput) => PlannerInput },
	{ before, after }: { before: () => void; after: () => void },
) {
	const start = Date.UTC(2026, 10, 21, 8);
	const history = createRequestHistory(() => 0.5);
	const computers = Array.from({ length: count }, (_, place) => ({
		id: `sb_${place}`,
		urgentSince: place % 100 === 0 ? start : null,
		statusNeed: null,
		lacksDetail: false,
	}));
	const listFields = new Set(['id', 'status']);
	history.setFleet({ computers, listFields, isListUrgent: false, movingSince: start });
	history.setAttention({
		visibleIds: new Set(computers.slice(0, 50).map(({ id }) => id)),
		attendedUntil: Number.POSITIVE_INFINITY,
	});
	history.expireAnswers(start);
	for (let turn = 0; turn < turns; turn++) {
		const now = start + turn * 500;
		const slots = {
			free: { operation: 10, requestedRead: 10, read: 10 },
			nextAt: { operation: now, requestedRead: now, read: now },
			readsPerMs: 24 / 60_000,
		};
		const input = wrapInput(history.plannerInput);
		before();
		const { reads } = plan(input, { status: slots, other: slots }, now);
		after();
		for (const read of reads) {
			history.noteSent(read, now);
			history.noteCancelled(read);
		}
	}
}
