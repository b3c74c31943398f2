import type { Clock } from '../fleet/clock.ts';
import type { Scenes } from './setting-scene.ts';
import { summaryWords } from './summary-words.ts';

type Parts = {
	clock: Clock;
	scenes: Scenes;
	/** Gets the first summary; what changes from then on is news. */
	begin: (lines: readonly string[]) => void;
};

/** Credits and plan come soon after the fleet, and are waited for no longer than that. */
const patience = 2000;

/** Sees to it that the beginning is told once: when the fleet is known, or that it cannot be. */
export function createBeginning({ clock, scenes, begin }: Parts) {
	let callOff: (() => void) | undefined;
	let isTold = false;

	function tell() {
		if (isTold) return;
		isTold = true;
		callOff?.();
		const scene = scenes.now();
		const { signIn } = scene.account;
		const who = signIn?.isIn && signIn.email ? [`Signed in as ${signIn.email}.`] : [];
		begin([...who, ...summaryWords(scene), 'Press question mark for help, q to quit.']);
	}

	return {
		look() {
			if (isTold) return;
			const { reads, credits, subscription } = scenes.now().account;
			const { told, failing } = reads.list ?? {};
			if (failing || (told && credits && subscription !== undefined)) tell();
			else if (told) callOff ??= clock.after(patience, tell);
		},
		close() {
			isTold = true;
			callOff?.();
		},
	};
}
