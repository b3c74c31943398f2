import type { Operation, OperationSpec } from '../fleet/operations/operation.ts';

/** The operations under way, by what would happen to them if the program exited now. */
export type ExitSummary = {
	/** Operations that were sent. The platform carries them out without this program. */
	sent: readonly OperationSpec[];
	/** Operations that were sent and got no response. */
	unknown: readonly OperationSpec[];
	/** Operations that are not sent yet. Exiting drops them. */
	dropped: readonly OperationSpec[];
	/** The shortest grace left among the dropped operations, set while countdowns are held. */
	heldGraceMs?: number | undefined;
};

export function exitSummaryFrom(
	operations: readonly Operation[],
	unsent: readonly { spec: OperationSpec }[],
): ExitSummary {
	const inStage = (...stages: readonly Operation['stage'][]) =>
		operations.filter(({ stage }) => stages.includes(stage)).map(({ spec }) => spec);
	const lefts = operations.flatMap(({ heldGraceMs }) => heldGraceMs ?? []);
	return {
		sent: inStage('sent', 'accepted'),
		unknown: inStage('unknown'),
		dropped: unsent.map(({ spec }) => spec),
		heldGraceMs: lefts.length > 0 ? Math.min(...lefts) : undefined,
	};
}
