import type { Clock } from '../foundation/clock.ts';
import { cleanLine } from '../platform/decoding/clean.ts';

/** The oldest lines are dropped first. */
const maxKeptLines = 20_000;
const maxKeptLength = 1_000_000;
const maxLineLength = 4_000;

const intervalMs = 100;

export type OutputLines = { lines: readonly string[]; droppedLines: number };

/** However fast the command writes, `onLines` is called at most ten times a second. */
export function createCommandOutput(clock: Clock, onLines: (output: OutputLines) => void) {
	let lines: string[] = [];
	let length = 0;
	let droppedLines = 0;
	const unfinished = { stdout: '', stderr: '' };
	let cancelTimer: (() => void) | undefined;

	function append(raw: string) {
		const line = drawableLine(raw);
		lines.push(line);
		length += line.length;
	}

	function dropOldest() {
		let surplus = 0;
		for (; lines.length - surplus > maxKeptLines || length > maxKeptLength; surplus += 1)
			length -= lines[surplus]?.length ?? 0;
		lines = lines.slice(surplus);
		droppedLines += surplus;
	}

	function report() {
		cancelTimer?.();
		cancelTimer = undefined;
		dropOldest();
		const rest = Object.values(unfinished).filter(text => text !== '');
		onLines({ lines: [...lines, ...rest.map(drawableLine)], droppedLines });
	}

	return {
		add(text: string, source: 'stdout' | 'stderr') {
			const parts = `${unfinished[source]}${text}`.split('\n');
			const rest = parts.pop() ?? '';
			for (const part of parts) append(part);
			// Only the beginning of a line is shown, and it may have no end.
			unfinished[source] = rest.slice(0, 2 * maxLineLength);
			if (lines.length > 2 * maxKeptLines || length > 2 * maxKeptLength) dropOldest();
			cancelTimer ??= clock.after(intervalMs, report);
		},
		close: report,
	};
}

/** Returns what a terminal would show of a line, without anything that controls the terminal. */
function drawableLine(raw: string): string {
	// A carriage return goes back to the beginning, as a progress bar does.
	const visible = raw.replace(/\r+$/, '').split('\r').at(-1) ?? '';
	return cleanLine(visible.slice(0, maxLineLength).replaceAll('\t', '    ')).trimEnd();
}
