import { kindOf, kinds } from './character-kind.ts';
import { withoutSequences } from './escape-sequences.ts';

// Most text: what Latin, Greek, Cyrillic, kana, Han and Hangul are written with needs no cleaning.
const plain =
	/^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/;
const lineEnd = /[\n\v\f\r\x85\u2028\u2029]/;

const longest = 4000;
const mostMarks = 3;
const space = 0x20;

// No text is longer, and characters are only ever left out.
const kept = new Uint16Array(longest);
const keptBytes = Buffer.from(kept.buffer);

/**
 * A string from outside, fit for the screen, the title, the clipboard and the log: one line, with
 * nothing in it that a terminal would obey or that shows other than it reads.
 */
export function cleanText(text: string): string {
	const bounded = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
	return cleaned(bounded).trim();
}

/**
 * What came by a paste, or from a file, fit for a line that is being typed: the same, but for the spaces
 * at its ends, which somebody may have meant. Of several lines the first: a line's end is nobody's Enter.
 */
export function cleanLine(text: string): string {
	const [line = ''] = withoutSequences(text.slice(0, longest)).split(lineEnd);
	return cleaned(line);
}

/** Leaves out what is not seen and the marks that pile up, and puts a space where lines break. */
function cleaned(text: string): string {
	if (plain.test(text)) return text;
	const rest = withoutSequences(text);
	let length = 0;
	let marks = 0;
	let wasBreak = false;
	for (let at = 0; at < rest.length; ) {
		const codePoint = rest.codePointAt(at) ?? 0;
		const kind = kindOf(codePoint);
		const units = codePoint > 0xffff ? 2 : 1;
		const first = at;
		at += units;
		if (kind === kinds.lineBreak) {
			if (!wasBreak) kept[length++] = space;
			wasBreak = true;
			marks = 0;
			continue;
		}
		wasBreak = false;
		// What is left out does not part the marks around it.
		if (kind === kinds.unseen) continue;
		marks = kind === kinds.mark ? marks + 1 : 0;
		if (marks > mostMarks) continue;
		kept[length++] = rest.charCodeAt(first);
		if (units === 2) kept[length++] = rest.charCodeAt(first + 1);
	}
	return keptBytes.toString('utf16le', 0, 2 * length);
}
