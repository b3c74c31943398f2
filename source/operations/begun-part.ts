import { globalIdOf } from '../fleet/computers/global-id.ts';
import type { OperationSpec } from '../fleet/operations/operation.ts';
import type { OperationDetails } from '../fleet/operations/operation-row.ts';
import type { OperationMaker } from './operation-maker.ts';
import type { Question } from './question.ts';
import type { BegunOperations } from './refusal.ts';

/** An operation whose question was answered and whose request is not over yet. */
export type PendingOperation = {
	spec: OperationSpec;
	details: OperationDetails;
	/** Aborts the request; absent until it is about to be sent, because aborting thousands would take half a second. */
	controller?: AbortController;
	/** How often the rate limit has refused the request. */
	rateLimitRefusals: number;
};

/**
 * The operations that one question has begun in one account, in their order. Each is made when it is shown, sent or
 * cancelled, so that a batch of thousands begins at once:
 *
 * ```
 *   taken: made, each with a place of its own in the queue │ the rest: mostly not made yet, with one place together
 * ```
 */
export type BegunPart = {
	maker: OperationMaker;
	/** Makes all operations that are not made yet, and returns all. */
	all(): readonly PendingOperation[];
	/** Takes operations from the rest, at most this many. An operation that is no longer pending is left out. */
	take(maxCount: number): readonly PendingOperation[];
	taken(): readonly PendingOperation[];
	/** Makes the first operation, if it is not made yet, and returns it. */
	first(): PendingOperation;
	restCount(): number;
	/** Returns the place of an operation in the rest; -1 if it is not there. */
	placeInRest(item: PendingOperation): number;
	/** Returns the computers of the operations that are not made yet. */
	computersOfUnmade(): readonly string[];
	/** Drops the rest if none of it is pending any more. */
	dropCancelledRest(): void;
};

type BegunPartOptions = {
	/** Called with each operation when it is made. */
	onMade: (item: PendingOperation) => void;
	isPending: (item: PendingOperation) => boolean;
};

export function createBegunPart(
	maker: OperationMaker,
	{ onMade, isPending }: BegunPartOptions,
): BegunPart {
	const made: PendingOperation[] = [];
	let { count } = maker;
	let takenCount = 0;

	function operationAt(index: number): PendingOperation {
		const known = made[index];
		if (known) return known;
		const item = { ...maker.make(index), rateLimitRefusals: 0 };
		made[index] = item;
		onMade(item);
		return item;
	}

	const isUnmade = (index: number) => made[index] === undefined;

	return {
		maker,
		all: () => Array.from({ length: maker.count }, (_, index) => operationAt(index)),
		take(maxCount) {
			const items: PendingOperation[] = [];
			while (takenCount < count && items.length < maxCount) {
				const item = operationAt(takenCount);
				takenCount += 1;
				if (isPending(item)) items.push(item);
			}
			return items;
		},
		first: () => operationAt(0),
		taken: () => made.slice(0, takenCount),
		restCount: () => count - takenCount,
		placeInRest: item => Math.max(-1, made.indexOf(item, takenCount) - takenCount),
		computersOfUnmade() {
			const computers: string[] = [];
			for (let index = takenCount; index < count; index += 1)
				if (isUnmade(index)) computers.push(maker.computerAt(index) ?? '');
			return computers;
		},
		dropCancelledRest() {
			for (let index = takenCount; index < count; index += 1)
				if (isUnmade(index) || isPending(operationAt(index))) return;
			count = takenCount;
		},
	};
}

/** Returns the result of a question whose operations have begun. */
export const begunOperationsFrom = (
	parts: readonly BegunPart[],
	{ targets }: Pick<Question, 'targets'>,
): BegunOperations => ({
	type: 'begun',
	first: parts[0]?.first().spec,
	count: parts.reduce((sum, { maker }) => sum + maker.count, 0),
	specs: account =>
		parts
			.filter(({ maker }) => account === undefined || maker.account === account)
			.flatMap(part => part.all().map(({ spec }) => spec)),
	ids: targets.map(({ account, id }) => globalIdOf(account, id)),
});
