import { Console } from 'node:console';
import { writeSync } from 'node:fs';
import { Writable } from 'node:stream';

/** If error output has more characters than this, only its end is kept. */
const maxKeptLength = 20_000;

/**
 * Stands for stderr. Anything that is printed while the screen is taken, by us, a dependency or Node, would shift its rows,
 * so it is printed when the screen has been given back.
 */
export function createErrorStream(target: NodeJS.Process['stderr'], isScreenTaken: () => boolean) {
	let kept = '';
	const stream = new Writable({
		decodeStrings: false,
		write(written: string, _, done) {
			if (isScreenTaken() && target.isTTY) kept = (kept + String(written)).slice(-maxKeptLength);
			else target.write(written);
			done();
		},
	});

	return {
		stream: stream as unknown as NodeJS.WriteStream,
		/** Warnings of Node and the console print here from now on. */
		redirect(program: Pick<NodeJS.Process, 'on' | 'off' | 'listeners'> & { console?: Console }) {
			Object.assign(program.console ?? {}, new Console(stream, stream));
			// With --no-warnings, Node has no listener for warnings.
			const printers = program.listeners('warning') as ((warning: Error) => void)[];
			for (const print of printers) program.off('warning', print);
			if (printers.length > 0)
				program.on('warning', warning => stream.write(`${warning.stack ?? warning}\n`));
		},
		printKept() {
			if (kept !== '') writeSynchronously(target.fd, kept);
			kept = '';
		},
	};
}

/** By default, a write to a terminal that does not read blocks all of Node. */
export function setBlocking(stream: NodeJS.WriteStream, isBlocking: boolean) {
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
			if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
			Atomics.wait(sleeper, 0, 0, attemptPauseMs);
		}
	}
}

/** In a text of Latin-1, each byte is a character. These are characters of UTF-8, whole or cut off, and bytes that are none. */
const utf8Character =
	/[\xC2-\xDF][\x80-\xBF]?|[\xE0-\xEF][\x80-\xBF]{0,2}|[\xF0-\xF4][\x80-\xBF]{0,3}|[\xA0-\xFF]/g;
const utf8CutOff = /(?:[\xC2-\xDF]|[\xE0-\xEF][\x80-\xBF]?|[\xF0-\xF4][\x80-\xBF]{0,2})$/;

/**
 * Bytes 80 to 9F outside a character become control characters, as on terminals without UTF-8. Node's decoder would turn them
 * into U+FFFD, so that the rest of an 8-bit control sequence would be read as keys.
 */
export function createUtf8Decoder(): (bytes: Uint8Array | string) => string {
	let rest = '';
	return bytes => {
		// The stream returns strings if another reader has set an encoding.
		if (typeof bytes === 'string') return bytes;
		const text = rest + Buffer.from(bytes).toString('latin1');
		rest = utf8CutOff.exec(text)?.[0] ?? '';
		return text
			.slice(0, text.length - rest.length)
			.replace(utf8Character, piece => Buffer.from(piece, 'latin1').toString('utf8'));
	};
}
