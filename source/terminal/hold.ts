import type { Program } from './life.ts';
import { writeNow } from './write-now.ts';

/** More than this in waiting, and the terminal takes nothing at all. */
const mostWaiting = 65_536;

export type Hold = {
	isTaken(): boolean;
	/** Puts the terminal into raw mode, sets what is to be set and begins to listen. */
	take(setting: string): void;
	/** The opposite, done when it returns. Nothing is written to a terminal that is gone. */
	giveBack(resetting: string, isGone: boolean): void;
	/** Writes a sequence that has nothing to do with what is drawn. */
	say(sequence: string): void;
	/** Asks for the size, which is not told to a program that was stopped. */
	size(): { columns: number; rows: number };
};

/** The one place where the terminal is taken and given back. */
export function createHold({ stdin, stdout }: Program, receive: (text: string) => void): Hold {
	let isTaken = false;

	return {
		isTaken: () => isTaken,
		take(setting) {
			isTaken = true;
			setBlocking(stdout, false);
			// Keys that come from here on are not echoed onto the screen.
			stdin.setRawMode(true);
			stdin.setEncoding('utf8');
			stdin.on('data', receive);
			stdin.resume();
			stdout.write(setting);
		},
		giveBack(resetting, isGone) {
			isTaken = false;
			stdin.off('data', receive);
			stdin.pause();
			if (isGone) return;
			// A sequence of which the terminal has taken only a part is ended first.
			writeNow(stdout.fd, (stdout.writableLength > 0 ? '\u001B\\' : '') + resetting);
			setBlocking(stdout, true);
			stdin.setRawMode(false);
		},
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
