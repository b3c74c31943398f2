import { cellsOf, charactersOf } from './measure.ts';

/** What stands for each sign of the screen where a terminal has no Unicode: one letter for each cell. */
const letters: Readonly<Record<string, string>> = {
	'●': '*',
	'◐': '~',
	'○': 'o',
	'✖': 'x',
	'✔': '+',
	'↑': '^',
	'❯': '>',
	'◷': '@',
	'━': '=',
	'╸': '=',
	'─': '-',
	'│': '|',
	'╭': '+',
	'╮': '+',
	'╰': '+',
	'╯': '+',
	'┊': '|',
	'╌': '.',
	'·': '-',
	'…': '~',
	'–': '-',
	'−': '-',
	'≥': '>',
	'≈': '~',
	'→': '>',
	'←': '<',
	'▲': '^',
	'▼': 'v',
	'▸': '+',
	'▾': '-',
	'▪': '+',
	'▏': '_',
	'▁': '_',
	'▂': '.',
	'▃': '-',
	'▄': '-',
	'▅': '=',
	'▆': '*',
	'▇': '#',
	'█': '#',
	'░': '-',
	'▒': '~',
	'■': '#',
	'␣': '_',
	'×': 'x',
	'•': '*',
};

const printable = /^[\x20-\x7e]*$/;

/** Writes the signs of the screen in ASCII, and leaves every other character as it is. */
export const withAsciiSigns = (text: string): string =>
	printable.test(text)
		? text
		: charactersOf(text)
				.map(each => letters[each] ?? each)
				.join('');

/** Converts the text to ASCII of the same width. A character without a letter becomes question marks. */
export function toAscii(text: string): string {
	if (printable.test(text)) return text;
	return charactersOf(text)
		.map(each => (printable.test(each) ? each : (letters[each] ?? '?'.repeat(cellsOf(each)))))
		.join('');
}
