import { writeSync } from 'node:fs';

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
