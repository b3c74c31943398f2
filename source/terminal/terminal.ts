import type { Clock } from '../fleet/clock.ts';
import { type Conditions, createConditions } from './conditions.ts';
import { writeCrashReport } from './crash-report.ts';
import { environmentFrom } from './environment.ts';
import { createHold } from './hold.ts';
import { frames } from './ink-output.ts';
import { createInput, type Mouse, type Report } from './input.ts';
import { createJob } from './job.ts';
import { createLife, type Ending, type Program } from './life.ts';
import { kittyKeys, modesFor, questions, resetting, setting } from './modes.ts';
import { createPainter } from './painter.ts';
import { bell, cleanForTerminal, copy, hasTitle, notification, title } from './say.ts';
import { createScreen } from './screen.ts';
import { createSlowness } from './slowness.ts';
import { createErrorStream, createKeyStream } from './streams.ts';
import { writeNow } from './write-now.ts';

export type { Ending, Program };

export type TerminalOptions = {
	program: Program;
	clock: Clock;
	/** Wheel and click are told; selecting text then needs the terminal's own modifier key. */
	hasMouse?: boolean;
	isLowBandwidth?: boolean;
	/** The folder that reports of crashes are put into. */
	reportsPath: string;
	/** For reports: the program's version and whatever else should stand in them. No secrets. */
	about: string;
	/** Called once when the program ends, after the screen was given back; has a second for it. */
	beforeExit?: (ending: Ending) => void | Promise<void>;
};

export type Terminal = {
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

/** Terminals that are known to know `CSI n b`. Others are not told it: mosh has it not, and tmux 3.3
 *  loses every character with it that is not ASCII. */
const repeaters = /^(xterm|kitty|wezterm|foot|mintty|ghostty|vte|contour)/i;

/** How long answers of the terminal may take. */
const answerTime = 3000;

export function createTerminal(options: TerminalOptions): Terminal {
	const { program, clock } = options;
	const environment = environmentFrom(program.env);
	const isModern = !environment.isConsole && environment.multiplexer !== 'screen';
	const modes = modesFor(environment, options.hasMouse ?? false);
	const mouseListeners = new Set<(mouse: Mouse) => void>();
	const conditions = createConditions({
		isFocused: true,
		isLowBandwidth: options.isLowBandwidth ?? false,
		colours: environment.colours,
		background: environment.background,
		hasUnicode: environment.hasUnicode,
		name: undefined,
	});
	let hasKittyKeys = false;
	let awaitingUntil = Number.NEGATIVE_INFINITY;
	let currentTitle = '';
	let size = { columns: 80, rows: 24 };

	const painter = createPainter(() => ({
		hasColours: environment.colours > 0,
		hasLinks: isModern,
		canRepeat: repeaters.test(conditions.get().name ?? ''),
	}));
	const screen = createScreen({
		frames,
		painter,
		clock,
		size: () => size,
		send: (text, taken) => program.stdout.write(text, () => taken()),
		isSparing: () => conditions.get().isLowBandwidth,
		wasTaken: createSlowness(clock, isSlow =>
			conditions.set({ isLowBandwidth: isSlow || (options.isLowBandwidth ?? false) }),
		),
	});
	const keys = createKeyStream();
	const receive = createInput({
		clock,
		isAwaiting: () => clock.now() < awaitingUntil,
		marksPastes: isModern,
		report,
		pass(text) {
			screen.hurry();
			keys.push(text);
		},
	});
	const hold = createHold(program, receive);
	const errors = createErrorStream(program.stderr, hold.isTaken);
	const life = createLife({ program, clock, giveBack, beforeExit: options.beforeExit });
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
		hold.take(setting(modes) + (hasKittyKeys ? kittyKeys.set : '') + titles);
		screen.setOpen(true);
	}

	/** Returns whether there was anything to give back. */
	function giveBack(ending: Ending | undefined): boolean {
		const wasTaken = hold.isTaken();
		if (wasTaken) {
			screen.setOpen(false);
			const resets = (hasKittyKeys ? kittyKeys.reset : '') + resetting(modes);
			hold.giveBack(resets, ending?.kind === 'gone');
		}
		if (ending?.kind === 'gone') return wasTaken;
		const afterwards = errors.take() + (ending?.kind === 'failed' ? failure(ending.error) : '');
		if (afterwards !== '') writeNow(program.stderr.fd, afterwards);
		return wasTaken;
	}

	function failure(error: unknown): string {
		const about = `${options.about}\n${environment.program} ${size.columns}×${size.rows}`;
		const report = writeCrashReport({ path: options.reportsPath, now: clock.now(), about, error });
		const message = cleanForTerminal(error instanceof Error ? error.message : String(error));
		const where = report ? `What is known about it is in ${report}` : 'No report could be written.';
		return `crowsnest had to stop: ${message}\n${where}\n`;
	}

	function report(report: Report) {
		if (report.kind === 'focus') conditions.set({ isFocused: report.isFocused });
		else if (report.kind === 'name') conditions.set({ name: report.name });
		else if (report.kind === 'background') conditions.set({ background: report.background });
		else if (report.kind === 'attributes') awaitingUntil = Number.NEGATIVE_INFINITY;
		else if (report.kind === 'mouse') for (const listener of mouseListeners) listener(report.mouse);
		else if (!hasKittyKeys) {
			hasKittyKeys = true;
			hold.say(kittyKeys.set);
		}
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
			if (environment.isConsole) return;
			awaitingUntil = clock.now() + answerTime;
			hold.say(questions);
		},
		end: life.end,
		suspend: job.suspend,
		redraw: screen.redraw,
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
		onMouse(call) {
			mouseListeners.add(call);
			return () => {
				mouseListeners.delete(call);
			};
		},
	};
}
