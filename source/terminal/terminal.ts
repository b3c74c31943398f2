import { createStore } from 'zustand/vanilla';
import { type Activity, createActivity } from '../foundation/activity.ts';
import type { Clock } from '../foundation/clock.ts';
import { createListeners } from '../foundation/listeners.ts';
import {
	environmentFrom,
	initialStateFrom,
	type TerminalPreferences,
} from './features/environment.ts';
import { createTerminalFeatures } from './features/escape-sequences.ts';
import {
	disableModesSequence,
	enableModesSequence,
	leftoverResets,
	modeChangeSequence,
	modesFor,
} from './features/modes.ts';
import { createPendingReplies, createTerminalQuerying } from './features/queries.ts';
import { createSlownessDetector, type TerminalState } from './features/terminal-state.ts';
import { createInput, type MouseInput } from './input/input.ts';
import { createPainter } from './output/painter.ts';
import { createTerminalScreen } from './output/screen.ts';
import { createIdleMarks, type IdleMarker } from './process/idle-marks.ts';
import {
	createJobControl,
	createSuspendEvents,
	type LentWork,
	type SuspendEvents,
} from './process/job-control.ts';
import { createShutdown, type Ending, type Program, reportCrash } from './process/shutdown.ts';
import {
	createErrorStream,
	createInputEvents,
	createKeyGate,
	type TerminalInput,
} from './process/streams.ts';
import { createTty, writeSynchronously } from './process/tty.ts';

export type { Ending, Program };

type TerminalOptions = {
	program: Program;
	clock: Clock;
	activity?: Activity | undefined;
	/** A person must then hold a modifier key to select text. */
	hasMouse?: boolean;
	isLowBandwidth?: boolean;
	preferences?: TerminalPreferences;
	crashReportFolder: string;
	/** Without secrets. */
	programInfo: string;
	/** After the screen was given back. It may take one second. */
	beforeExit?: (ending: Ending) => void | Promise<void>;
	/** The last step before the process ends, which cannot wait for anything. */
	atExit?: () => void;
};

export type Terminal = SuspendEvents & {
	onInput(callback: (input: TerminalInput) => void): () => void;
	/** Pass the two streams to Ink, with `exitOnCtrlC` and `alternateScreen` set to false. */
	readonly stdout: NodeJS.WriteStream;
	readonly stderr: NodeJS.WriteStream;
	/** However the program ends, the screen is given back. */
	open(): void;
	/** After a bug, writes a crash report and prints its path. */
	end(ending: Ending): Promise<never>;
	suspend(): void;
	redraw(): void;
	whenFrameShown(callback: () => void): void;
	/** Whether the key that is being handled came in a read of its own. */
	isKeyAlone(): boolean;
	/** Whether an escape character has arrived that may be the Esc key or the start of a sequence. */
	isEscapePending(): boolean;
	setTitle(text: string): void;
	ringBell(): void;
	/** Rings the bell for terminals without notifications. */
	notify(text: string): void;
	/** Returns false if there is no clipboard or the text is too long for it. */
	copyToClipboard(text: string): boolean;
	reportMouse(isOn: boolean): void;
	state(): TerminalState;
	onStateChange(callback: () => void): () => void;
	onMouse(callback: (mouse: MouseInput) => void): () => void;
};

/** The output of the program that it is lent to stays on the normal screen. */
type LendableTerminal = Terminal & IdleMarker & { lend(work: LentWork): Promise<void> };

/**
 *    stdin ──► tty ──► idle marks ──► input ──┬─ keys ────► Ink
 *                                             └─ reports ─► queries ──► state
 *    stdout ◄────────── idle marks ◄── screen ◄──────────── Ink (painter)
 *
 * Job control (Ctrl-Z, lending) and shutdown (signals, bugs) take and give back the screen through `take` and `giveBack`.
 */
