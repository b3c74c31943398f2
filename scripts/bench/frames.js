// Takes what a program wrote apart into frames, and finds the fewest bytes that could have shown each.
import { fewestBytes, screenOf } from './fewest.js';

/** What arrives within a moment was one frame. */
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

/** The style in which the emulator writes on: what a terminal knows, but none tells. */
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

/** Where the cursor is and what stands in the first columns, which only keys change. */
const namesOf = screen =>
	screen
		.map(row =>
			row
				.slice(0, 16)
				.map(({ glyph }) => glyph)
				.join(''),
		)
		.join('\n');

/** Shows the frames one by one; the bytes of each beside the fewest. */
export async function measured(session, chunks) {
	const results = [];
	for (const { at, data } of grouped(chunks)) {
		const before = screenOf(session.terminal);
		const { cursorX: x, cursorY: y } = session.terminal.buffer.active;
		const style = styleInUse(session.terminal);
		await session.show(data);
		const after = screenOf(session.terminal);
		// Of what is tried there, now and then the program finds something shorter.
		const fewest = Math.min(data.length, fewestBytes(before, after, { x, y, style }));
		const hasNews = namesOf(before) !== namesOf(after);
		results.push({ at, bytes: data.length, fewest, hasNews, text: data.toString() });
	}
	return results;
}
