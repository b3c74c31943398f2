import type { Environment } from './environment.ts';
import { hasTitle, restoreTitle, saveTitle } from './escape-sequences.ts';

/** Everything that is set when the screen is taken, and how it is set back. Given back in the
 *  opposite order. */
type Mode = { set: string; reset: string };

const mode = (number: number, isOn = true): Mode => ({
	set: `\u001B[?${number}${isOn ? 'h' : 'l'}`,
	reset: `\u001B[?${number}${isOn ? 'l' : 'h'}`,
});

/**
 * A program that crashed, or a connection that broke, may leave the terminal sending what nobody asks
 * for: moves of the mouse in six encodings, and keys as if for another program. It begins without them.
 * They were not ours, so they are not set back.
 */
const foreignModes: Mode = {
	set: '\u001B[?1;9;1000;1001;1002;1003;1005;1006;1015;1016l\u001B>',
	reset: '',
};
/** Xterm's way to send keys that are not told apart otherwise. Some read it as a style, see `empty`. */
const plainKeys: Mode = { set: '\u001B[>4m', reset: '' };
/** Kitty's keys are levels, one for each screen: a new one begins with nothing set. */
const ownKittyLevel: Mode = { set: '\u001B[>0u', reset: '\u001B[<u' };

const alternateScreen = mode(1049);
const hiddenCursor = mode(25, false);
const noWrap = mode(7, false);
/** Terminals that have no alternate screen are left empty, with the prompt at the top. */
const empty: Mode = { set: '\u001B[m\u001B[H\u001B[J', reset: '\u001B[m\u001B[H\u001B[J' };
const focusReports = mode(1004);
const bracketedPaste = mode(2004);
const mouseButtons = mode(1000);
const mouseBeyond223 = mode(1006);
const title: Mode = { set: saveTitle, reset: restoreTitle };

export const kittyKeys: Mode = { set: '\u001B[>1u', reset: '\u001B[<u' };

/** In the middle of an update that the terminal has begun to take, it would show nothing more. */
const noUpdate: Mode = { set: '', reset: '\u001B[?2026l' };
const noLink: Mode = { set: '', reset: '\u001B]8;;\u001B\\' };

/** Its name, its background, whether it knows kitty's keys; the last is answered by all of them. */
export const queries = '\u001B[>0q\u001B]11;?\u001B\\\u001B[?u\u001B[c';

// Some of those whose width is the terminal's own choice, and one that some show as a picture.
const samples = '●━…✖';

/**
 * Writes some of our signs where nothing is shown yet, asks how far the cursor came, and wipes them
 * away. Nobody waits for the answer. In the second row, see `reports.ts`.
 */
export const widthQuery = `\u001B[2;1H${samples}\u001B[6n\u001B[2K\u001B[H`;

/** Whether each took one cell. Where nobody knows UTF-8, each of its bytes took some. */
export const isExpectedWidth = (x: number) => x === samples.length;

export function modesFor(environment: Environment, hasMouse: boolean): readonly Mode[] {
	const basic = [alternateScreen, empty, hiddenCursor, noWrap, noUpdate];
	if (environment.isConsole) return [foreignModes, ...basic];
	return [
		foreignModes,
		plainKeys,
		...(hasTitle(environment) ? [title] : []),
		...basic,
		ownKittyLevel,
		noLink,
		focusReports,
		bracketedPaste,
		...(hasMouse ? [mouseButtons, mouseBeyond223] : []),
	];
}

export function setSequence(modes: readonly Mode[]): string {
	return modes.map(({ set }) => set).join('');
}

export function resetSequence(modes: readonly Mode[]): string {
	return modes
		.toReversed()
		.map(({ reset }) => reset)
		.join('');
}
