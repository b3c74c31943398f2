import { createStore, type StoreApi } from 'zustand/vanilla';
import type { GlobalId } from '../fleet/computers/global-id.ts';
import type { OperationSpec } from '../fleet/operations/operation.ts';
import type { Failure } from '../foundation/failure.ts';
import type { CommandRun } from './command-runner.ts';
import type { Question } from './question-wording.ts';
import type { HoldReason } from './why-not.ts';

export type PortCheckResult =
	| { state: 'asking' }
	/** Either an application answered, or the platform reported that no application listens on the port. */
	| { state: 'answers' | 'silent'; status: number }
	| { state: 'failed'; failure: Failure };

export type PortCheck = { id: GlobalId; port: number; checkedAt: number } & PortCheckResult;

/** The part of the state of operations that does not come from facts. */
export type OperationsState = {
	question: Question | undefined;
	isLocked: boolean;
	isReadOnly: boolean;
	holdReason: HoldReason | undefined;
	/** Whether a key has arrived that may be Esc and is understood in a moment. No countdown ends before it. */
	isEscapePending: () => boolean;
	commandRuns: readonly CommandRun[];
	portChecks: readonly PortCheck[];
};

export function createOperationsState(isReadOnly = false): StoreApi<OperationsState> {
	return createStore<OperationsState>(() => {
		return {
			question: undefined,
			isLocked: false,
			isReadOnly,
			holdReason: undefined,
			isEscapePending: () => false,
			commandRuns: [],
			portChecks: [],
		};
	});
}

/** What would happen to the operations under way if the program exited now. */
export type ExitSummary = {
	/** The platform carries them out without this program. */
	sent: readonly OperationSpec[];
	/** Own commands. They end when the program ends. */
	running: readonly OperationSpec[];
	/** Sent, without a response. */
	unknown: readonly OperationSpec[];
	dropped: readonly OperationSpec[];
};
