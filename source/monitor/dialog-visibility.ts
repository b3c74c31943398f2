type DialogVisibilityOptions = {
	/** Identifies the dialog that is open; undefined when none is. */
	currentDialog: () => unknown;
	/** Calls back when the terminal has taken a frame that shows what is open now. */
	whenFrameTaken: (call: () => void) => void;
	/** The dialog can be read from this moment on. */
	onVisible: () => void;
};

/**
 * A dialog accepts keys only after the terminal has taken a frame that shows it. On a slow line that is
 * long after the key that opened the dialog, and keys pressed until then are meant for something else.
 */
export function createDialogVisibility({
	currentDialog,
	whenFrameTaken,
	onVisible,
}: DialogVisibilityOptions) {
	let visibleDialog: unknown;
	let frameCount = 0;

	return {
		isVisible: () => visibleDialog !== undefined && visibleDialog === currentDialog(),
		/** A dialog is drawn, for the first time or after something had covered it. */
		onDrawn() {
			const dialog = currentDialog();
			frameCount += 1;
			const frame = frameCount;
			visibleDialog = undefined;
			whenFrameTaken(() => {
				// A later frame, after the dialog was covered once more, has a callback of its own.
				if (frame !== frameCount) return;
				visibleDialog = dialog;
				onVisible();
			});
		},
	};
}
