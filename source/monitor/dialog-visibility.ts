type Options = {
	/** Identifies the dialog that is open; undefined when none is. */
	dialogNow: () => unknown;
	/** Calls back when the terminal has taken a frame that shows what is open now. */
	whenTaken: (call: () => void) => void;
	/** The dialog can be read from this moment on. */
	onVisible: () => void;
};

/**
 * A dialog accepts keys only after the terminal has taken a frame that shows it. On a slow line that is
 * long after the key that opened the dialog, and keys pressed until then are meant for something else.
 */
export function createDialogVisibility({ dialogNow, whenTaken, onVisible }: Options) {
	let visible: unknown;
	let frames = 0;

	return {
		isVisible: () => visible !== undefined && visible === dialogNow(),
		/** A dialog is drawn, for the first time or after something had covered it. */
		drawn() {
			const dialog = dialogNow();
			frames += 1;
			const frame = frames;
			visible = undefined;
			whenTaken(() => {
				// A later frame, after the dialog was covered once more, has a callback of its own.
				if (frame !== frames) return;
				visible = dialog;
				onVisible();
			});
		},
	};
}
