import { cellsOf, charactersOf } from './span.ts';

/** Each sign of the screen before the letter that stands for it where a terminal has no Unicode. */
const pairs = `
	●* ◐~ ○o ✖x ✔+ ↑^ ❯> ◷@ ·- …~ –- −- ≥> ≈~ →> ←< ▲^ ▼v ▸+ ▾- ▪+ ◆# ×x •* ␣_
	━= ╸= ─- │| ╭+ ╮+ ╰+ ╯+ ┊| ╌. ▏_ ▁_ ▂. ▃- ▄- ▅= ▆* ▇# █# ░- ▒~ ■#`;

const letters = new Map(
	pairs
		.trim()
		.split(/\s+/)
		.map(([sign, letter = '']) => [sign, letter]),
);

const printable = /^[\x20-\x7e]*$/;

const replaced = (text: string, otherwise: (character: string) => string): string =>
	printable.test(text)
		? text
		: charactersOf(text)
				.map(each => (printable.test(each) ? each : (letters.get(each) ?? otherwise(each))))
				.join('');

export const withAsciiSigns = (text: string): string => replaced(text, each => each);

/** A character without a letter becomes question marks, so that the width stays the same. */
export const toAscii = (text: string): string => replaced(text, each => '?'.repeat(cellsOf(each)));
