import { encode } from 'uqr';
import { memoize } from '../foundation/memoize.ts';
import type { Glyphs } from './glyphs.ts';

// The standard requires a margin of this many modules around a QR code.
const quietZoneCells = 4;

// The QR code of a text with more characters than this would not fit into any window.
const maxTextLength = 1000;

export type QrRenderer = (
	text: string,
	halves: Glyphs['halfBlocks'],
) => readonly string[] | undefined;

/** Returns the text as a QR code in half blocks, or undefined where it cannot be shown. */
export function createQrRenderer(): QrRenderer {
	return memoize((text, halves) => {
		if (!halves || text.length > maxTextLength) return undefined;
		const { data } = encode(text, { border: quietZoneCells });
		const rows = Array.from({ length: Math.ceil(data.length / 2) }, (_, row) => row * 2);
		return rows.map(row =>
			(data[row] ?? [])
				.map((isUpper, at) => {
					const isLower = data[row + 1]?.[at] ?? false;
					if (isUpper) return isLower ? halves.full : halves.upper;
					return isLower ? halves.lower : ' ';
				})
				.join(''),
		);
	});
}
