import type { Clock } from '../foundation/clock.ts';
import { cleanLine } from '../platform/decoding/clean.ts';

/** The most characters of a command's output that are kept. The oldest lines are dropped first. */
const maxKeptLength = 1_000_000;
const maxKeptLines = 20_000;
/** A line is cut after this many characters, so that a line without an end does not fill the memory. */
const maxLineLength = 4_000;

const intervalMs = 100;

export type OutputLines = { lines: readonly string[]; droppedLines: number };

/**
 * Turns the output of a command into lines that are safe to draw. However fast the command writes, `onLines` is called
 * at most ten times a second.
 */
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
		let surplus = Math.max(0, lines.length - maxKeptLines);
		const dropped = lines.slice(0, surplus);
		length -= dropped.reduce((sum, line) => sum + line.length, 0);
		for (; length > maxKeptLength; surplus += 1) length -= lines[surplus]?.length ?? 0;
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
			// Only the beginning of a very long line is kept, because the rest would be cut later.
			unfinished[source] =
				rest.length > 2 * maxLineLength ? rest.slice(0, 2 * maxLineLength) : rest;
			if (lines.length > 2 * maxKeptLines || length > 2 * maxKeptLength) dropOldest();
			cancelTimer ??= clock.after(intervalMs, report);
		},
		/** Reports the last, unfinished lines as well. */
		close() {
			for (const source of ['stdout', 'stderr'] as const) {
				if (unfinished[source] !== '') append(unfinished[source]);
				unfinished[source] = '';
			}
			report();
		},
	};
}

/** Returns what a terminal would show of a line, without anything that controls the terminal. */
function drawableLine(raw: string): string {
	// A carriage return goes back to the beginning, as a progress bar does.
	const visible = raw.replace(/\r+$/, '').split('\r').at(-1) ?? '';
	return cleanLine(visible.slice(0, maxLineLength).replaceAll('\t', '    ')).trimEnd();
}
