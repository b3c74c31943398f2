import { Writable } from 'node:stream';
import type { Clock } from '../fleet/clock.ts';
import type { Frames } from './frames.ts';
import { fittedGrid, type Grid } from './grid.ts';
import type { Caret, Painter } from './painter.ts';

export type Size = { columns: number; rows: number };

export type ScreenOptions = {
	frames: Frames;
	painter: Painter;
	clock: Clock;
	size: () => Size;
	/** Calls back when the terminal has taken it all. */
	send: (text: string, taken: () => void) => void;
	/** At most one frame a second, but for what a key or a resize asks for. */
	isSparing: () => boolean;
	/** How long the terminal took to take a frame. */
	wasTaken?: (milliseconds: number) => void;
};

export type Screen = {
	/** What Ink writes to. */
	readonly stream: NodeJS.WriteStream;
	/** Takes up, or stops, drawing what Ink shows. */
	setOpen(isOpen: boolean): void;
	/** Draws everything again, because the terminal may show something else. */
	redraw(): void;
	resize(): void;
	/** A key was pressed: what follows is drawn at once. */
	hurry(): void;
	/** Calls back when the terminal has taken the newest frame, at once if it already has. */
	whenTaken(call: () => void): void;
};

const sparingInterval = 1000;
/** How long after a key or a resize what is drawn counts as its answer. */
const answerTime = 500;

/**
 * Ink writes frames to it, and it sends to the terminal what differs from what is shown there.
 * While the terminal has not taken the last, only the newest frame waits.
 */
export function createScreen(options: ScreenOptions): Screen {
	const { frames, painter, clock, size, send } = options;
	let wanted: Grid | undefined;
	let caret: Caret;
	/** The row on which Ink believes the cursor to be after a frame. */
	let bottom = 0;
	let isOpen = false;
	/** How often the screen was taken or given back. */
	let openings = 0;
	let isSending = false;
	let isDue = false;
	/** How many frames were sent, and how many of them the terminal has taken. */
	let sentFrames = 0;
	let takenFrames = 0;
	let waiting: { frame: number; call: () => void }[] = [];
	let lastSent = Number.NEGATIVE_INFINITY;
	/** When a key was pressed last, or the terminal resized. */
	let lastAct = Number.NEGATIVE_INFINITY;
	let cancelWait: (() => void) | undefined;

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

	function receive(written: string) {
		const grid = frames.gridIn(written);
		if (grid) wanted = grid;
		bottom = /frame \d+;(\n*)/.exec(written)?.[1]?.length ?? bottom;
		const next = caretIn(written, bottom);
		if (grid || next !== 'unchanged') caret = next === 'unchanged' ? undefined : next;
		if (grid || next !== 'unchanged') draw();
	}

	function draw() {
		isDue = true;
		if (!isOpen || isSending || !wanted || cancelWait) return;
		const wait = options.isSparing() ? timeToTurn() : 0;
		if (wait > 0) {
			cancelWait = clock.after(wait, () => {
				cancelWait = undefined;
				draw();
			});
			return;
		}
		isDue = false;
		const { columns, rows } = size();
		const text = painter.paint(fittedGrid(wanted, columns, rows), caret);
		sentFrames += 1;
		// The terminal shows this frame already.
		if (text === '') return taken(sentFrames);
		const frame = sentFrames;
		const sentAt = clock.now();
		const opening = openings;
		lastSent = sentAt;
		isSending = true;
		send(text, () => {
			isSending = false;
			// A frame that was on its way when the screen was given back says nothing of the terminal.
			if (opening === openings) options.wasTaken?.(clock.now() - sentAt);
			if (isDue) draw();
			taken(frame);
		});
	}

	function taken(frame: number) {
		takenFrames = Math.max(takenFrames, frame);
		const ready = waiting.filter(each => each.frame <= takenFrames);
		waiting = waiting.filter(each => each.frame > takenFrames);
		for (const { call } of ready) call();
	}

	/** Whatever lies ahead was before the clock was set back. */
	function timeToTurn(): number {
		const [sinceAct, sinceSent] = [clock.now() - lastAct, clock.now() - lastSent];
		const isAnswer = sinceAct >= 0 && sinceAct < answerTime;
		return isAnswer || sinceSent < 0 ? 0 : sparingInterval - sinceSent;
	}

	function stopWaiting() {
		cancelWait?.();
		cancelWait = undefined;
	}

	return {
		stream: stream as unknown as NodeJS.WriteStream,
		setOpen(open) {
			isOpen = open;
			openings += 1;
			stopWaiting();
			painter.forget();
			// Until then a person sees nothing at all.
			lastSent = Number.NEGATIVE_INFINITY;
			if (open) draw();
		},
		redraw() {
			painter.forget();
			stopWaiting();
			draw();
		},
		resize() {
			painter.forget();
			// Until then the terminal shows remains, while keys already count for the new layout.
			lastAct = clock.now();
			stream.emit('resize');
			stopWaiting();
			draw();
		},
		hurry() {
			lastAct = clock.now();
			stopWaiting();
			if (isDue) draw();
		},
		whenTaken(call) {
			waiting.push({ frame: isDue ? sentFrames + 1 : sentFrames, call });
			taken(takenFrames);
		},
	};
}

/**
 * Ink places the cursor after a frame by going up from the last line and to a column, and then shows
 * it; it hides it before it goes elsewhere.
 */
function caretIn(written: string, bottom: number): Caret | 'unchanged' {
	const place = /(?:\u001B\[(\d*)A)?\u001B\[(\d+)G\u001B\[\?25h$/.exec(written);
	if (place) return { x: Number(place[2]) - 1, y: bottom - Number(place[1] ?? 0) };
	return written.startsWith('\u001B[?25l') ? undefined : 'unchanged';
}
