import type { PasswordRequest } from '../accounts/password-request.ts';
import type { Operations } from '../operations/path.ts';
import { filterIn } from '../screen/screen.ts';
import { type DialogWords, dialogWords, typedLineOf } from './dialog-words.ts';
import type { SceneReader } from './setting-scene.ts';
import type { Speech } from './speech.ts';

type DialogSpeakerDeps = {
	scenes: SceneReader;
	desk: PasswordRequest | undefined;
	operations: Operations;
	speech: Speech;
	/** Called when the password prompt has been spoken. */
	onPasswordTold: () => void;
};

/** Tells a question when it opens, what changes in it afterwards, and keeps the line that is typed. */
export function createDialogSpeaker({
	scenes,
	desk,
	operations,
	speech,
	onPasswordTold,
}: DialogSpeakerDeps) {
	let told: DialogWords | undefined;
	let wantedBefore: ReturnType<PasswordRequest['prompt']>;

	function tell(dialog: DialogWords) {
		const prompt = dialog.prompt === undefined ? [] : [dialog.prompt];
		if (dialog.key !== told?.key) {
			speech.say([dialog.title, ...dialog.lines, ...prompt]);
			return;
		}
		const before = told.lines;
		speech.say(dialog.lines.filter(line => !before.includes(line)));
	}

	return {
		look() {
			const scene = scenes.sceneNow();
			const wanted = desk?.prompt();
			const dialog = dialogWords(scene, { wanted, leaving: operations.leaving });
			const line = typedLineOf(scene, wanted, filterIn(scene.screen));
			// The line that another question had ends before this one begins.
			if (dialog && dialog.key !== told?.key) speech.type(undefined);
			if (dialog) tell(dialog);
			const isNew = dialog?.key !== told?.key;
			told = dialog;
			speech.type(line);
			if (wanted && wanted !== wantedBefore) onPasswordTold();
			wantedBefore = wanted;
			if (isNew && dialog?.isAboutOperation) operations.shown();
		},
	};
}
