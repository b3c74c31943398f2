import { Console } from 'node:console';
import { writeSync } from 'node:fs';
import { Writable } from 'node:stream';

const maxKeptLength = 20_000;

/** Stands for stderr: what Node, a dependency or we print while the screen is taken would shift its rows. */
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
