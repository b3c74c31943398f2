export const maxTextLength = 4_000;

export const maxLabelLength = 500;

const extraInputLength = 500;

const plainText =
	/^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/;

// With an escape character, or the C1 control in its place. A string without an end hides the rest.
const escapeSequences =
	/(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]/g;
const lineEnd = /[\n\v\f\r\x85\u2028\u2029]/;
const lineBreaks = /[\t\n\v\f\r\x85\u2028\u2029]+/g;
// Also halves of surrogate pairs, bidi overrides, zero-width characters, tags, variation selectors and fillers.
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]+/gu;
const surplusMarks = /(\p{M}{3})\p{M}+/gu;

/** Nothing in the result controls the terminal or makes text look different from what it says. */
export function cleanText(text: string, maxLength = maxTextLength): string {
	if (text.length <= maxLength && plainText.test(text)) return text.trim();
	const input = text.slice(0, maxLength + extraInputLength);
	const clean = withoutUnseen(input.replace(escapeSequences, ''));
	if (clean.length > maxLength) return shortened(clean, maxLength - 1).trim();
	const hasMore = input.length < text.length && clean !== '';
	return (hasMore ? shortened(clean, clean.length - 1) : clean).trim();
}

/** Keeps the spaces at both ends, and ends at the first line break, which must never act as Enter. */
export function cleanLine(text: string): string {
	const [line = ''] = text.slice(0, maxTextLength).replace(escapeSequences, '').split(lineEnd, 1);
	return withoutUnseen(line);
}

const withoutUnseen = (text: string) =>
	text.replace(lineBreaks, ' ').replace(invisible, '').replace(surplusMarks, '$1');

let characters: Intl.Segmenter | undefined;

function shortened(text: string, maxLength: number): string {
	characters ??= new Intl.Segmenter();
	const end = characters.segment(text).containing(maxLength)?.index ?? maxLength;
	return `${text.slice(0, end)}…`;
}
