import type { Clock } from '../foundation/clock.ts';
import { cleanLine } from '../platform/decoding/clean.ts';

/** The most characters of a command's output that are kept. The oldest lines are dropped first. */
const maxKeptLength = 1_000_000;
const maxKeptLines = 20_000;
/** A line is cut after this many characters, so that a line without an end does not fill the memory. */
const maxLineLength = 4_000;

const watchedIntervalMs = 100;
// Lines that are out of sight are reported as seldom as the screen's clock ticks, so that they cause no further
// frames.
const unwatchedIntervalMs = 1_000;

export type OutputLines = { lines: readonly string[]; droppedLines: number };

type CommandOutput = {
	add(text: string, source: 'stdout' | 'stderr'): void;
	/** Reports the last, unfinished lines as well. */
	close(): void;
};

/**
 * Turns the output of a command into lines that are safe to draw. However fast the command writes, `onLines` is called
 * at most ten times a second, and once a second while the lines are out of sight.
 */
export function createCommandOutput(
	clock: Clock,
	isWatched: () => boolean,
	onLines: (output: OutputLines) => void,
): CommandOutput {
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
		while (
			lines.length - surplus > maxKeptLines ||
			(length > maxKeptLength && surplus < lines.length)
		) {
			length -= lines[surplus]?.length ?? 0;
			surplus += 1;
		}
		if (surplus > 0) lines = lines.slice(surplus);
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
		add(text, source) {
			const parts = `${unfinished[source]}${text}`.split('\n');
			const rest = parts.pop() ?? '';
			for (const part of parts) append(part);
			// Only the beginning of a very long line is kept, because the rest would be cut later.
			unfinished[source] =
				rest.length > 2 * maxLineLength ? rest.slice(0, 2 * maxLineLength) : rest;
			if (lines.length > 2 * maxKeptLines || length > 2 * maxKeptLength) dropOldest();
			const interval = isWatched() ? watchedIntervalMs : unwatchedIntervalMs;
			cancelTimer ??= clock.after(interval, report);
		},
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
