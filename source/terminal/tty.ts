import { writeSync } from 'node:fs';
import { createHeldConsole, createHeldWarnings } from './held-warnings.ts';
import type { Program } from './shutdown.ts';
import { createDecoder } from './utf8-decoder.ts';

/** With more than this unwritten, the terminal has stopped reading, and further sequences are dropped. */
const maxUnwritten = 65_536;

export type Tty = {
	isTaken(): boolean;
	/** Enters raw mode, writes the sequences that set modes, and begins to read. */
	take(sequences: string): void;
	/**
	 * Undoes `take`; done when it returns. Writes nothing to a terminal that is gone. With `isListening`
	 * input is still read until `stopReading`, because replies of the terminal are on their way.
	 */
	giveBack(sequences: string, more?: { isGone?: boolean; isListening?: boolean }): void;
	/** Leaves later input to the shell. */
	stopReading(): void;
	/** Writes a sequence that is no part of a frame. */
	write(sequence: string): void;
	/** Asks the system for the size: a program that was stopped is not notified of a new one. */
	size(): { columns: number; rows: number };
};

/**
 * The only place that takes over the terminal and restores it. `cutOff` ends an escape sequence that the
 * terminal has read only in part.
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
	let isReading = false;
	const decode = createDecoder();
	const read = (chunk: Uint8Array | string) => receive(decode(chunk));

	function pause() {
		isReading = false;
		stdin.off('data', read);
		stdin.pause();
	}

	function stopReading() {
		if (!isReading) return;
		pause();
		stdin.setRawMode(false);
	}

	return {
		isTaken: () => isTaken,
		take(sequences) {
			isTaken = true;
			isReading = true;
			if (stderr.isTTY) warnings.hold();
			console.hold();
			setBlocking(stdout, false);
			// Raw mode comes first, so that no key is echoed onto the screen.
			stdin.setRawMode(true);
			stdin.on('data', read);
			stdin.resume();
			stdout.write(sequences);
		},
		giveBack(sequences, { isGone = false, isListening = false } = {}) {
			isTaken = false;
			if (isGone) return pause();
			writeNow(stdout.fd, (stdout.writableLength > 0 ? cutOff : '') + sequences);
			setBlocking(stdout, true);
			warnings.release();
			console.release();
			if (!isListening) stopReading();
		},
		stopReading,
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
 * By default a write to a terminal blocks Node until the terminal has read it. Without blocking, a
 * terminal that does not read holds up only the drawing.
 */
function setBlocking(stream: NodeJS.WriteStream, isBlocking: boolean) {
	const { _handle } = stream as { _handle?: { setBlocking?: (isBlocking: boolean) => void } };
	_handle?.setBlocking?.(isBlocking);
}

/** How often, and after how many milliseconds, to try again while the terminal does not read. */
const writeAttempts = 20;
const attemptPause = 10;

/** Writes synchronously, for the moment before the process ends or stops. */
export function writeNow(file: number, text: string) {
	let rest = Buffer.from(text, 'utf8');
	const sleeper = new Int32Array(new SharedArrayBuffer(4));
	for (let attempt = 0; attempt < writeAttempts && rest.length > 0; attempt++) {
		try {
			rest = rest.subarray(writeSync(file, rest));
		} catch (error) {
			// Any other error means that the terminal is gone and needs nothing.
			if (!isBusy(error)) return;
			Atomics.wait(sleeper, 0, 0, attemptPause);
		}
	}
}

const isBusy = (error: unknown) =>
	error instanceof Error && 'code' in error && error.code === 'EAGAIN';
