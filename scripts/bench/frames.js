// Splits the output of a program into frames, and computes the fewest bytes that could draw each of them.
import { fewestBytes, screenOf } from './fewest.js';

/** Joins pieces of output that arrive within 4 ms into one frame. */
function grouped(chunks) {
	const groups = [];
	for (const { at, data } of chunks) {
		const group = groups.at(-1);
		if (group && at - group.end < 4) {
			group.data = Buffer.concat([group.data, data]);
			group.end = at;
		} else groups.push({ at, end: at, data });
	}
	return groups;
}

/** Returns the style of the next character that the emulator would write, from its internal state. */
function styleInUse(terminal) {
	const attributes = terminal._core._inputHandler._curAttrData;
	const flags = [
		[attributes.isBold(), 1],
		[attributes.isDim(), 2],
		[attributes.isItalic(), 3],
		[attributes.isUnderline(), 4],
		[attributes.isInverse(), 7],
		[attributes.isStrikethrough(), 9],
	];
	return JSON.stringify({
		flags: flags.filter(([isOn]) => isOn).map(([, start]) => start),
		foreground: colourInUse(attributes.getFgColorMode(), attributes.getFgColor(), 30),
		background: colourInUse(attributes.getBgColorMode(), attributes.getBgColor(), 40),
	});
}

function colourInUse(mode, number, ground) {
	if (mode === 0) return '';
	if (mode >> 24 === 1) return String(number < 8 ? ground + number : ground + 52 + number);
	if (mode >> 24 === 2) return `${ground + 8};5;${number}`;
	return `${ground + 8};2;${number >> 16};${(number >> 8) & 255};${number & 255}`;
}

/** Returns the first columns of the screen, with the cursor and the names, which change only after a key. */
const namesOf = screen =>
	screen
		.map(row =>
			row
				.slice(0, 16)
				.map(({ glyph }) => glyph)
				.join(''),
		)
		.join('\n');

/** Shows the frames one by one, and returns the bytes of each with the fewest possible. */
export async function measureFrames(session, chunks) {
	const results = [];
	for (const { at, data } of grouped(chunks)) {
		const before = screenOf(session.terminal);
		const { cursorX: x, cursorY: y } = session.terminal.buffer.active;
		const style = styleInUse(session.terminal);
		await session.show(data);
		const after = screenOf(session.terminal);
		// The search does not try every way, so the program sometimes needs fewer bytes than the search finds.
		const fewest = Math.min(data.length, fewestBytes(before, after, { x, y, style }));
		const hasNews = namesOf(before) !== namesOf(after);
		results.push({ at, bytes: data.length, fewest, hasNews, text: data.toString() });
	}
	return results;
}
