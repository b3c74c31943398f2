/** Pairs of first and last. Terminals agree on their width, and they never combine; all others are measured one by one. */
const narrowRanges = [
	0x20, 0x7e, 0xa0, 0xac, 0xae, 0x2ff, 0x370, 0x482, 0x48a, 0x52f, 0x1e00, 0x1fff, 0x2010, 0x2027,
	0x2030, 0x205e, 0x2070, 0x209c, 0x20a0, 0x20bf, 0x2100, 0x2319, 0x231c, 0x2328, 0x232b, 0x23e8,
	0x2400, 0x24ff, 0x2500, 0x25fc, 0x2713, 0x2727, 0x276c, 0x2775, 0x2798, 0x27af, 0x27c0, 0x2b1a,
];
const wideRanges = [
	0x3000, 0x3029, 0x3041, 0x3096, 0x30a1, 0x30ff, 0x3400, 0x4dbf, 0x4e00, 0x9fff, 0xac00, 0xd7a3,
	0xff01, 0xff60,
];

/** 0 if the UTF-16 code unit is no plain character. */
export function plainWidth(codeUnit: number): 0 | 1 | 2 {
	if (codeUnit < 0x7f) return codeUnit >= 0x20 ? 1 : 0;
	if (isInRanges(narrowRanges, codeUnit)) return 1;
	return codeUnit >= 0x3000 && isInRanges(wideRanges, codeUnit) ? 2 : 0;
}

function isInRanges(ranges: readonly number[], codeUnit: number): boolean {
	for (let at = 0; at < ranges.length; at += 2) {
		if (codeUnit < (ranges[at] ?? 0)) return false;
		if (codeUnit <= (ranges[at + 1] ?? 0)) return true;
	}
	return false;
}

export const hasKnownWidth = (glyph: string) =>
	glyph.length === 1 && plainWidth(glyph.charCodeAt(0)) > 0;

const styleSequences = /\u001B(?:\[[\d;:]*m|\]8;[^\u0007\u001B]*(?:\u0007|\u001B\\))/g;

/** Undefined unless the text has only plain characters, styles and links. The build puts it before string-width. */
export function plainTextWidth(text: string): number | undefined {
	const bare = text.replace(styleSequences, '');
	if (/^[\x20-\x7e]*$/.test(bare)) return bare.length;
	let cells = 0;
	for (let at = 0; at < bare.length; at += 1) {
		const width = plainWidth(bare.charCodeAt(at));
		if (width === 0) return undefined;
		cells += width;
	}
	return cells;
}
