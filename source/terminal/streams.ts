import { Readable, Writable } from 'node:stream';

/** What Ink reads from: one key at a time. The raw mode is the terminal's own business. */
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

/** Takes whatever Ink draws where nothing is to be drawn. */
export function createSilentStream(): NodeJS.WriteStream {
	const stream = new Writable({ write: (_, __, done) => done() });
	Object.assign(stream, { isTTY: true, columns: 80, rows: 24 });
	return stream as unknown as NodeJS.WriteStream;
}

/** More than this of what was written while the screen was taken is not kept. */
const mostKept = 20_000;

/**
 * What takes the place of the errors' stream. While the screen is taken, what is written waits; then
 * the end of it is shown below the prompt.
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
