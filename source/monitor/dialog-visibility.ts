import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../foundation/clock.ts';
import type { OpenDialog } from '../keys/open-dialog.ts';
import type { Screen } from '../screen/screen.ts';

type DialogVisibilityOptions = {
	screens: StoreApi<Screen>;
	openDialog: () => OpenDialog | undefined;
	/** Calls a function once the terminal has received a frame that shows the open dialog. */
	whenFrameShown: (call: () => void) => void;
	clock: Clock;
};

/**
 * Returns a function that must be called when a dialog is drawn, for the first time or after something had
 * covered it. It notes when a person can see the dialog. The dialog ignores keys until then: on a slow
 * connection it appears late, and keys that were pressed before are not meant as an answer.
 */
export function createDialogVisibility(options: DialogVisibilityOptions): () => void {
	const { screens, openDialog, whenFrameShown, clock } = options;
	let frameCount = 0;

	return () => {
		const id = openDialog()?.entry.id;
		frameCount += 1;
		const frame = frameCount;
		if (screens.getState().seenDialog?.id === id) screens.setState({ seenDialog: undefined });
		whenFrameShown(() => {
			// If the dialog has been drawn again since, the callback of that later frame decides.
			if (frame !== frameCount || id === undefined) return;
			screens.setState({ seenDialog: { id, visibleSince: clock.now() } });
		});
	};
}
