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

export const withAsciiSigns = (text: string): string =>
	printable.test(text)
		? text
		: charactersOf(text)
				.map(each => letters[each] ?? each)
				.join('');

/** A character without a letter becomes question marks, so that the width stays the same. */
export function toAscii(text: string): string {
	if (printable.test(text)) return text;
	return charactersOf(text)
		.map(each => (printable.test(each) ? each : (letters[each] ?? '?'.repeat(cellsOf(each)))))
		.join('');
}
