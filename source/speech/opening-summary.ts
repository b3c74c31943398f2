import type { Clock } from '../foundation/clock.ts';
import type { SceneReader } from './scene.ts';
import { summaryWords } from './summary-words.ts';

type OpeningSummaryDeps = {
	clock: Clock;
	scenes: SceneReader;
	/** Receives the lines of the summary. */
	onSummary: (lines: readonly string[]) => void;
};

/**
 * The time that the summary waits for the credits and the plan after the list of computers has been read,
 * in milliseconds.
 */
const creditsWaitMs = 2000;

/** Speaks one summary when the list of computers has been read, or when the first read fails. */
export function createOpeningSummary({ clock, scenes, onSummary }: OpeningSummaryDeps) {
	let cancelTimer: (() => void) | undefined;
	let isSpoken = false;

	function speak() {
		if (isSpoken) return;
		isSpoken = true;
		cancelTimer?.();
		const scene = scenes.sceneNow();
		const { signIn } = scene.account;
		const signInLines = signIn?.isSignedIn && signIn.email ? [`Signed in as ${signIn.email}.`] : [];
		onSummary([
			...signInLines,
			...summaryWords(scene),
			'Press the question mark for help, or q to quit.',
		]);
	}

	return {
		update() {
			if (isSpoken) return;
			const { reads, credits, subscription } = scenes.sceneNow().account;
			const { answer, failing } = reads.list ?? {};
			if (failing || (answer && credits && subscription !== undefined)) speak();
			else if (answer) cancelTimer ??= clock.after(creditsWaitMs, speak);
		},
		close() {
			isSpoken = true;
			cancelTimer?.();
		},
	};
}
