type TerminalWithKeys = {
	/** Announces each key. */
	stdin: Pick<NodeJS.ReadStream, 'on'>;
	/** Calls the function once, as soon as the terminal shows the newest frame. */
	whenFrameShown(callback: () => void): void;
};

/**
 * Does some work after each key, as soon as the terminal shows the frame of the key, unless another key has been pressed.
 * So the work delays only a key that is pressed while it is being done.
 */
export function workAfterKeys(
	{ stdin, whenFrameShown }: TerminalWithKeys,
	nextTurn: () => Promise<void>,
	work: () => void,
) {
	let keys = 0;
	stdin.on('readable', async () => {
		keys += 1;
		const key = keys;
		// The frame of a key is drawn in the same turn.
		await nextTurn();
		whenFrameShown(() => {
			if (key === keys) work();
		});
	});
}
