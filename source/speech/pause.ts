import type { Clock } from '../fleet/clock.ts';
import type { Binding, Intent } from '../keys/binding.ts';
import { filterWords, paletteWords } from './answer-words.ts';
import type { SceneReader } from './setting-scene.ts';
import type { Speech } from './speech.ts';

type TypingFeedbackDeps = {
	clock: Clock;
	scenes: SceneReader;
	bindings: readonly Binding[];
	speech: Speech;
};

/** Longer than anybody takes from one letter to the next. */
const pauseTime = 800;

/** What was typed so far comes to, told when a person pauses in it. */
export function createTypingFeedback({ clock, scenes, bindings, speech }: TypingFeedbackDeps) {
	let callOff: (() => void) | undefined;

	function tell() {
		const scene = scenes.sceneNow();
		if (scene.screen.palette) speech.say([paletteWords(scene, bindings)]);
		else if (scene.screen.isFiltering) speech.say([filterWords(scene)]);
	}

	return {
		look({ type }: Intent) {
			callOff?.();
			if (type === 'type' || type === 'erase') callOff = clock.after(pauseTime, tell);
		},
		close() {
			callOff?.();
		},
	};
}
