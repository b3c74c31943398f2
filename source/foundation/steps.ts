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
