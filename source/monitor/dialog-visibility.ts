type DialogVisibilityOptions = {
	/** Returns a value that identifies the open dialog; undefined when no dialog is open. */
	currentDialog: () => unknown;
	/** Calls a function once the terminal has received a frame that shows the open dialog. */
	whenFrameShown: (call: () => void) => void;
	/** Called when a person can read the dialog. */
	onVisible: () => void;
};

/**
 * Tracks whether a person can see the open dialog. A dialog accepts keys only after the terminal has received
 * a frame with the dialog. On a slow connection that takes a while, and keys pressed meanwhile are not meant
 * as its answer.
 */
export function createDialogVisibility({
	currentDialog,
	whenFrameShown,
	onVisible,
}: DialogVisibilityOptions) {
	let visibleDialog: unknown;
	let frameCount = 0;

	return {
		isVisible: () => visibleDialog !== undefined && visibleDialog === currentDialog(),
		/** Must be called when a dialog is drawn, for the first time or after something had covered it. */
		onDrawn() {
			const dialog = currentDialog();
			frameCount += 1;
			const frame = frameCount;
			visibleDialog = undefined;
			whenFrameShown(() => {
				// The dialog has been drawn again since, so the callback of that later frame decides.
				if (frame !== frameCount) return;
				visibleDialog = dialog;
				onVisible();
			});
		},
	};
}
