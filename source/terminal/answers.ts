import type { Clock } from '../fleet/clock.ts';

/** How long answers of the terminal may take. */
const answerTime = 3000;

/** … and how long the end waits for them, lest they are typed into the shell. */
const lastAnswerTime = 150;

/** Whether answers to what the terminal was asked are on their way. */
export function createAnswers(clock: Clock) {
	let awaitingUntil = Number.NEGATIVE_INFINITY;
	let onEnd = () => {};
	const isAwaiting = () => clock.now() < awaitingUntil;

	return {
		isAwaiting,
		/** The terminal was asked. */
		begin() {
			awaitingUntil = clock.now() + answerTime;
		},
		/** The last one came. */
		end() {
			awaitingUntil = Number.NEGATIVE_INFINITY;
			onEnd();
		},
		/** Resolves at once when nothing is awaited, and soon in any case. */
		over(): Promise<void> {
			if (!isAwaiting()) return Promise.resolve();
			return new Promise(resolve => {
				onEnd = resolve;
				clock.after(lastAnswerTime, resolve);
			});
		},
	};
}
