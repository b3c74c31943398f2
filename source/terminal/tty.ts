import { writeSync } from 'node:fs';
import { createHeldConsole, createHeldWarnings } from './held-warnings.ts';
import type { Program } from './shutdown.ts';
import { createDecoder } from './utf8-decoder.ts';

/** More than this in waiting, and the terminal takes nothing at all. */
const maxUnwritten = 65_536;

export type Tty = {
	isTaken(): boolean;
	/** Puts the terminal into raw mode, sets what is to be set and begins to listen. */
	take(setting: string): void;
	/**
	 * The opposite, done when it returns. Nothing is written to a terminal that is gone. Where answers
	 * of the terminal are on their way, what comes in is still read, until `letGo`.
	 */
	giveBack(resetting: string, more?: { isGone?: boolean; isListening?: boolean }): void;
	/** Whatever comes in from here on is for the shell. */
	stopReading(): void;
	/** Writes a sequence that has nothing to do with what is drawn. */
	write(sequence: string): void;
	/** Asks for the size, which is not told to a program that was stopped. */
	size(): { columns: number; rows: number };
};

/**
 * The one place where the terminal is taken and given back. A sequence of which it has taken only a
 * part is ended with `cutOff` first.
 */
export function createTty(
	program: Program,
	receive: (text: string) => void,
	cutOff = '\u001B\\',
): Tty {
	const { stdin, stdout, stderr } = program;
	const warnings = createHeldWarnings(program);
	const console = createHeldConsole(program.console, stderr.isTTY === true);
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
			console.hold();
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
			warnings.release();
			console.release();
			if (!goesOn) letGo();
		},
		stopReading: letGo,
		write(sequence) {
			if (isTaken && stdout.writableLength < maxUnwritten) stdout.write(sequence);
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

/** How often and how long to wait for a terminal that takes nothing at the moment. */
const tries = 20;
const pause = 10;

/** Writes before the process ends or stops, when there is no later any more. */
export function writeNow(file: number, text: string) {
	let rest = Buffer.from(text, 'utf8');
	const sleeper = new Int32Array(new SharedArrayBuffer(4));
	for (let attempt = 0; attempt < tries && rest.length > 0; attempt++) {
		try {
			rest = rest.subarray(writeSync(file, rest));
		} catch (error) {
			// A terminal that is gone needs nothing.
			if (!isBusy(error)) return;
			Atomics.wait(sleeper, 0, 0, pause);
		}
	}
}

const isBusy = (error: unknown) =>
	error instanceof Error && 'code' in error && error.code === 'EAGAIN';
