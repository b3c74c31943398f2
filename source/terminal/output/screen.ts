import { Writable } from 'node:stream';
import type { Clock } from '../../foundation/clock.ts';
import { type Grid, resizedGrid } from './cells.ts';
import { frameWrittenAs } from './ink-output.ts';
import type { Painter } from './painter.ts';

type TerminalSize = { columns: number; rows: number };

type TerminalScreenOptions = {
	painter: Painter;
	clock: Clock;
	size: () => TerminalSize;
	send: (text: string, onTaken: () => void) => void;
	/** Draws at most one frame a second, except right after a key or a resize. */
	isFrameRateLimited: () => boolean;
	onFrameRead?: (milliseconds: number) => void;
};

export type TerminalScreen = {
	readonly stream: NodeJS.WriteStream;
	setOpen(isOpen: boolean): void;
	/** Draws every cell again, because the terminal may show something else. */
	redraw(): void;
	resize(): void;
	drawNow(): void;
	whenFrameShown(callback: () => void): void;
};

/**
 * While the terminal still reads a frame, only the newest frame waits:
 *
 *    frame ──► due ──► sending ──taken──► idle
 *               ▲         │
 *               └─ newer ─┘        on a slow line `due` lasts up to a second
 */
export function createTerminalScreen(options: TerminalScreenOptions): TerminalScreen {
	const { painter, clock, size, send } = options;
	const pace = createFramePace(clock, options.isFrameRateLimited);
	const counter = createFrameCounter();
	let wanted: Grid | undefined;
	let isOpen = false;
	let openings = 0;
	let isSending = false;
	let isDue = false;
	let cancelWait: (() => void) | undefined;
	const stream = createFrameStream(size, receive);

	function receive(written: string) {
		const grid = frameWrittenAs(written);
		if (!grid) return;
		wanted = grid;
		draw();
	}

	function draw() {
		isDue = true;
		if (!isOpen || isSending || !wanted || cancelWait) return;
		const wait = pace.wait();
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
		const frame = counter.next();
		if (text === '') return counter.taken(frame);
		const sentAt = clock.now();
		const opening = openings;
		pace.noteFrame();
		isSending = true;
		send(text, () => {
			isSending = false;
			// If the screen was closed in the meantime, the measured time does not show the speed of the terminal.
			if (opening === openings) options.onFrameRead?.(clock.now() - sentAt);
			if (isDue) draw();
			counter.taken(frame);
		});
	}

	function stopWaiting() {
		cancelWait?.();
		cancelWait = undefined;
	}

	return {
		stream,
		setOpen(open) {
			isOpen = open;
			openings += 1;
			stopWaiting();
			painter.forgetShownGrid();
			// The first frame never waits, because the screen is empty until it is drawn.
			pace.forgetFrame();
			if (open) draw();
		},
		redraw() {
			painter.forgetShownGrid();
			stopWaiting();
			draw();
		},
		resize() {
			painter.forgetShownGrid();
			// The terminal shows remains of the old layout.
			pace.noteAction();
			stream.emit('resize');
			stopWaiting();
			draw();
		},
		drawNow() {
			pace.noteAction();
			stopWaiting();
			if (isDue) draw();
		},
		whenFrameShown: call => counter.whenTaken(isDue, call),
	};
}

function createFrameStream(size: () => TerminalSize, receive: (inkOutput: string) => void) {
	const stream = new Writable({
		decodeStrings: false,
		write(written: string, _, done) {
			receive(String(written));
			done();
		},
	});
	Object.defineProperties(stream, {
		isTTY: { value: true },
		columns: { get: () => size().columns },
		rows: { get: () => size().rows },
	});
	return stream as unknown as NodeJS.WriteStream;
}

const slowLineFrameIntervalMs = 1000;
/** A frame within this time after a key or a resize is taken for the response to it, and is never delayed. */
const responseWindowMs = 500;

function createFramePace(clock: Clock, isFrameRateLimited: () => boolean) {
	let lastFrame = Number.NEGATIVE_INFINITY;
	let lastAction = Number.NEGATIVE_INFINITY;

	return {
		noteFrame() {
			lastFrame = clock.now();
		},
		forgetFrame() {
			lastFrame = Number.NEGATIVE_INFINITY;
		},
		noteAction() {
			lastAction = clock.now();
		},
		wait(): number {
			if (!isFrameRateLimited()) return 0;
			// If the time since the last frame is negative, the clock was set back.
			const [sinceAction, sinceFrame] = [clock.now() - lastAction, clock.now() - lastFrame];
			const isAnswer = sinceAction >= 0 && sinceAction < responseWindowMs;
			return isAnswer || sinceFrame < 0 ? 0 : slowLineFrameIntervalMs - sinceFrame;
		},
	};
}

function createFrameCounter() {
	let sent = 0;
	let lastTaken = 0;
	let waiting: { frame: number; callback: () => void }[] = [];

	function taken(frame: number) {
		lastTaken = Math.max(lastTaken, frame);
		const ready = waiting.filter(({ frame }) => frame <= lastTaken);
		waiting = waiting.filter(({ frame }) => frame > lastTaken);
		for (const { callback: call } of ready) call();
	}

	return {
		next() {
			sent += 1;
			return sent;
		},
		taken,
		whenTaken(isNextDue: boolean, call: () => void) {
			waiting.push({ frame: isNextDue ? sent + 1 : sent, callback: call });
			taken(lastTaken);
		},
	};
}
