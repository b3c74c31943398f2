import type { Environment } from './environment.ts';
import { canRestoreTitle, restoreTitle, saveTitle } from './escape-sequences.ts';

/** A crashed program may have left these modes on. They are not switched on again at the end. */
const leftoversOff = '\u001B[?1;9;1000;1001;1002;1003;1005;1006;1015;1016l\u001B>';

/** The alternate screen is left without mode 1049, which would also move the cursor where there is nothing to leave. */
export const leftoverResets = `${leftoversOff}\u001B[?1047;1004;2004l\u001B[?7;25h\u001B[m\u001B7\u001B[r\u001B8`;

/** Some terminals have no alternate screen. */
const clearedScreen = '\u001B[m\u001B[H\u001B[J';
/** Some terminals take this sequence for a style, which `clearedScreen` resets. */
const noModifyOtherKeys = '\u001B[>4m';
/** The keys in Kitty's protocol, reports of the focus, and marks around a paste. Kitty keeps its key modes on a stack. */
const inputModesOn = '\u001B[>1u\u001B[?1004h\u001B[?2004h';
const inputModesOff = '\u001B[?2004l\u001B[?1004l\u001B[<u';
const endOfLink = '\u001B]8;;\u001B\\';

export const mouseMode = (isOn: boolean) =>
	isOn ? '\u001B[?1000h\u001B[?1006h' : '\u001B[?1006l\u001B[?1000l';

export function enterSequence(environment: Environment): string {
	const screen = `\u001B[?1049h${clearedScreen}\u001B[?25l\u001B[?7l`;
	if (environment.printsUnknownSequences) return leftoversOff + screen;
	const title = canRestoreTitle(environment) ? saveTitle : '';
	return leftoversOff + noModifyOtherKeys + title + screen + inputModesOn;
}

export function leaveSequence(environment: Environment): string {
	// A terminal whose synchronised update was cut off would show nothing new.
	const screen = `\u001B[?2026l\u001B[?7h\u001B[?25h${clearedScreen}\u001B[?1049l`;
	if (environment.printsUnknownSequences) return screen;
	const title = canRestoreTitle(environment) ? restoreTitle : '';
	return mouseMode(false) + inputModesOff + endOfLink + screen + title;
}

/** The name and the background colour. Every terminal replies to the last query. */
export const terminalQueries = '\u001B[>0q\u001B]11;?\u001B\\\u001B[c';

// The width of these glyphs differs between terminals. Some draw the last one as an emoji.
const widthSampleGlyphs = '●━…✖';

/** Written in the second row, because a position in the first row would look like F3 with a modifier. */
export const widthQuery = `\u001B[2;1H${widthSampleGlyphs}\u001B[6n\u001B[2K\u001B[H`;

/** Without UTF-8 each byte of a glyph takes a cell. */
export const isExpectedWidth = (x: number) => x === widthSampleGlyphs.length;
