import { statSync, writeSync } from 'node:fs';
import { disableModesSequence, enableModesSequence, pictureModes } from '../features/modes.ts';
import { type Picture, type PicturePlace, pictureFrom, picturePlace } from './picture-file.ts';

// A start shows at once how the top of the table looked last, in grey and with its time, while the program is loaded and
// the kept fleet is read:
//
//    launcher ──► picture ──► the program is loaded ──┬──► terminal: takes the screen over, and draws the first frame
//                                                     └──► a mistake, a question, a signal: the screen is given back

/** The parts of Node's `process` that the picture needs. */
export type PictureProgram = Pick<
	NodeJS.Process,
	'stdin' | 'stdout' | 'env' | 'argv' | 'pid' | 'on' | 'off' | 'listenerCount' | 'kill'
>;

type Options = {
	program: PictureProgram;
	/** The folder of the pictures. */
	folder: string;
	/** The files that choose the accounts: the configuration and the remembered profiles. */
	choosingFiles: readonly string[];
	/** Returns the text of a file; undefined if there is none, or if it is not private. */
	read: (path: string) => string | undefined;
	now: () => number;
	/** Calls the function in the next turn of the event loop. */
	nextTurn: (call: () => void) => void;
};

/** The picture that this start shows, and where the monitor keeps the next one. */
export type KeptPicture = {
	/** Returns where a picture of this size is kept. */
	placeFor(columns: number, rows: number): PicturePlace;
	/** The folder of the pictures. */
	folder: string;
	/** Gives the screen back, if it shows a picture. */
	giveBack(): void;
	/** Returns the picture on the screen, which the caller is now responsible for; undefined if there is none. */
	handOver(): Picture | undefined;
};

/**
 * The variables that choose the account, its folders or the characters. Secrets are not among them, because the file
 * contains their values.
 */
export const pictureVariables = [
	...['CROWSNEST_URL', 'CROWSNEST_AUTH_URL', 'CROWSNEST_EMAIL', 'CROWSNEST_PROFILE'],
	...['CROWSNEST_CONFIG_DIR', 'CROWSNEST_STATE_DIR', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'HOME'],
	...['TERM', 'COLORTERM', 'COLORFGBG', 'NO_COLOR', 'LC_ALL', 'LC_CTYPE', 'LANG'],
	'INK_SCREEN_READER',
] as const;

const endingSignals = [
	...(['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGABRT', 'SIGUSR2'] as const),
];

/** Shows the picture that an earlier run kept for this start, if there is one. */
export function showKeptPicture(options: Options): KeptPicture | undefined {
	const { program, folder, choosingFiles, read, now, nextTurn } = options;
	const { stdin, stdout, env, argv } = program;
	// A token chooses the account, and a secret cannot be part of what is kept.
	if (env['CROWSNEST_TOKEN']) return undefined;
	// On a slow line, the picture would delay the first frame.
	if (argv.includes('--low-bandwidth')) return undefined;
	// The files may change while the monitor runs. What it then keeps is for starts with the files as they are now.
	const stamps = choosingFiles.map(stampOf);
	const placeFor = (columns: number, rows: number) =>
		picturePlace(folder, [
			argv.slice(2),
			pictureVariables.map(name => env[name] ?? null),
			stamps,
			[columns, rows],
		]);
	let shown: Picture | undefined;

	function drawn(): Picture | undefined {
		if (!stdin.isTTY || !stdout.isTTY) return undefined;
		const place = placeFor(stdout.columns, stdout.rows);
		const text = read(place.path);
		const picture = text === undefined ? undefined : pictureFrom(text, place, now());
		if (!picture || picture.lines.length > stdout.rows) return undefined;
		const lines = picture.lines.map((_, y) => pictureLine(picture, y)).join('');
		try {
			writeSync(stdout.fd, enableModesSequence(pictureModes) + lines);
		} catch {
			// The monitor notices by itself that the terminal is gone.
			return undefined;
		}
		// No key is echoed onto the picture. The monitor reads the keys as soon as it has drawn its first frame.
		stdin.setRawMode(true);
		return picture;
	}

	function takeFromScreen() {
		const picture = shown;
		shown = undefined;
		program.off('exit', giveBack);
		program.off('uncaughtExceptionMonitor', giveBack);
		return picture;
	}

	function handOver() {
		const picture = takeFromScreen();
		// A signal that came while the program was loaded is dispatched in one of the next turns, to all handlers that are
		// installed then. Without any, Node would forget it.
		if (picture) nextTurn(() => nextTurn(stopHandlingSignals));
		return picture;
	}

	function giveBack() {
		if (!takeFromScreen()) return;
		stdin.setRawMode(false);
		try {
			writeSync(stdout.fd, disableModesSequence(pictureModes));
		} catch {
			// The terminal is gone, so there is nothing to give back.
		}
	}

	function stopHandlingSignals() {
		for (const signal of endingSignals) program.off(signal, end);
	}

	/** Ends the process, unless the terminal has installed a handler of its own. */
	function end(signal: NodeJS.Signals) {
		if (program.listenerCount(signal) > 1) return;
		giveBack();
		stopHandlingSignals();
		program.kill(program.pid, signal);
	}

	shown = drawn();
	if (shown) {
		program.on('exit', giveBack);
		// An error is printed after this event, so its text stays in sight.
		program.on('uncaughtExceptionMonitor', giveBack);
		for (const signal of endingSignals) program.on(signal, end);
	}
	return { placeFor, folder, giveBack, handOver };
}

/** Returns the sequence that draws a line of a picture. */
export function pictureLine({ style, lines }: Picture, y: number): string {
	const line = lines[y]?.trimEnd() ?? '';
	if (line === '') return '';
	return `\u001B[${y + 1};1H${style}${line}${style === '' ? '' : '\u001B[m'}`;
}

/** Returns numbers that change when a file is written; null if there is no file. */
function stampOf(path: string): readonly number[] | null {
	const stats = statSync(path, { throwIfNoEntry: false });
	return stats ? [stats.mtimeMs, stats.size, stats.ino] : null;
}
