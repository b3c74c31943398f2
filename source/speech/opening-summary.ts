import type { Clock } from '../fleet/clock.ts';
import type { SceneReader } from './scene.ts';
import { summaryWords } from './summary-words.ts';

type OpeningSummaryDeps = {
	clock: Clock;
	scenes: SceneReader;
	/** Gets the first summary; what changes from then on is news. */
	begin: (lines: readonly string[]) => void;
};

/** Credits and plan come soon after the fleet, and are waited for no longer than that. */
const creditsWait = 2000;

/** Sees to it that the beginning is told once: when the fleet is known, or that it cannot be. */
export function createOpeningSummary({ clock, scenes, begin }: OpeningSummaryDeps) {
	let callOff: (() => void) | undefined;
	let isTold = false;

	function tell() {
		if (isTold) return;
		isTold = true;
		callOff?.();
		const scene = scenes.sceneNow();
		const { signIn } = scene.account;
		const who = signIn?.isIn && signIn.email ? [`Signed in as ${signIn.email}.`] : [];
		begin([...who, ...summaryWords(scene), 'Press question mark for help, q to quit.']);
	}

	return {
		look() {
			if (isTold) return;
			const { reads, credits, subscription } = scenes.sceneNow().account;
			const { answer, failing } = reads.list ?? {};
			if (failing || (answer && credits && subscription !== undefined)) tell();
			else if (answer) callOff ??= clock.after(creditsWait, tell);
		},
		close() {
			isTold = true;
			callOff?.();
		},
	};
}
