import type { Program } from './life.ts';
import { createDecoder } from './utf8-decoder.ts';
import { createWarnings } from './warnings.ts';
import { writeNow } from './write-now.ts';

/** More than this in waiting, and the terminal takes nothing at all. */
const mostWaiting = 65_536;

export type Hold = {
	isTaken(): boolean;
	/** Puts the terminal into raw mode, sets what is to be set and begins to listen. */
	take(setting: string): void;
	/**
	 * The opposite, done when it returns. Nothing is written to a terminal that is gone. Where answers
	 * of the terminal are on their way, what comes in is still read, until `letGo`.
	 */
	giveBack(resetting: string, more?: { isGone?: boolean; isListening?: boolean }): void;
	/** Whatever comes in from here on is for the shell. */
	letGo(): void;
	/** Writes a sequence that has nothing to do with what is drawn. */
	say(sequence: string): void;
	/** Asks for the size, which is not told to a program that was stopped. */
	size(): { columns: number; rows: number };
};

/**
 * The one place where the terminal is taken and given back. A sequence of which it has taken only a
 * part is ended with `cutOff` first.
 */
export function createHold(
	program: Program,
	receive: (text: string) => void,
	cutOff = '\u001B\\',
): Hold {
	const { stdin, stdout, stderr } = program;
	const warnings = createWarnings(program);
	let isTaken = false;
	let isListening = false;
	const decode = createDecoder();
	const read = (chunk: Uint8Array | string) => receive(decode(chunk));

	function stopListening() {
		isListening = false;
		stdin.off('data', read);
		stdin.pause();
	}

	function letGo() {
		if (!isListening) return;
		stopListening();
		stdin.setRawMode(false);
	}

	return {
		isTaken: () => isTaken,
		take(setting) {
			isTaken = true;
			isListening = true;
			if (stderr.isTTY) warnings.hold();
			setBlocking(stdout, false);
			// Keys that come from here on are not echoed onto the screen.
			stdin.setRawMode(true);
			stdin.on('data', read);
			stdin.resume();
			stdout.write(setting);
		},
		giveBack(resetting, { isGone = false, isListening: goesOn = false } = {}) {
			isTaken = false;
			if (isGone) return stopListening();
			writeNow(stdout.fd, (stdout.writableLength > 0 ? cutOff : '') + resetting);
			setBlocking(stdout, true);
			warnings.letGo();
			if (!goesOn) letGo();
		},
		letGo,
		say(sequence) {
			if (isTaken && stdout.writableLength < mostWaiting) stdout.write(sequence);
		},
		size() {
			const [columns, rows] = stdout.getWindowSize();
			return { columns: columns || 80, rows: rows || 24 };
		},
	};
}

/**
 * Node lets writes to a terminal wait until it has taken them, and all else with them. Without that,
 * a terminal that takes nothing holds up nothing but what is drawn.
 */
function setBlocking(stream: NodeJS.WriteStream, isBlocking: boolean) {
	const { _handle } = stream as { _handle?: { setBlocking?: (isBlocking: boolean) => void } };
	_handle?.setBlocking?.(isBlocking);
}
