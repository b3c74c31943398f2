import { EventEmitter } from 'node:events';
import { createStore } from 'zustand/vanilla';
import { minuteMs } from '../foundation/duration.ts';
import { createListeners } from '../foundation/listeners.ts';
import {
	environmentFrom,
	type TerminalPreferences,
	type TerminalState,
} from './features/environment.ts';
import {
	bell,
	canRestoreTitle,
	clipboardSequence,
	notificationSequence,
	titleSequence,
} from './features/escape-sequences.ts';
import {
	enterSequence,
	isExpectedWidth,
	leaveSequence,
	leftoverResets,
	mouseMode,
	terminalQueries,
	widthQuery,
} from './features/modes.ts';
import type { MouseInput, TerminalReport } from './input/reports.ts';
import { createPainter } from './output/painter.ts';
import { createTerminalScreen } from './output/screen.ts';
import { createTerminalLife, type LifeOptions } from './process/life.ts';

export type { Ending, Program } from './process/life.ts';

type TerminalOptions = LifeOptions & {
	/** A person must then hold a modifier key to select text. */
	hasMouse?: boolean;
	isLowBandwidth?: boolean;
	preferences?: TerminalPreferences;
};

export type Terminal = ReturnType<typeof createTerminal>;

/** Stands for stdin where Ink asks for it. Keys come from `onInput`. */
export const silentInput = new EventEmitter() as NodeJS.ReadStream;

/** After the state has changed to ASCII, the program draws its next frame within this time. */
const redrawDelayMs = 100;

const replyTimeoutMs = 3000;
const exitReplyTimeoutMs = 150;

/** A terminal that takes this long for a frame counts as slow, for a minute. */
const slowFrameMs = 500;
const slownessLastsMs = minuteMs;

/**
 *    stdin ──► input ──┬─ keys ────► views
 *                      └─ reports ─► state
 *    stdout ◄── screen ◄── painter ◄── Ink
 */
export function createTerminal(options: TerminalOptions) {
	const { program, clock, preferences = {} } = options;
	const { stdout } = program;
	const environment = environmentFrom(program.env, preferences);
	const { printsUnknownSequences, multiplexer, colourBits, background, hasUnicode } = environment;
	const isModern = !printsUnknownSequences && multiplexer !== 'screen';
	const asksWidth = hasUnicode && preferences.hasUnicode === undefined;
	const isLowBandwidth = options.isLowBandwidth ?? false;
	const mouse = createListeners<MouseInput>();
	const state = createStore<TerminalState>(() => ({
		isFocused: true,
		reportsFocus: false,
		isLowBandwidth,
		colourBits,
		background,
		hasUnicode,
	}));
	let { terminalName } = environment;
	let hasMouse = options.hasMouse ?? false;
	let title = '';
	let size = { columns: 80, rows: 24 };
	let awaitsRepliesUntil = -Infinity;
	let onReplied = () => {};
	let cancelSlowness = () => {};

	const life = createTerminalLife(options, {
		hasPasteMarks: isModern,
		leftoverResets,
		onTaken() {
			const { columns, rows } = size;
			size = life.size();
			const mouseOn = hasMouse && !printsUnknownSequences ? mouseMode(true) : '';
			const shownTitle = title === '' ? '' : titleSequence(title);
			stdout.write(enterSequence(environment) + mouseOn + shownTitle);
			screen.setOpen(true);
			// Node may have reported this resize while another program had the terminal.
			if (size.columns !== columns || size.rows !== rows) screen.resize();
		},
		onGivenBack() {
			screen.setOpen(false);
			// Ends an escape sequence that the terminal has read only in part.
			const end = stdout.writableLength > 0 ? '\u001B\\' : '';
			return end + leaveSequence(environment);
		},
		onReport,
		onStall: isPasteUnfinished => state.setState({ isPasteUnfinished }),
		beforeInput: () => screen.drawNow(),
		replies: {
			areAwaited: () => clock.monotonic() < awaitsRepliesUntil,
			haveCome: () =>
				new Promise(resolve => {
					onReplied = resolve;
					const isAwaited = clock.monotonic() < awaitsRepliesUntil;
					if (isAwaited) clock.after(exitReplyTimeoutMs, resolve);
					else resolve();
				}),
		},
	});
	const screen = createTerminalScreen({
		painter: createPainter(() => ({
			hasLinks: isModern,
			hasUnicode: state.getState().hasUnicode,
		})),
		clock,
		size: () => size,
		send: life.sendFrame,
		isFrameRateLimited: () => state.getState().isLowBandwidth,
		onFrameRead(milliseconds) {
			life.onShown();
			if (milliseconds >= slowFrameMs) noteSlowness();
		},
	});

	function noteSlowness() {
		cancelSlowness();
		state.setState({ isLowBandwidth: true });
		cancelSlowness = clock.after(slownessLastsMs, () => state.setState({ isLowBandwidth }));
	}

	function onReport(report: TerminalReport) {
		switch (report.kind) {
			case 'focus':
				return state.setState({ isFocused: report.isFocused, reportsFocus: true });
			case 'name':
				terminalName = report.name;
				return;
			case 'background':
				return state.setState({ background: preferences.background ?? report.background });
			case 'mouse':
				return mouse.notify(report.mouse);
			case 'attributes':
				awaitsRepliesUntil = -Infinity;
				return onReplied();
			case 'cursor':
				if (!asksWidth || isExpectedWidth(report.x)) return;
				state.setState({ hasUnicode: false });
				// Glyphs of an unexpected width have shifted the cells after them, so every cell is drawn again.
				clock.after(redrawDelayMs, screen.redraw);
		}
	}

	return {
		...life,
		/** Pass the two streams to Ink, with `exitOnCtrlC` and `alternateScreen` set to false. */
		stdout: screen.stream,
		stderr: life.stderr,
		open() {
			stdout.on('resize', () => {
				if (!life.isTaken()) return;
				size = life.size();
				screen.resize();
			});
			life.open();
			// The Linux console would print the queries.
			if (printsUnknownSequences) return;
			awaitsRepliesUntil = clock.monotonic() + replyTimeoutMs;
			life.write((asksWidth ? widthQuery : '') + terminalQueries);
		},
		redraw: screen.redraw,
		whenFrameShown: screen.whenFrameShown,
		setTitle(text: string) {
			if (!canRestoreTitle(environment) || text === title) return;
			title = text;
			life.write(titleSequence(text));
		},
		ringBell: () => life.write(bell),
		/** Rings the bell for terminals without notifications. */
		notify: (text: string) => life.write(notificationSequence(text, terminalName, environment)),
		/** Returns false if there is no clipboard or the text is too long for it. */
		copyToClipboard(text: string): boolean {
			const sequence = clipboardSequence(text, environment);
			life.write(sequence);
			return sequence !== '';
		},
		reportMouse(isOn: boolean) {
			hasMouse = isOn;
			if (!printsUnknownSequences) life.write(mouseMode(isOn));
		},
		state: state.getState,
		onStateChange: (callback: () => void) => state.subscribe(callback),
		onMouse: mouse.subscribe,
	};
}
