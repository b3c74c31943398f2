import { writeSync } from 'node:fs';
import type { Program } from './shutdown.ts';
import { createConsoleBuffer, createWarningBuffer } from './streams.ts';

/** A terminal with more unwritten output than this has stopped reading, so sequences are dropped. */
const maxUnwrittenBytes = 65_536;

/** A terminal may claim any size. A larger screen than this would cost time and memory, and nobody could see it. */
const [maxColumns, maxRows] = [1_000, 500];

type Tty = {
	isTaken(): boolean;
	take(sequences: string): void;
	/** With `isListening` input is still read until `stopReading`, because replies of the terminal are expected. */
	giveBack(sequences: string, options?: { isListening?: boolean }): void;
	/** Later input goes to the shell. */
	stopReading(): void;
	write(sequence: string): void;
	/** A stopped program is not notified of a resize, so the system is asked. */
	size(): { columns: number; rows: number };
};

/** `endOfUnfinishedSequence` ends an escape sequence that the terminal has read only in part. */
export function createTty(
	program: Program,
	receive: (text: string) => void,
	endOfUnfinishedSequence = '\u001B\\',
): Tty {
	const { stdin, stdout, stderr } = program;
	const warnings = createWarningBuffer(program);
	const console = createConsoleBuffer(program.console, stderr.isTTY === true);
	let isTaken = false;
	let isReading = false;
	const decode = createUtf8Decoder();
	const read = (chunk: Uint8Array | string) => receive(decode(chunk));

	function stopReading() {
		if (!isReading) return;
		isReading = false;
		stdin.off('data', read);
		stdin.pause();
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
		giveBack(sequences, { isListening = false } = {}) {
			isTaken = false;
			writeSynchronously(
				stdout.fd,
				(stdout.writableLength > 0 ? endOfUnfinishedSequence : '') + sequences,
			);
			setBlocking(stdout, true);
			warnings.release();
			console.release();
			if (!isListening) stopReading();
		},
		stopReading,
		write(sequence) {
			if (isTaken && stdout.writableLength < maxUnwrittenBytes) stdout.write(sequence);
		},
		size() {
			const [columns, rows] = stdout.getWindowSize();
			return {
				columns: Math.min(columns || 80, maxColumns),
				rows: Math.min(rows || 24, maxRows),
			};
		},
	};
}

/** By default, a write to a terminal that does not read blocks all of Node. */
function setBlocking(stream: NodeJS.WriteStream, isBlocking: boolean) {
	const { _handle } = stream as { _handle?: { setBlocking?: (isBlocking: boolean) => void } };
	_handle?.setBlocking?.(isBlocking);
}

const maxWriteAttempts = 20;
const attemptPauseMs = 10;

/** For the moment before the process ends or stops. */
export function writeSynchronously(fileDescriptor: number, text: string) {
	let rest = Buffer.from(text, 'utf8');
	const sleeper = new Int32Array(new SharedArrayBuffer(4));
	for (let attempt = 0; attempt < maxWriteAttempts && rest.length > 0; attempt++) {
		try {
			rest = rest.subarray(writeSync(fileDescriptor, rest));
		} catch (error) {
			// Any other error means that the terminal is gone.
			if (!isTerminalBusy(error)) return;
			Atomics.wait(sleeper, 0, 0, attemptPauseMs);
		}
	}
}

const isTerminalBusy = (error: unknown) =>
	error instanceof Error && 'code' in error && error.code === 'EAGAIN';

const replacementCharacter = '\uFFFD';

/** The smallest code point that may take each number of further bytes. A smaller code point is malformed. */
const minCodePointsByLength = [0, 0x80, 0x800, 0x10000];

/**
 * Bytes 80 to 9F outside a character become control characters, as on terminals without UTF-8. Node's decoder would turn them
 * into U+FFFD, so that the rest of an 8-bit control sequence would be read as keys.
 */
export function createUtf8Decoder(): (bytes: Uint8Array | string) => string {
	let code = 0;
	let length = 0;
	let missing = 0;

	function begin(byte: number): string {
		if (byte < 0xa0) return String.fromCharCode(byte);
		if (byte < 0xc2 || byte > 0xf4) return replacementCharacter;
		length = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
		missing = length;
		code = byte & (0x3f >> length);
		return '';
	}

	function end(): string {
		const isSurrogate = code >= 0xd800 && code <= 0xdfff;
		const isRight =
			code >= (minCodePointsByLength[length] ?? 0) && code <= 0x10ffff && !isSurrogate;
		return isRight ? String.fromCodePoint(code) : replacementCharacter;
	}

	function next(byte: number): string {
		if (missing === 0) return begin(byte);
		if ((byte & 0xc0) !== 0x80) {
			missing = 0;
			return replacementCharacter + begin(byte);
		}
		code = (code << 6) | (byte & 0x3f);
		missing -= 1;
		return missing === 0 ? end() : '';
	}

	return bytes => {
		// The stream returns strings if another reader has set an encoding.
		if (typeof bytes === 'string') return bytes;
		let text = '';
		for (const byte of bytes) text += next(byte);
		return text;
	};
}
