import { Readable, Writable } from 'node:stream';

/** The stream that Ink reads keys from, one at a time. Raw mode is set elsewhere, by the tty. */
export function createKeyStream(): NodeJS.ReadStream {
	const stream = new Readable({ objectMode: true, read() {} });
	const itself = () => stream;
	Object.assign(stream, {
		isTTY: true,
		setEncoding: itself,
		setRawMode: itself,
		ref: itself,
		unref: itself,
	});
	return stream as unknown as NodeJS.ReadStream;
}

/** Discards what Ink draws, for the spoken monitor. */
export function createSilentStream(): NodeJS.WriteStream {
	const stream = new Writable({ write: (_, __, done) => done() });
	Object.assign(stream, { isTTY: true, columns: 80, rows: 24 });
	return stream as unknown as NodeJS.WriteStream;
}

/** Only this much of the end of the error output is kept. */
const mostKept = 20_000;

/**
 * Takes the place of stderr. Text that is written while the screen is taken waits, and its end is shown
 * below the prompt afterwards.
 */
export function createErrorStream(target: NodeJS.WriteStream, isTaken: () => boolean) {
	let kept = '';
	const stream = new Writable({
		decodeStrings: false,
		write(written: string, _, done) {
			if (isTaken() && target.isTTY) kept = (kept + String(written)).slice(-mostKept);
			else target.write(written);
			done();
		},
	});

	return {
		stream: stream as unknown as NodeJS.WriteStream,
		take() {
			const text = kept;
			kept = '';
			return text;
		},
	};
}
