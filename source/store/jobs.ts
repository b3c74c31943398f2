import type { BatchProgress, Operation } from '../fleet/operations/operation.ts';
import { memoize } from '../foundation/memoize.ts';
import { specWithAccountName } from './joint-account.ts';
import type { OpenedAccount } from './opened-accounts.ts';
import type { AccountState, JointAccount } from './state.ts';

/** One operation of the list of jobs. `account` is the key of its account in the store. */
export type JobOperation = { account: string; operation: Operation };

/** An operation, or all operations of one question, in the list of jobs of this session. */
export type Job = { id: string; askedAt: number } & (
	| ({ type: 'operation' } & JobOperation)
	/** The store has only the first operations of a very large batch until they are sent. */
	| { type: 'batch'; progress: BatchProgress; operations: readonly JobOperation[] }
);

type JobsSelector = (
	joint: Pick<JointAccount, 'batches'>,
	accounts: readonly OpenedAccount[],
) => readonly Job[];

/**
 * Creates a selector for the jobs of all accounts, newest first. With several accounts, each operation names its
 * account. It returns the same array until an operation changes.
 */
export function createJobsSelector(): JobsSelector {
	let accounts: readonly OpenedAccount[] = [];
	// The maps are not used. They are parameters so that a new map makes `memoize` compute the jobs again.
	const select = memoize(
		(batches: JointAccount['batches'], ..._maps: readonly AccountState['operations'][]) =>
			jobsFrom(batches, accounts.flatMap(operationsOf(accounts.length > 1))),
	);

	return ({ batches }, opened) => {
		accounts = opened;
		const maps = opened.flatMap(({ state }) => [state.operations, state.endedOperations]);
		return select(batches, ...maps);
	};
}

function operationsOf(hasSeveral: boolean) {
	return ({ profile: { account, name }, state }: OpenedAccount): readonly JobOperation[] =>
		[...state.endedOperations.values(), ...state.operations.values()].map(operation => {
			const spec = hasSeveral ? specWithAccountName(name, operation.spec) : operation.spec;
			return { account, operation: hasSeveral ? { ...operation, spec } : operation };
		});
}

function jobsFrom(
	batches: JointAccount['batches'],
	operations: readonly JobOperation[],
): readonly Job[] {
	const partsById = new Map<string, JobOperation[]>();
	const jobs: Job[] = [];
	for (const progress of batches.values()) {
		const { id, askedAt } = progress;
		const parts: JobOperation[] = [];
		partsById.set(id, parts);
		jobs.push({ id, askedAt, type: 'batch', progress, operations: parts });
	}
	for (const each of operations) {
		const { spec, askedAt } = each.operation;
		const parts = partsById.get(spec.batch ?? '');
		if (parts) parts.push(each);
		else jobs.push({ id: spec.key, askedAt, type: 'operation', ...each });
	}
	// Jobs of the same moment keep the order in which they were asked for.
	return jobs.reverse().sort((a, b) => b.askedAt - a.askedAt);
}
