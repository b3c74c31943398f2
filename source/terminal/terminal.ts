import { type Activity, createActivity } from '../fleet/activity.ts';
import type { Clock } from '../fleet/clock.ts';
import { createAnswers } from './answers.ts';
import { type Conditions, createConditions } from './conditions.ts';
import { createConversation } from './conversation.ts';
import { environmentFrom, type Looks } from './environment.ts';
import { failureText } from './failure-text.ts';
import { createHandover, type Handover } from './handover.ts';
import { createHold } from './hold.ts';
import { createIdleMarks, type IdleMarking } from './idle-marks.ts';
import { frames } from './ink-output.ts';
import { createInput, type Mouse } from './input.ts';
import { createJob } from './job.ts';
import { createLife, type Ending, type Program } from './life.ts';
import { createListeners } from './listeners.ts';
import { modesFor, resetting, setting } from './modes.ts';
import { createPainter, repeaters } from './painter.ts';
import { bell, copy, hasTitle, notification, title } from './say.ts';
import { createScreen } from './screen.ts';
import { createSlowness } from './slowness.ts';
import { createErrorStream, createKeyStream } from './streams.ts';
import { writeNow } from './write-now.ts';

export type { Ending, Program };

export type TerminalOptions = {
	program: Program;
	clock: Clock;
	/** Counts keys on their way and frames that the terminal has not taken yet. */
	activity?: Activity | undefined;
	/** Wheel and click are told; selecting text then needs the terminal's own modifier key. */
	hasMouse?: boolean;
	isLowBandwidth?: boolean;
	looks?: Looks;
	/** The folder that reports of crashes are put into. */
	reportsPath: string;
	/** For reports: the program's version and whatever else should stand in them. No secrets. */
	about: string;
	/** Called once when the program ends, after the screen was given back; has a second for it. */
	beforeExit?: (ending: Ending) => void | Promise<void>;
};

export type Terminal = Handover & {
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
	conditions(): Conditions;
	/** Fits `useSyncExternalStore`, together with `conditions`. */
	onConditions(call: () => void): () => void;
	onMouse(call: (mouse: Mouse) => void): () => void;
};

/** Whoever is given the screen may do with it what they like, and leaves their lines above the prompt. */
export type LentTerminal = Terminal &
	IdleMarking & { lend(work: () => Promise<void>): Promise<void> };

export function createTerminal(options: TerminalOptions): LentTerminal {
	const { program, clock } = options;
	const { looks = {}, activity = createActivity() } = options;
	const environment = environmentFrom(program.env, looks);
	const isModern = !environment.isConsole && environment.multiplexer !== 'screen';
	const modes = modesFor(environment, options.hasMouse ?? false);
	const { suspended, resumed, handover } = createHandover();
	const pointer = createListeners<Mouse>();
	const conditions = createConditions({
		isFocused: true,
		isLowBandwidth: options.isLowBandwidth ?? false,
		colours: environment.colours,
		background: environment.background,
		hasUnicode: environment.hasUnicode,
		name: undefined,
	});
	let currentTitle = '';
	let size = { columns: 80, rows: 24 };

	const idle = createIdleMarks(activity, sequence => hold.say(sequence));
	const painter = createPainter(() => ({
		hasColours: environment.colours > 0,
		hasLinks: isModern,
		canRepeat: repeaters.test(conditions.get().name ?? ''),
		lacksColumns: environment.lacksColumns,
		lacksUnicode: !conditions.get().hasUnicode,
	}));
	const screen = createScreen({
		frames,
		painter,
		clock,
		size: () => size,
		send: idle.sending((text, taken) => program.stdout.write(text, () => taken())),
		isSparing: () => conditions.get().isLowBandwidth,
		wasTaken: createSlowness(clock, isSlow =>
			conditions.set({ isLowBandwidth: isSlow || (options.isLowBandwidth ?? false) }),
		),
	});
	const answers = createAnswers(clock);
	const conversation = createConversation({
		...{ clock, environment, looks, conditions, answers },
		say: sequence => hold.say(sequence),
		redraw: screen.redraw,
		onMouse: pointer.tell,
	});
	const keys = createKeyStream();
	const receive = createInput({
		clock,
		timing: activity.timing(clock),
		marksPastes: isModern,
		report: conversation.receive,
		stalled: isPasteOpen => conditions.set({ isPasteOpen }),
		pass(text) {
			// What is typed while the last answers are awaited is nobody's.
			if (!hold.isTaken()) return;
			screen.hurry();
			keys.push(text);
		},
	});
	const hold = createHold(program, idle.reading(receive));
	const errors = createErrorStream(program.stderr, hold.isTaken);
	const life = createLife({
		program,
		clock,
		giveBack,
		beforeExit: options.beforeExit,
		isLent: () => job.isLent(),
		answersOver: answers.over,
	});
	const job = createJob({
		program,
		clock,
		giveBack: () => giveBack(undefined),
		takeAgain() {
			giveBack(undefined);
			take();
		},
	});

	function take() {
		size = hold.size();
		const titles = currentTitle === '' ? '' : title(currentTitle);
		hold.take(setting(modes) + setting(conversation.modes()) + titles);
		screen.setOpen(true);
		resumed();
	}

	/** Returns whether there was anything to give back. */
	function giveBack(ending: Ending | undefined): boolean {
		const wasTaken = hold.isTaken();
		if (wasTaken) {
			suspended();
			screen.setOpen(false);
			const resets = resetting(conversation.modes()) + resetting(modes);
			const isListening = ending !== undefined && answers.isAwaiting();
			hold.giveBack(resets, { isGone: ending?.kind === 'gone', isListening });
		} else if (ending === undefined) {
			hold.letGo();
		}
		if (ending?.kind === 'gone') return wasTaken;
		const afterwards = errors.take() + (ending?.kind === 'failed' ? failure(ending.error) : '');
		if (afterwards !== '') writeNow(program.stderr.fd, afterwards);
		return wasTaken;
	}

	function failure(error: unknown): string {
		const about = `${options.about}\n${environment.program} ${size.columns}×${size.rows}`;
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
			hold.say(title(text));
		},
		bell: () => hold.say(bell),
		notify: text =>
			hold.say(notification(text, conditions.get().name ?? environment.program, environment)),
		copy(text) {
			const sequence = copy(text, environment);
			hold.say(sequence);
			return sequence !== '';
		},
		conditions: conditions.get,
		onConditions: conditions.on,
		onMouse: pointer.on,
		markIdle: idle.markIdle,
		...handover,
	};
}
