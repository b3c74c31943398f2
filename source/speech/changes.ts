import type { PasswordRequest } from '../accounts/password-request.ts';
import type { Clock } from '../fleet/clock.ts';
import type { Operations } from '../operations/operations.ts';
import { createDialogSpeaker } from './dialogs.ts';
import { createSpokenNews } from './news.ts';
import { createOpeningSummary } from './opening-summary.ts';
import type { SceneReader } from './scene.ts';
import type { Speech } from './speech.ts';
import { pageWords } from './view-words.ts';

type ChangeSpeakerDeps = {
	scenes: SceneReader;
	operations: Operations;
	passwordRequest: PasswordRequest | undefined;
	speech: Speech;
	clock: Clock;
	/** Called when the password prompt has been spoken. */
	onPasswordPromptSpoken: () => void;
};

export type ChangeSpeaker = ReturnType<typeof createChangeSpeaker>;

/**
 * Speaks what changes without a key:
 *
 *     the fleet was read    the opening summary once, then the models if their view waits for them
 *     anything changed      the lock, then dialogs, then news since the opening summary
 */
export function createChangeSpeaker(deps: ChangeSpeakerDeps) {
	const { scenes, operations, speech, clock } = deps;
	let news: ReturnType<typeof createSpokenNews> | undefined;
	const opening = createOpeningSummary({
		clock,
		scenes,
		onSummary(lines) {
			speech.say(lines);
			news = createSpokenNews({ clock, momentNow: scenes.momentNow, say: speech.say });
		},
	});
	const models = createModelsSpeaker(scenes, speech);
	const lock = createLockSpeaker(operations, speech);
	const dialogs = createDialogSpeaker(deps);

	return {
		/** Speaks the opening summary and the models once they have been read. */
		onFleetChange() {
			opening.update();
			models.update();
		},
		/** Speaks whatever has changed since the last call. */
		update() {
			lock.update();
			dialogs.update();
			news?.update();
		},
		updateDialogs: dialogs.update,
		/** Runs the work of a key. A lock is not announced meanwhile, because the notice of the key says so. */
		withoutLockNews: lock.runMuted,
		close() {
			opening.close();
			news?.close();
		},
	};
}

/** Speaks the models when they arrive, which is after their view was opened. */
function createModelsSpeaker(scenes: SceneReader, speech: Speech) {
	let hadModels = false;

	return {
		update() {
			const scene = scenes.sceneNow();
			const hasModels = scene.account.models !== undefined;
			const isOpen = scene.screen.view === 'models';
			if (hasModels && !hadModels && isOpen) speech.say(pageWords(scene));
			hadModels = hasModels;
		},
	};
}

function createLockSpeaker(operations: Operations, speech: Speech) {
	let wasLocked = false;
	let isMuted = false;

	return {
		update() {
			const { isLocked } = operations.state();
			if (isLocked === wasLocked) return;
			wasLocked = isLocked;
			if (!isLocked) speech.say(['Unlocked.']);
			else if (!isMuted) speech.say(['Locked: still watching, nothing can be changed.']);
		},
		runMuted(work: () => void) {
			isMuted = true;
			work();
			isMuted = false;
		},
	};
}
