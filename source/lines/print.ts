import { type Line, spansOf } from './line.ts';
import { textOf } from './span.ts';

/** The line in a pipe: its text without the margin, in which the screen has its cursor. */
export function plainText(line: Line): string {
	if (line.url) return line.url;
	const text = textOf(spansOf(line)).trimEnd();
	return text.slice(Math.min(line.margin ?? 1, text.length - text.trimStart().length));
}

/** Lines in a pipe. An address that is broken over several lines is printed once. */
export const plainTexts = (lines: readonly Line[]): readonly string[] =>
	lines.filter(({ url }, at) => url === undefined || url !== lines[at - 1]?.url).map(plainText);

/** Whether speech reads the line: not a drawing, and not an address that goes on from the line before. */
export const isSpoken = (
	{ isDrawing, isGap, spoken, url }: Line,
	at: number,
	all: readonly Line[],
) => !isDrawing && !isGap && spoken !== '' && (url === undefined || url !== all[at - 1]?.url);

/** What speech reads of a line, without the signs that repeat a word. */
export function spokenText(line: Line): string {
	if (line.url) return line.url;
	return line.spoken ?? textOf(spansOf(line).filter(([, tone]) => tone !== 'drawing')).trim();
}
