import { Readable, Writable } from 'node:stream';

/** Creates the stream from which Ink reads one key at a time. `createTty` sets the raw mode. */
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

/** Creates a stream that discards Ink's output, for the spoken monitor. */
export function createSilentStream(): NodeJS.WriteStream {
	const stream = new Writable({ write: (_, __, done) => done() });
	Object.assign(stream, { isTTY: true, columns: 80, rows: 24 });
	return stream as unknown as NodeJS.WriteStream;
}

/** Of error output with more characters than this, only the end is kept. */
const maxBufferedLength = 20_000;

/**
 * Creates a stream that replaces stderr. Text that is written while the screen is taken is kept, and printed
 * when the screen has been given back.
 */
export function createErrorStream(target: NodeJS.WriteStream, isScreenTaken: () => boolean) {
	let kept = '';
	const stream = new Writable({
		decodeStrings: false,
		write(written: string, _, done) {
			if (isScreenTaken() && target.isTTY)
				kept = (kept + String(written)).slice(-maxBufferedLength);
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
