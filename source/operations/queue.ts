/** What waits in a queue. */
export type Waiting = { spec: { batch?: string }; isOver: boolean };

/** Lets a few operations at a time be sent, in their order. */
export type Queue<T extends Waiting> = {
	/**
	 * Resolves when it is this operation's turn, with a function that ends the turn. A single operation goes before batches,
	 * and what comes back goes before all. What is over by then has no turn.
	 */
	turn(operation: T, place: 'back' | 'in order'): Promise<() => void>;
	/** Gives as many turns as there may be now. */
	advance(): void;
	/** How many operations are sent before this one; -1 if it is not in the queue. */
	positionOf(operation: T): number;
	waiting(): readonly T[];
};

export function createQueue<T extends Waiting>(
	maxTurns: number,
	mayBegin: (operation: T) => boolean,
): Queue<T> {
	let waiting: { operation: T; begin: () => void }[] = [];
	let turns = 0;

	function endTurn() {
		turns -= 1;
		advance();
	}

	function advance() {
		waiting = waiting.filter(({ operation }) => !operation.isOver);
		while (turns < maxTurns) {
			const next = waiting.find(({ operation }) => mayBegin(operation));
			if (!next) return;
			waiting = waiting.filter(each => each !== next);
			turns += 1;
			next.begin();
		}
	}

	return {
		turn(operation, place) {
			return new Promise(resolve => {
				const entry = { operation, begin: () => resolve(endTurn) };
				const firstOfBatch = waiting.findIndex(each => each.operation.spec.batch !== undefined);
				const isLast = operation.spec.batch !== undefined || firstOfBatch < 0;
				const at = place === 'back' ? 0 : isLast ? waiting.length : firstOfBatch;
				waiting.splice(at, 0, entry);
				advance();
			});
		},
		advance,
		positionOf: operation => waiting.findIndex(each => each.operation === operation),
		waiting: () => waiting.map(({ operation }) => operation),
	};
}
