import type { FactBody } from '../fleet/fact.ts';
import type { OperationId, OperationSpec } from '../fleet/operations/operation.ts';
import type { OperationDetails } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Clock } from '../foundation/clock.ts';
import { memoize } from '../foundation/memoize.ts';
import { chosenAccountsOf, detailsOf, type Question } from './question.ts';

type MadeOperation = { spec: OperationSpec; details: OperationDetails };

/**
 * Makes the operations that an answered question asks for in one account. A question may be about thousands of
 * computers, whose requests take hours to send, so each operation is made only when it is needed.
 */
export type OperationMaker = {
	account: string;
	operation: OperationId;
	/** The id of the batch, which the operations of all accounts share; undefined for a single operation. */
	batch: string | undefined;
	/** How many operations the question asks for in the account. */
	count: number;
	/** Returns the computer of an operation; undefined for a create. */
	computerAt(index: number): string | undefined;
	/** Makes an operation, with the answers to the question and the command line of an own command. */
	make(index: number): MadeOperation;
};

/** Returns a maker for each account of an answered question. It makes the operations from the question alone. */
export function operationMakersFrom(
	question: Question,
	createId: () => string,
	/** The batch that the operations belong to; by default a new one if there are several. */
	sharedBatch?: string,
): readonly OperationMaker[] {
	const { operation, targets: all } = question;
	const details = detailsOf(question);
	const { port, name } = details;
	const isCreate = operationRowOf(operation).subject === 'account';
	const batch = sharedBatch ?? (all.length > 1 ? createId() : undefined);
	const accounts = chosenAccountsOf(question);
	return accounts.map(({ profile: { account }, version }) => {
		const maker = { account, operation, batch };
		if (isCreate)
			return {
				...maker,
				count: 1,
				computerAt: () => undefined,
				make: () => ({ spec: { key: createId(), operation, ...(name && { name }) }, details }),
			};
		const targets = accounts.length === 1 ? all : all.filter(target => target.account === account);
		const shared = {
			operation,
			...(port !== undefined && { port }),
			...(version !== undefined && { version }),
			...(batch !== undefined && { batch }),
		};
		return {
			...maker,
			count: targets.length,
			computerAt: index => targets[index]?.id,
			make(index) {
				const target = targets[index];
				if (!target) throw new RangeError(`The question has no target ${index}`);
				const { id, name: targetName, commandLine } = target;
				return {
					spec: {
						key: createId(),
						...shared,
						computer: id,
						...(targetName !== id && { name: targetName }),
					},
					details: commandLine ? { ...details, commandLine } : details,
				};
			},
		};
	});
}

/** Returns the fact that announces the operations of one account, if the question was about several computers. */
export function batchFacts(
	question: Question,
	{ account, batch, count: total }: Pick<OperationMaker, 'account' | 'batch' | 'count'>,
): readonly FactBody[] {
	if (batch === undefined || total === 0) return [];
	const { operation } = question;
	const { port } = detailsOf(question);
	const skipped = question.skipped
		.filter(each => each.account === account)
		.map(({ id, name, reason }) => ({ id, name, reason }));
	const shared = { batch, operation, total, skipped };
	return [{ type: 'batchAsked', ...shared, ...(port !== undefined && { port }) }];
}

/**
 * Creates ids that are unique across processes, because all processes write one journal. A batch needs thousands of
 * ids, so only the count is written for each: writing the time and a large number takes longer than the rest.
 */
export function createIdGenerator(clock: Clock, random: () => number): () => string {
	const processPart = memoize(() => Math.floor(random() * 2 ** 48).toString(36));
	const timePart = memoize((now: number) => now.toString(36));
	let count = 0;
	return () => {
		count += 1;
		return `${timePart(clock.now())}-${processPart()}-${count.toString(36)}`;
	};
}
