const plain = /^[\x20-\x7e]*$/;

// Whole escape sequences first, so that what they carried goes with them: CSI, then OSC and its kin
// up to their end, then two-character ones. The C1 forms stand for the same sequences. The end of an OSC
// is optional: a search for one that is missing would begin again at every character and take
// quadratic time.
const sequences =
	/(?:\x1b\[|\x9b)[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[\x20-\x2f]*[\x30-\x7e]/g;

const lineEnd = /[\n\v\f\r\x85\u2028\u2029]/;
const breaks = /[\t\n\v\f\r\x85\u2028\u2029]+/g;

// Controls, halves of surrogate pairs, and everything that is not seen but changes what is: bidi
// overrides, zero-width characters, tags, variation selectors, fillers.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const stacked = /(\p{M}{3})\p{M}+/gu;

const longest = 4000;

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
	const [line = ''] = text.slice(0, longest).replace(sequences, '').split(lineEnd);
	return cleaned(line);
}

function cleaned(text: string): string {
	if (plain.test(text)) return text;
	return text
		.replace(sequences, '')
		.replace(breaks, ' ')
		.replace(unseen, '')
		.replace(stacked, '$1');
}
