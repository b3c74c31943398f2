/** Work that is done in steps, so that other work can run between two steps. */
export type Steps<Result> = Generator<void, Result, void>;

/** Does all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
	}
}

/** Does each step in a turn of its own of the event loop. */
export async function finishInTurns<Result>(
	steps: Steps<Result>,
	nextTurn: () => Promise<void>,
): Promise<Result> {
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
		await nextTurn();
	}
}
