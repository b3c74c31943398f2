import { Writable } from 'node:stream';
import type { Clock } from '../../foundation/clock.ts';
import { type Grid, resizedGrid } from './cells.ts';
import { frameWrittenAs } from './ink-output.ts';
import type { Painter } from './painter.ts';

type TerminalScreenOptions = {
	painter: Painter;
	clock: Clock;
	size: () => { columns: number; rows: number };
	send: (text: string, onTaken: () => void) => void;
	/** Draws at most one frame a second, except right after a key or a resize. */
	isFrameRateLimited: () => boolean;
	onFrameRead: (milliseconds: number) => void;
};

const slowLineFrameIntervalMs = 1000;
/** A frame within this time after a key or a resize is taken for the response to it, and is never delayed. */
const responseWindowMs = 500;

/**
 * While the terminal still reads a frame, only the newest frame waits:
 *
 *    frame ──► due ──► sending ──taken──► idle
 *               ▲         │
 *               └─ newer ─┘        on a slow line `due` lasts up to a second
 */
export function createTerminalScreen(options: TerminalScreenOptions) {
	const { painter, clock, size, send } = options;
	let wanted: Grid | undefined;
	let isOpen = false;
	let isSending = false;
	let isDue = false;
	let opening = 0;
	let cancelWait: (() => void) | undefined;
	let lastFrameAt = -Infinity;
	let lastActionAt = -Infinity;
	let waitingForDue: (() => void)[] = [];
	let waitingForSent: (() => void)[] = [];

	const stream = new Writable({
		decodeStrings: false,
		write(written: string, _, done) {
			const grid = frameWrittenAs(String(written));
			if (grid) {
				wanted = grid;
				draw();
			}
			done();
		},
	});
	Object.defineProperties(stream, {
		isTTY: { value: true },
		columns: { get: () => size().columns },
		rows: { get: () => size().rows },
	});

	function draw() {
		isDue = true;
		if (!isOpen || isSending || !wanted || cancelWait) return;
		const wait = frameWaitMs();
		if (wait > 0) {
			cancelWait = clock.after(wait, () => {
				cancelWait = undefined;
				draw();
			});
			return;
		}
		isDue = false;
		const { columns, rows } = size();
		const text = painter.paint(resizedGrid(wanted, columns, rows));
		waitingForSent = waitingForDue;
		waitingForDue = [];
		if (text === '') return tellTaken();
		const [sentAt, openingThen] = [clock.monotonic(), opening];
		lastFrameAt = sentAt;
		isSending = true;
		send(text, () => {
			isSending = false;
			// If the screen was closed in the meantime, the measured time does not show the speed of the terminal.
			if (openingThen === opening) options.onFrameRead(clock.monotonic() - sentAt);
			tellTaken();
			if (isDue) draw();
		});
	}

	function frameWaitMs(): number {
		const now = clock.monotonic();
		const isAnswer = now - lastActionAt < responseWindowMs;
		if (isAnswer || !options.isFrameRateLimited()) return 0;
		return lastFrameAt + slowLineFrameIntervalMs - now;
	}

	function tellTaken() {
		const calls = waitingForSent;
		waitingForSent = [];
		for (const call of calls) call();
	}

	function drawSoon() {
		lastActionAt = clock.monotonic();
		cancelWait?.();
		cancelWait = undefined;
	}

	function redraw() {
		painter.forgetShownGrid();
		drawSoon();
		draw();
	}

	return {
		stream: stream as unknown as NodeJS.WriteStream,
		setOpen(open: boolean) {
			isOpen = open;
			opening += 1;
			redraw();
		},
		redraw,
		resize() {
			painter.forgetShownGrid();
			drawSoon();
			stream.emit('resize');
			draw();
		},
		drawNow() {
			drawSoon();
			if (isDue) draw();
		},
		whenFrameShown(call: () => void) {
			if (isDue) waitingForDue.push(call);
			else if (isSending) waitingForSent.push(call);
			else call();
		},
	};
}
