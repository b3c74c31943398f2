import type { Operation, OperationSpec } from '../fleet/operation.ts';
import type { PendingOperation } from './queue.ts';

/** What happens to the operations under way when the program exits now. */
export type ExitSummary = {
	/** They were sent and go on without this program. */
	sent: readonly OperationSpec[];
	/** They were sent, and no response came. */
	unknown: readonly OperationSpec[];
	/** They are never sent. */
	dropped: readonly OperationSpec[];
	/** The shortest grace that is left among the dropped ones, while countdowns are held. */
	heldGrace?: number;
};

export function exitSummaryFrom(
	all: readonly Operation[],
	unsent: readonly Pick<PendingOperation, 'spec' | 'heldGrace'>[],
): ExitSummary {
	const inStage = (...stages: readonly Operation['stage'][]) =>
		all.filter(({ stage }) => stages.includes(stage)).map(({ spec }) => spec);
	const lefts = unsent.flatMap(({ heldGrace }) => heldGrace ?? []);
	return {
		sent: inStage('sent', 'accepted'),
		unknown: inStage('unknown'),
		dropped: unsent.map(({ spec }) => spec),
		...(lefts.length > 0 && { heldGrace: Math.min(...lefts) }),
	};
}
