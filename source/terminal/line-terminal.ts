import { type Activity, createActivity } from '../fleet/activity.ts';
import type { Clock } from '../fleet/clock.ts';
import { failureText } from './crash-report.ts';
import { bell } from './escape-sequences.ts';
import { createIdleMarks, type IdleMarking } from './idle-marks.ts';
import { createInput } from './input.ts';
import { createJobControl, createSuspendEvents, type SuspendEvents } from './job-control.ts';
import { createShutdown, type Ending, type Program } from './shutdown.ts';
import { createKeyStream } from './streams.ts';
import { createTty, writeNow } from './tty.ts';

type LineTerminalOptions = {
	program: Program;
	clock: Clock;
	/** Counts keys under way. */
	activity?: Activity | undefined;
	/** False where only ASCII can be shown. */
	hasUnicode: boolean;
	/** The folder for crash reports. */
	reportsPath: string;
	/** The program's version and other facts for a crash report. No secrets. */
	about: string;
	/** Called once when the program ends, after the terminal was given back. It has a second. */
	beforeExit?: (ending: Ending) => void | Promise<void>;
};

/**
 * A terminal to which lines are only added. Only printable characters, line breaks and the bell are
 * written, so that a screen reader or a braille display can follow from top to bottom.
 */
export type LineTerminal = SuspendEvents & {
	/** The keys, one at a time. */
	readonly stdin: NodeJS.ReadStream;
	/** Reads the keys. From here on every way out of the program gives the terminal back. */
	open(): void;
	end(ending: Ending): Promise<never>;
	/** Stops the job, as Ctrl-Z does. */
	suspend(): void;
	/** Appends to the current line. */
	write(text: string): void;
	/** Ends the current line. */
	endLine(): void;
	bell(): void;
	/** Lets other programs use the terminal until the work is done. */
	lend(work: () => Promise<void>): Promise<void>;
};

/** With more than this unwritten, the terminal has stopped reading, and further text is dropped. */
const maxUnwritten = 262_144;

/** The function is long because its parts need each other, as in `createTerminal`. */
export function createLineTerminal(options: LineTerminalOptions): LineTerminal & IdleMarking {
	const { program, clock, reportsPath: path, about, activity = createActivity() } = options;
	const { stdout, stderr } = program;
	const { suspended, resumed, events } = createSuspendEvents();
	const idle = createIdleMarks(activity, say);
	const keys = createKeyStream();
	const receive = createInput({
		clock,
		timing: activity.timing(clock),
		marksPastes: false,
		onReport() {},
		onKey: text => keys.push(text),
	});
	const tty = createTty(program, idle.reading(receive), '');
	const shutdown = createShutdown({
		program,
		clock,
		giveBack,
		beforeExit: options.beforeExit,
		isLent: () => job.isLent(),
	});
	const job = createJobControl({
		program,
		clock,
		giveBack: () => giveBack(undefined),
		retake() {
			// After a SIGSTOP the terminal was never given back; then the line goes on where it was.
			const wasTaken = tty.isTaken();
			if (wasTaken) tty.giveBack('');
			tty.take('');
			if (!wasTaken) resumed();
		},
	});
	let isLineBegun = false;

	function giveBack(ending: Ending | undefined): boolean {
		const wasTaken = tty.isTaken();
		const isGone = ending?.kind === 'gone';
		if (wasTaken) {
			suspended();
			tty.giveBack(isLineBegun ? '\n' : '', { isGone });
			isLineBegun = false;
		}
		if (ending?.kind === 'failed') {
			const { error } = ending;
			writeNow(stderr.fd, failureText({ path, now: clock.now(), about, error }));
		}
		return wasTaken;
	}

	function say(text: string) {
		if (tty.isTaken() && stdout.writableLength < maxUnwritten) stdout.write(text);
	}

	return {
		stdin: keys,
		open() {
			shutdown.install();
			job.install();
			tty.take('');
		},
		end: shutdown.end,
		suspend: job.suspend,
		write(text) {
			const shown = options.hasUnicode ? text : text.replace(/[^\x20-\x7e]/gu, '?');
			const clean = shown.replace(/[\p{Control}\p{Surrogate}]/gu, ' ');
			if (clean === '') return;
			isLineBegun = true;
			say(clean);
		},
		endLine() {
			isLineBegun = false;
			say('\n');
		},
		bell: () => say(bell),
		...events,
		markIdle: idle.markIdle,
		lend: work =>
			job.lend(work, () => {
				tty.take('');
				resumed();
			}),
	};
}
