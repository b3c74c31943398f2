import { newChanges, type Timeline } from '../recording/timeline.ts';
import type { Host } from '../shell/host.ts';
import { cleanForTerminal } from '../terminal/say.ts';
import { newsLine } from './watch-line.ts';

/** What happened in a recording, a line a change, as fast as it is read. */
export async function printReplay({ program }: Host, reel: Timeline, from: number): Promise<void> {
	const { stdout } = program;
	const reader = new AbortController();
	// Nobody reads any more, as when `head` has seen enough.
	stdout.on('error', () => reader.abort());
	const first = reel.countAt(from - 1);
	let before = reel.after(first);
	for (let count = first + 1; count <= reel.length && !reader.signal.aborted; count += 1) {
		const state = reel.after(count);
		const lines = newChanges(before, state).map(newsLine).map(cleanForTerminal);
		const text = lines.map(line => `${line}\n`).join('');
		if (text !== '' && !stdout.write(text)) await roomIn(stdout, reader.signal);
		before = state;
	}
}

function roomIn(stdout: Host['program']['stdout'], signal: AbortSignal): Promise<void> {
	return new Promise(resolve => {
		stdout.once('drain', resolve);
		signal.addEventListener('abort', () => resolve(), { once: true });
		if (signal.aborted) resolve();
	});
}
