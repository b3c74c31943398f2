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
	/** Counts keys on their way. */
	activity?: Activity | undefined;
	/** False where only ASCII can be shown. */
	hasUnicode: boolean;
	/** The folder that reports of crashes are put into. */
	reportsPath: string;
	/** For reports: the program's version and whatever else should stand in them. No secrets. */
	about: string;
	/** Called once when the program ends, after the terminal was given back; has a second for it. */
	beforeExit?: (ending: Ending) => void | Promise<void>;
};

/**
 * A terminal that lines are only ever added to. Nothing is written but characters that can be read,
 * the ends of lines and the bell: a screen reader or a braille line follows it from top to bottom.
 */
export type LineTerminal = SuspendEvents & {
	/** A key at a time. */
	readonly stdin: NodeJS.ReadStream;
	/** Takes the keys. From here on every way out of the program gives them back. */
	open(): void;
	end(ending: Ending): Promise<never>;
	/** Stops the job, as Ctrl-Z does. */
	suspend(): void;
	/** Goes on in the line that was begun. */
	write(text: string): void;
	/** Ends the line. */
	endLine(): void;
	bell(): void;
	/** Whoever is given it may do with it what they like. */
	lend(work: () => Promise<void>): Promise<void>;
};

/** More than this in waiting, and nobody reads any more. */
const maxUnwritten = 262_144;

export function createLineTerminal(options: LineTerminalOptions): LineTerminal & IdleMarking {
	const { program, clock, reportsPath: path, about, activity = createActivity() } = options;
	const { stdout, stderr } = program;
	const { suspended, resumed, handover } = createSuspendEvents();
	const idle = createIdleMarks(activity, say);
	const keys = createKeyStream();
	const receive = createInput({
		clock,
		timing: activity.timing(clock),
		marksPastes: false,
		onReport() {},
		onKey: text => keys.push(text),
	});
	const hold = createTty(program, idle.reading(receive), '');
	const life = createShutdown({
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
			// Continued by others it may never have been given back, and goes on where it was.
			const wasTaken = hold.isTaken();
			if (wasTaken) hold.giveBack('');
			hold.take('');
			if (!wasTaken) resumed();
		},
	});
	let isLineBegun = false;

	function giveBack(ending: Ending | undefined): boolean {
		const wasTaken = hold.isTaken();
		const isGone = ending?.kind === 'gone';
		if (wasTaken) {
			suspended();
			hold.giveBack(isLineBegun ? '\n' : '', { isGone });
			isLineBegun = false;
		}
		if (ending?.kind === 'failed') {
			const { error } = ending;
			writeNow(stderr.fd, failureText({ path, now: clock.now(), about, error }));
		}
		return wasTaken;
	}

	function say(text: string) {
		if (hold.isTaken() && stdout.writableLength < maxUnwritten) stdout.write(text);
	}

	return {
		stdin: keys,
		open() {
			life.watch();
			job.watch();
			hold.take('');
		},
		end: life.end,
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
		...handover,
		markIdle: idle.markIdle,
		lend: work =>
			job.lend(work, () => {
				hold.take('');
				resumed();
			}),
	};
}
