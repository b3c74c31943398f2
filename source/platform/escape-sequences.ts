const [esc, bell, backslash] = [0x1b, 0x07, 0x5c];
const [bracket, csi, stringEnd] = [0x5b, 0x9b, 0x9c];
// OSC, DCS, SOS, PM and APC: after an escape, and as a C1 control.
const stringStarts = new Set([0x5d, 0x50, 0x58, 0x5e, 0x5f]);
const controlStarts = new Set([0x9d, 0x90, 0x98, 0x9e, 0x9f]);

const hasSequence = /[\x1b\x90\x98\x9b\x9d-\x9f]/;

/**
 * A text without its escape sequences and what they carry. A pattern would take a second for a list that
 * consists of nothing else.
 */
export function withoutSequences(text: string): string {
	if (!hasSequence.test(text)) return text;
	let kept = '';
	let from = 0;
	for (let at = 0; at < text.length; ) {
		const end = sequenceEnd(text, at);
		if (end > at) {
			if (at > from) kept += text.slice(from, at);
			from = end;
			at = end;
		} else {
			at += 1;
		}
	}
	return kept + text.slice(from);
}

/** Where the sequence that begins here ends; here, where none does. */
function sequenceEnd(text: string, at: number): number {
	const code = text.charCodeAt(at);
	if (code === csi) return controlEnd(text, at + 1) ?? at;
	if (controlStarts.has(code)) return stringEndAfter(text, at + 1);
	if (code !== esc) return at;
	const next = text.charCodeAt(at + 1);
	if (stringStarts.has(next)) return stringEndAfter(text, at + 2);
	if (next === bracket) return controlEnd(text, at + 2) ?? at + 2;
	const final = skip(text, at + 1, 0x20, 0x2f);
	return isWithin(text, final, 0x30, 0x7e) ? final + 1 : at;
}

/** After the parameters, the intermediate characters and the final one of a control sequence. */
function controlEnd(text: string, at: number): number | undefined {
	const final = skip(text, skip(text, at, 0x30, 0x3f), 0x20, 0x2f);
	return isWithin(text, final, 0x40, 0x7e) ? final + 1 : undefined;
}

// The end is optional: a search for one that is missing would begin again at every character.
function stringEndAfter(text: string, at: number): number {
	for (let end = at; end < text.length; end += 1) {
		const code = text.charCodeAt(end);
		if (code === bell || code === stringEnd) return end + 1;
		if (code === esc) return text.charCodeAt(end + 1) === backslash ? end + 2 : end;
	}
	return text.length;
}

function skip(text: string, from: number, low: number, high: number): number {
	let at = from;
	while (isWithin(text, at, low, high)) at += 1;
	return at;
}

function isWithin(text: string, at: number, low: number, high: number): boolean {
	const code = text.charCodeAt(at);
	return code >= low && code <= high;
}
