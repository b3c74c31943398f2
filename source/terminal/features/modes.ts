import type { Environment } from './environment.ts';
import { canRestoreTitle, restoreTitle, saveTitle } from './escape-sequences.ts';

type TerminalMode = { enableSequence: string; disableSequence: string };

const privateModeOf = (number: number, isOn = true): TerminalMode => ({
	enableSequence: `\u001B[?${number}${isOn ? 'h' : 'l'}`,
	disableSequence: `\u001B[?${number}${isOn ? 'l' : 'h'}`,
});

/** A crashed program may have left these modes on. They are not switched on again at the end. */
const resetOfLeftoverModes: TerminalMode = {
	enableSequence: '\u001B[?1;9;1000;1001;1002;1003;1005;1006;1015;1016l\u001B>',
	disableSequence: '',
};

/** The alternate screen is left without mode 1049, which would also move the cursor where there is nothing to leave. */
export const leftoverResets =
	`${resetOfLeftoverModes.enableSequence}\u001B[?1047;1004;2004l\u001B[?7;25h` +
	'\u001B[m\u001B7\u001B[r\u001B8';

/** Some terminals take this sequence for a style, which `clearedScreen` resets. */
const noModifyOtherKeys: TerminalMode = { enableSequence: '\u001B[>4m', disableSequence: '' };
/** Kitty keeps its key modes on a stack. */
const kittyKeyModesOff: TerminalMode = {
	enableSequence: '\u001B[>0u',
	disableSequence: '\u001B[<u',
};

const alternateScreen = privateModeOf(1049);
const hiddenCursor = privateModeOf(25, false);
const noLineWrap = privateModeOf(7, false);
/** Some terminals have no alternate screen. */
const clearedScreen: TerminalMode = {
	enableSequence: '\u001B[m\u001B[H\u001B[J',
	disableSequence: '\u001B[m\u001B[H\u001B[J',
};
const focusReports = privateModeOf(1004);
const bracketedPaste = privateModeOf(2004);
const mouseButtons = privateModeOf(1000);
const wideMousePositions = privateModeOf(1006);
const savedTitle: TerminalMode = { enableSequence: saveTitle, disableSequence: restoreTitle };

export const kittyKeyMode: TerminalMode = {
	enableSequence: '\u001B[>1u',
	disableSequence: '\u001B[<u',
};

/** A terminal whose synchronised update was cut off would show nothing new. */
const endOfUpdate: TerminalMode = { enableSequence: '', disableSequence: '\u001B[?2026l' };
const endOfLink: TerminalMode = { enableSequence: '', disableSequence: '\u001B]8;;\u001B\\' };

/** The name, the background colour and Kitty's keys. Every terminal replies to the last query. */
export const terminalQueries = '\u001B[>0q\u001B]11;?\u001B\\\u001B[?u\u001B[c';

// The width of these glyphs differs between terminals. Some draw the last one as an emoji.
const widthSampleGlyphs = '●━…✖';

/** Written in the second row, because a position in the first row would look like F3 with a modifier. */
export const widthQuery = `\u001B[2;1H${widthSampleGlyphs}\u001B[6n\u001B[2K\u001B[H`;

/** Without UTF-8 each byte of a glyph takes a cell. */
export const isExpectedWidth = (x: number) => x === widthSampleGlyphs.length;

export function modesFor(environment: Environment, hasMouse: boolean): readonly TerminalMode[] {
	const basic = [alternateScreen, clearedScreen, hiddenCursor, noLineWrap, endOfUpdate];
	if (environment.printsUnknownSequences) return [resetOfLeftoverModes, ...basic];
	return [
		resetOfLeftoverModes,
		noModifyOtherKeys,
		...(canRestoreTitle(environment) ? [savedTitle] : []),
		...basic,
		kittyKeyModesOff,
		endOfLink,
		focusReports,
		bracketedPaste,
		...(hasMouse ? [mouseButtons, wideMousePositions] : []),
	];
}

export function enableModesSequence(modes: readonly TerminalMode[]): string {
	return modes.map(({ enableSequence: set }) => set).join('');
}

export function disableModesSequence(modes: readonly TerminalMode[]): string {
	return modes
		.toReversed()
		.map(({ disableSequence: reset }) => reset)
		.join('');
}

export const modeChangeSequence = (from: readonly TerminalMode[], to: readonly TerminalMode[]) =>
	disableModesSequence(from.filter(mode => !to.includes(mode))) +
	enableModesSequence(to.filter(mode => !from.includes(mode)));
