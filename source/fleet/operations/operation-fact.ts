import type { FactBody } from '../fact.ts';
import type { Operation, OperationSpec } from './operation.ts';

export type OperationChanged = Extract<FactBody, { type: 'operationChanged' }>;

export function operationFact(operation: Operation): OperationChanged {
	const { spec, stage, failure, skipped, abandonedAt, pane } = operation;
	return {
		type: 'operationChanged',
		...spec,
		step: stage,
		times: {
			asked: operation.askedAt,
			until: operation.graceEndsAt,
			left: operation.heldGraceMs,
			sent: operation.sentAt,
			accepted: operation.acceptedAt,
			ended: operation.endedAt,
		},
		failure,
		skipped,
		abandonedBy: abandonedAt === undefined ? undefined : pane,
	};
}

export function specOf(fact: OperationSpec): OperationSpec {
	const { key, operation, computer, name, port, version, batch } = fact;
	return { key, operation, computer, name, port, version, batch };
}
