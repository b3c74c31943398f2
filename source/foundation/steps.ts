/**
 * Work that is done in steps, so that other work can run between two steps. A step that ends with a promise is over when
 * the promise is resolved, unless all steps are done at once.
 */
export type Steps<Result> = Generator<Promise<void> | void, Result, void>;

/** Does all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}

/** Does each step in a turn of its own of the event loop. */
export async function finishInTurns<Result>(
	steps: Steps<Result>,
	nextTurn: () => Promise<void>,
): Promise<Result> {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
		await (step.value ?? nextTurn());
	}
}

/** A result that may be computed in steps before it is needed. */
type PreparedResult<Args extends readonly unknown[], Result> = {
	/** Does each step in a turn of its own, and keeps the result. */
	prepare(nextTurn: () => Promise<void>, ...args: Args): Promise<void>;
	/** Returns the kept result if it is that of the same arguments. Otherwise does all steps at once. */
	resultOf(...args: Args): Result;
};

export function createPreparedResult<Args extends readonly unknown[], Result>(
	stepsOf: (...args: Args) => Steps<Result>,
): PreparedResult<Args, Result> {
	let kept: { args: Args; result: Result } | undefined;
	return {
		async prepare(nextTurn, ...args) {
			kept = { args, result: await finishInTurns(stepsOf(...args), nextTurn) };
		},
		resultOf(...args) {
			const known = kept;
			kept = undefined;
			const isSame = known?.args.every((arg, place) => arg === args[place]);
			return known && isSame ? known.result : finish(stepsOf(...args));
		},
	};
}
