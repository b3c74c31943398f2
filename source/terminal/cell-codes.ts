import type { Grid } from './grid.ts';
import { plain, type Style, seenOnBlank } from './style.ts';

/** Far more than any screen has. */
const mostStyles = 4096;

/**
 * Gives every cell of some grids a number, the same for cells that look the same: whoever compares
 * each row with many others compares numbers.
 */
export function createCellCodes(): (grid: Grid) => Int32Array {
	const glyphs = new Map<string, number>();
	const looks = new Map<string, number>();
	const inked = new Map<Style, number>();
	const blank = new Map<Style, number>();

	function numberOf(style: Style, isBlank: boolean): number {
		const known = isBlank ? blank : inked;
		let number = known.get(style);
		if (number !== undefined) return number;
		const look = lookOf(style, isBlank);
		number = looks.get(look) ?? looks.size;
		looks.set(look, number);
		known.set(style, number);
		return number;
	}

	return ({ glyphs: cells, styles }) => {
		const codes = new Int32Array(cells.length);
		for (let at = 0; at < cells.length; at++) {
			const glyph = cells[at] ?? ' ';
			let number = glyphs.get(glyph);
			if (number === undefined) {
				number = glyphs.size;
				glyphs.set(glyph, number);
			}
			codes[at] = number * mostStyles + numberOf(styles[at] ?? plain, glyph === ' ');
		}
		return codes;
	};
}

/** What of a style can be seen, as `isSameCell` has it. */
function lookOf({ foreground, background, flags, underline, link }: Style, isBlank: boolean) {
	const isBare = isBlank && link === '' && (flags & seenOnBlank) === 0;
	return isBare ? `${background}` : `${foreground};${background};${flags};${underline};${link}`;
}
