import { type Activity, createActivity } from '../fleet/activity.ts';
import type { Clock } from '../fleet/clock.ts';
import { createListeners } from '../fleet/listeners.ts';
import { failureText } from './crash-report.ts';
import { environmentFrom, type TerminalPreferences } from './environment.ts';
import {
	bell,
	copySequence,
	hasTitle,
	notificationSequence,
	titleSequence,
} from './escape-sequences.ts';
import { createIdleMarks, type IdleMarking } from './idle-marks.ts';
import { frameHandoff } from './ink-output.ts';
import { createInput, type Mouse } from './input.ts';
import { createJobControl, createSuspendEvents, type SuspendEvents } from './job-control.ts';
import { modesFor, resetSequence, setSequence } from './modes.ts';
import { createPainter, supportsRepeat } from './painter.ts';
import { createPendingReplies, createQueries } from './queries.ts';
import { createScreen } from './screen.ts';
import { createShutdown, type Ending, type Program } from './shutdown.ts';
import { createErrorStream, createKeyStream } from './streams.ts';
import {
	createSlownessDetector,
	createTerminalState,
	type TerminalState,
} from './terminal-state.ts';
import { createTty, writeNow } from './tty.ts';

export type { Ending, Program };

export type TerminalOptions = {
	program: Program;
	clock: Clock;
	/** Counts keys on their way and frames that the terminal has not taken yet. */
	activity?: Activity | undefined;
	/** Wheel and click are told; selecting text then needs the terminal's own modifier key. */
	hasMouse?: boolean;
	isLowBandwidth?: boolean;
	preferences?: TerminalPreferences;
	/** The folder that reports of crashes are put into. */
	reportsPath: string;
	/** For reports: the program's version and whatever else should stand in them. No secrets. */
	about: string;
	/** Called once when the program ends, after the screen was given back; has a second for it. */
	beforeExit?: (ending: Ending) => void | Promise<void>;
};

export type Terminal = SuspendEvents & {
	/** These three are what Ink gets, with `exitOnCtrlC` and `alternateScreen` false. */
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream;
	/** Keeps what is written while the screen is taken and shows it below the prompt afterwards. */
	readonly stderr: NodeJS.WriteStream;
	/** Takes the screen. From here on every way out of the program gives it back. */
	open(): void;
	/** Gives the screen back and ends the program. After a bug it writes a report, and tells below the
	 *  prompt where it lies. */
	end(ending: Ending): Promise<never>;
	/** Gives the screen back and stops the job, as Ctrl-Z does; takes it again afterwards. */
	suspend(): void;
	/** Draws everything again. */
	redraw(): void;
	/** Calls back when the newest frame has been taken, and can be seen. */
	whenTaken(call: () => void): void;
	setTitle(text: string): void;
	bell(): void;
	/** Rings the bell too, which works where notifications do not. */
	notify(text: string): void;
	/** False where no clipboard can be reached, or the text is too long for it. */
	copy(text: string): boolean;
	state(): TerminalState;
	/** Fits `useSyncExternalStore`, together with `conditions`. */
	onStateChange(call: () => void): () => void;
	onMouse(call: (mouse: Mouse) => void): () => void;
};

/** Whoever is given the screen may do with it what they like, and leaves their lines above the prompt. */
export type LendableTerminal = Terminal &
	IdleMarking & { lend(work: () => Promise<void>): Promise<void> };

