import fc from 'fast-check';

// The units `binary` and `grapheme` of fast-check build a table of all characters of Unicode for shrinking,
// which takes more than a second and stays in memory for every file that follows.

const firstSurrogate = 0xd800;
const surrogateCount = 0x800;
const lastCodePoint = 0x10ffff;

/** Any code point, assigned or not, except a lone surrogate. */
export const anyCharacter = fc
	.integer({ min: 0, max: lastCodePoint - surrogateCount })
	.map(number => String.fromCodePoint(number < firstSurrogate ? number : number + surrogateCount));

const charactersIn = (...ranges: readonly (readonly [first: number, last: number])[]) =>
	fc
		.oneof(...ranges.map(([min, max]) => fc.integer({ min, max })))
		.map(codePoint => String.fromCodePoint(codePoint));

const ascii = charactersIn([0x20, 0x7e]);
const latin = charactersIn([0xa1, 0x24f], [0x1e00, 0x1eff]);
const otherScripts = charactersIn(
	[0x370, 0x52f],
	[0x5d0, 0x5ea],
	[0x620, 0x64a],
	[0x904, 0xdf4],
	[0xe01, 0xfff],
	[0x10a0, 0x17ff],
	[0x2030, 0x205e],
	[0x2070, 0x2bff],
	[0x10000, 0x1ffff],
);
const wide = charactersIn(
	[0x1100, 0x115f],
	[0x2e80, 0x9fff],
	[0xac00, 0xd7a3],
	[0xff01, 0xffe6],
	[0x20000, 0x2fa1f],
);
const emoji = charactersIn([0x1f300, 0x1f6ff], [0x1f900, 0x1faff], [0x2600, 0x27bf]);
const marks = charactersIn([0x300, 0x36f], [0x20d0, 0x20f0], [0xfe00, 0xfe0f], [0x1f3fb, 0x1f3ff]);
const region = charactersIn([0x1f1e6, 0x1f1ff]);

const joined = (...characters: readonly fc.Arbitrary<string>[]) =>
	fc.tuple(...characters).map(each => each.join(''));

/** A character as a person sees it, which may consist of several code points. */
export const anyGrapheme = fc.oneof(
	{ arbitrary: ascii, weight: 3 },
	latin,
	otherScripts,
	wide,
	emoji,
	joined(fc.oneof(ascii, latin, emoji), marks),
	joined(emoji, fc.constant('\u200d'), emoji),
	joined(region, region),
);
