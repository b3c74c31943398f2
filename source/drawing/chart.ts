import type { CreditSample } from '../fleet/computers/runway.ts';
import type { Theme, Tone } from '../lines/theme.ts';
import type { Span } from './span.ts';

/** One value for each cell from left to right; undefined where the balance was not read. */
type CellValues = readonly (number | undefined)[];

/**
 * Returns for each cell the last balance that was read in the period that the cell stands for, or an
 * interpolated balance.
 */
export function cellValuesFrom(
	samples: readonly CreditSample[],
	from: number,
	to: number,
	cells: number,
): CellValues {
	const step = (to - from) / cells;
	let place = samples.findIndex(({ at }) => at >= from);
	if (place < 0) place = samples.length;
	return Array.from({ length: cells }, (_, cell) => {
		const [begin, end] = [from + cell * step, from + (cell + 1) * step];
		const before = place;
		while ((samples[place]?.at ?? Infinity) < end) place += 1;
		const [earlier, later] = [samples[place - 1], samples[place]];
		if (place > before) return earlier?.balance;
		if (!earlier || !later) return undefined;
		if (later.at - earlier.at > maxSampleGap(to - later.at)) return undefined;
		const share = ((begin + end) / 2 - earlier.at) / (later.at - earlier.at);
		return earlier.balance + share * (later.balance - earlier.balance);
	});
}

const hour = 3_600_000;

// Old samples are thinned out, so there only a longer gap means that nothing was read.
function maxSampleGap(age: number): number {
	return age > 72 * hour ? 6 * hour : hour;
}

/**
 * Writes each text so that it ends at its cell. A text at the left edge begins at its cell, and a text without room
 * is left out.
 */
export function axisText(cells: number, texts: readonly { at: number; text: string }[]): string {
	let line = ' '.repeat(cells);
	for (const { at, text } of texts) {
		const from = Math.max(0, Math.min(at - text.length, cells - text.length));
		const around = line.slice(Math.max(0, from - 1), from + text.length + 1);
		if (text.length > cells || around.trim() !== '') continue;
		line = line.slice(0, from) + text + line.slice(from + text.length);
	}
	return line;
}

/** Draws a bar of exactly `cells` cells, filled to `share` (0 to 1). */
export function barSpans(
	share: number,
	cells: number,
	{ glyphs }: Theme,
	tone: Tone,
): readonly Span[] {
	const { full, partlyFull: parts, empty } = glyphs.bar;
	const steps = parts.length + 1;
	const filled = Math.round(Math.max(0, Math.min(share, 1)) * cells * steps);
	const whole = Math.floor(filled / steps);
	const part = parts[(filled % steps) - 1] ?? '';
	return [
		[full.repeat(whole) + part, tone],
		[empty.repeat(cells - whole - (part === '' ? 0 : 1)), 'faint'],
	];
}
