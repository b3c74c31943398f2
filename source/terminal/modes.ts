import type { Environment } from './environment.ts';
import { hasTitle, restoreTitle, saveTitle } from './escape-sequences.ts';

/** A mode that is set when the screen is taken. Modes are reset in the opposite order. */
type Mode = { set: string; reset: string };

const mode = (number: number, isOn = true): Mode => ({
	set: `\u001B[?${number}${isOn ? 'h' : 'l'}`,
	reset: `\u001B[?${number}${isOn ? 'l' : 'h'}`,
});

/**
 * Resets modes that a crashed program may have left on: mouse reports in six encodings and keypad keys in
 * another form. They were not ours, so they are not restored.
 */
const foreignModes: Mode = {
	set: '\u001B[?1;9;1000;1001;1002;1003;1005;1006;1015;1016l\u001B>',
	reset: '',
};
/** Switches off xterm's modifyOtherKeys. Some terminals read it as a style, which `empty` resets. */
const plainKeys: Mode = { set: '\u001B[>4m', reset: '' };
/** Kitty keeps its key modes on a stack for each screen. A new entry begins with none set. */
const ownKittyLevel: Mode = { set: '\u001B[>0u', reset: '\u001B[<u' };

const alternateScreen = mode(1049);
const hiddenCursor = mode(25, false);
const noWrap = mode(7, false);
/** Terminals without an alternate screen are left empty, with the prompt at the top. */
const empty: Mode = { set: '\u001B[m\u001B[H\u001B[J', reset: '\u001B[m\u001B[H\u001B[J' };
const focusReports = mode(1004);
const bracketedPaste = mode(2004);
const mouseButtons = mode(1000);
const mouseBeyond223 = mode(1006);
const title: Mode = { set: saveTitle, reset: restoreTitle };

export const kittyKeys: Mode = { set: '\u001B[>1u', reset: '\u001B[<u' };

/** Ends a synchronised update that was cut off: the terminal would show nothing more. */
const noUpdate: Mode = { set: '', reset: '\u001B[?2026l' };
const noLink: Mode = { set: '', reset: '\u001B]8;;\u001B\\' };

/** Asks for the name, the background and Kitty's keys. The last query is one that every terminal answers. */
export const queries = '\u001B[>0q\u001B]11;?\u001B\\\u001B[?u\u001B[c';

// Glyphs whose width differs between terminals; some draw the last one as an emoji.
const samples = '●━…✖';

/**
 * Writes some of our glyphs on the empty screen, asks for the position of the cursor, and erases them.
 * They stand in the second row; `reports.ts` says why.
 */
export const widthQuery = `\u001B[2;1H${samples}\u001B[6n\u001B[2K\u001B[H`;

/** Whether each glyph took one cell. Without UTF-8 each of its bytes takes one. */
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