export function createTerminal(options: TerminalOptions): LendableTerminal {
	const { program, clock } = options;
	const { preferences: looks = {}, activity = createActivity() } = options;
	const environment = environmentFrom(program.env, looks);
	const isModern = !environment.isConsole && environment.multiplexer !== 'screen';
	const modes = modesFor(environment, options.hasMouse ?? false);
	const { suspended, resumed, handover } = createSuspendEvents();
	const pointer = createListeners<Mouse>();
	const conditions = createTerminalState({
		isFocused: true,
		isLowBandwidth: options.isLowBandwidth ?? false,
		colours: environment.colours,
		background: environment.background,
		hasUnicode: environment.hasUnicode,
		name: undefined,
	});
	let currentTitle = '';
	let size = { columns: 80, rows: 24 };

	const idle = createIdleMarks(activity, sequence => hold.write(sequence));
	const painter = createPainter(() => ({
		hasColours: environment.colours > 0,
		hasLinks: isModern,
		canRepeat: supportsRepeat.test(conditions.get().name ?? ''),
		lacksColumnMoves: environment.lacksColumnMoves,
		lacksUnicode: !conditions.get().hasUnicode,
	}));
	const screen = createScreen({
		frames: frameHandoff,
		painter,
		clock,
		size: () => size,
		send: idle.sending((text, taken) => program.stdout.write(text, () => taken())),
		limitsFrames: () => conditions.get().isLowBandwidth,
		onFrameTaken: createSlownessDetector(clock, isSlow =>
			conditions.set({ isLowBandwidth: isSlow || (options.isLowBandwidth ?? false) }),
		),
	});
	const answers = createPendingReplies(clock);
	const conversation = createQueries({
		...{ clock, environment, looks, conditions, answers },
		say: sequence => hold.write(sequence),
		redraw: screen.redraw,
		onMouse: pointer.notify,
	});
	const keys = createKeyStream();
	const receive = createInput({
		clock,
		timing: activity.timing(clock),
		marksPastes: isModern,
		onReport: conversation.receive,
		onStall: isPasteOpen => conditions.set({ isPasteUnfinished: isPasteOpen }),
		onKey(text) {
			// What is typed while the last answers are awaited is nobody's.
			if (!hold.isTaken()) return;
			screen.drawNow();
			keys.push(text);
		},
	});
	const hold = createTty(program, idle.reading(receive));
	const errors = createErrorStream(program.stderr, hold.isTaken);
	const life = createShutdown({
		program,
		clock,
		giveBack,
		beforeExit: options.beforeExit,
		isLent: () => job.isLent(),
		repliesDone: answers.over,
	});
	const job = createJobControl({
		program,
		clock,
		giveBack: () => giveBack(undefined),
		retake() {
			giveBack(undefined);
			take();
		},
	});

	function take() {
		size = hold.size();
		const titles = currentTitle === '' ? '' : titleSequence(currentTitle);
		hold.take(setSequence(modes) + setSequence(conversation.modes()) + titles);
		screen.setOpen(true);
		resumed();
	}

	/** Returns whether there was anything to give back. */
	function giveBack(ending: Ending | undefined): boolean {
		const wasTaken = hold.isTaken();
		if (wasTaken) {
			suspended();
			screen.setOpen(false);
			const resets = resetSequence(conversation.modes()) + resetSequence(modes);
			const isListening = ending !== undefined && answers.isAwaiting();
			hold.giveBack(resets, { isGone: ending?.kind === 'gone', isListening });
		} else if (ending === undefined) {
			hold.stopReading();
		}
		if (ending?.kind === 'gone') return wasTaken;
		const afterwards = errors.take() + (ending?.kind === 'failed' ? failure(ending.error) : '');
		if (afterwards !== '') writeNow(program.stderr.fd, afterwards);
		return wasTaken;
	}

	function failure(error: unknown): string {
		const about = `${options.about}\n${environment.terminalName} ${size.columns}×${size.rows}`;
		return failureText({ path: options.reportsPath, now: clock.now(), about, error });
	}

	return {
		stdin: keys,
		stdout: screen.stream,
		stderr: errors.stream,
		open() {
			life.watch();
			job.watch();
			program.stdout.on('resize', () => {
				size = hold.size();
				if (hold.isTaken()) screen.resize();
			});
			take();
			conversation.ask();
		},
		end: life.end,
		suspend: job.suspend,
		lend: work => job.lend(work, take),
		redraw: screen.redraw,
		whenTaken: screen.whenTaken,
		setTitle(text) {
			if (!hasTitle(environment) || text === currentTitle) return;
			currentTitle = text;
			hold.write(titleSequence(text));
		},
		bell: () => hold.write(bell),
		notify: text =>
			hold.write(
				notificationSequence(text, conditions.get().name ?? environment.terminalName, environment),
			),
		copy(text) {
			const sequence = copySequence(text, environment);
			hold.write(sequence);
			return sequence !== '';
		},
		state: conditions.get,
		onStateChange: conditions.subscribe,
		onMouse: pointer.subscribe,
		markIdle: idle.markIdle,
		...handover,
	};
}