export function createTerminal(options: TerminalOptions): LendableTerminal {
	const { program, clock, preferences = {}, activity = createActivity() } = options;
	const environment = environmentFrom(program.env, preferences);
	const isModern = !environment.printsUnknownSequences && environment.multiplexer !== 'screen';
	let modes = modesFor(environment, options.hasMouse ?? false);
	const { suspended, resumed, events } = createSuspendEvents();
	const mouse = createListeners<MouseInput>();
	const isLowBandwidth = options.isLowBandwidth ?? false;
	const state = createStore(() => initialStateFrom(environment, isLowBandwidth));
	let size = { columns: 80, rows: 24 };

	const gate = createKeyGate(activity.wrapClock(clock));
	let isKeyAlone = true;

	const idle = createIdleMarks(activity, sequence => tty.write(sequence));
	const noteSlowness = createSlownessDetector(clock, isSlow =>
		state.setState({ isLowBandwidth: isSlow || isLowBandwidth }),
	);
	const screen = createTerminalScreen({
		painter: createPainter(() => ({
			hasColours: environment.colourBits > 0,
			hasLinks: isModern,
			lacksUnicode: !state.getState().hasUnicode,
		})),
		clock,
		size: () => size,
		send: idle.sending((text, taken) => program.stdout.write(text, () => taken())),
		isFrameRateLimited: () => state.getState().isLowBandwidth,
		onFrameRead(milliseconds) {
			noteSlowness(milliseconds);
			gate.open();
		},
	});
	const replies = createPendingReplies(clock);
	const queries = createTerminalQuerying({
		clock,
		environment,
		preferences,
		state,
		replies,
		write: sequence => tty.write(sequence),
		redraw: screen.redraw,
		onMouse: mouse.notify,
	});
	const inputs = createInputEvents();
	const receive = createInput({
		clock,
		activityClock: activity.wrapClock(clock),
		hasPasteMarks: isModern,
		onReport: queries.receive,
		onStall: isPasteUnfinished => state.setState({ isPasteUnfinished }),
		onKey(key, isAlone) {
			isKeyAlone = isAlone;
			passOn({ key });
		},
		onPaste: paste => passOn({ paste }),
	});
	const tty = createTty(program, idle.reading(receive));
	const signals = createTerminalFeatures(tty, environment, () => state.getState().name);
	const errors = createErrorStream(program.stderr, tty.isTaken);
	const shutdown = createShutdown({
		program,
		clock,
		giveBackTerminal: giveBack,
		beforeExit: options.beforeExit,
		atExit: options.atExit,
		ignoresInterrupts: () => job.ignoresInterrupts(),
		waitForReplies: replies.done,
	});
	const job = createJobControl({
		program,
		clock,
		giveBackTerminal: () => giveBack(undefined),
		retakeTerminal() {
			giveBack(undefined);
			take();
		},
		leftoverResets,
	});

	function passOn(input: TerminalInput) {
		// While the program ends, it reads only the last replies of the terminal and drops keys.
		if (!tty.isTaken() || !gate.lets(input)) return;
		screen.drawNow();
		inputs.notify(input);
	}

	function take() {
		const { columns, rows } = size;
		size = tty.size();
		tty.take(enableModesSequence([...modes, ...queries.modes()]) + signals.title());
		screen.setOpen(true);
		// Node may have reported this resize while another program had the terminal.
		if (size.columns !== columns || size.rows !== rows) screen.resize();
		resumed();
	}

	function giveBack(ending: Ending | undefined): boolean {
		const wasTaken = tty.isTaken();
		if (wasTaken) {
			suspended();
			screen.setOpen(false);
			const resets = disableModesSequence(queries.modes()) + disableModesSequence(modes);
			const isEnding = ending !== undefined && ending.kind !== 'terminalGone';
			tty.giveBack(resets, { isListening: isEnding && replies.arePending() });
		} else if (ending === undefined) {
			tty.stopReading();
		}
		if (ending?.kind === 'terminalGone') return wasTaken;
		const afterwards = errors.take() + (ending?.kind === 'bug' ? failure(ending.error) : '');
		if (afterwards !== '') writeSynchronously(program.stderr.fd, afterwards);
		return wasTaken;
	}

	function failure(error: unknown): string {
		const programInfo = `${options.programInfo}\n${environment.terminalName} ${size.columns}×${size.rows}`;
		return reportCrash({
			folder: options.crashReportFolder,
			crashedAt: clock.now(),
			programInfo,
			error,
		});
	}

	return {
		onInput: inputs.subscribe,
		stdout: screen.stream,
		stderr: errors.stream,
		open() {
			shutdown.install();
			job.install();
			program.stdout.on('resize', () => {
				if (!tty.isTaken()) return;
				size = tty.size();
				screen.resize();
			});
			take();
			queries.send();
		},
		end: shutdown.end,
		suspend: job.suspend,
		lend: work => job.lend(work, take),
		redraw: screen.redraw,
		whenFrameShown: screen.whenFrameShown,
		isKeyAlone: () => isKeyAlone,
		isEscapePending: receive.isEscapePending,
		setTitle: signals.setTitle,
		ringBell: signals.bell,
		notify: signals.notify,
		copyToClipboard: signals.copy,
		reportMouse(isOn) {
			const before = modes;
			modes = modesFor(environment, isOn);
			if (tty.isTaken()) tty.write(modeChangeSequence(before, modes));
		},
		state: state.getState,
		onStateChange: state.subscribe,
		onMouse: mouse.subscribe,
		markWhenIdle: idle.markWhenIdle,
		...events,
	};
}
