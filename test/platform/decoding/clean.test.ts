import { expect, test } from 'vitest';
import { cleanLine, cleanText } from '../../../source/platform/decoding/clean.ts';

test.each([
	['\x1b[31mred\x1b[0m', 'red'],
	['\x9b1;31mred', 'red'],
	['before\x1b]0;a title\x07after', 'beforeafter'],
	['before\x1b]8;;https://evil.example\x1b\\after', 'beforeafter'],
	['before\x1bPdevice control\x1b\\after', 'beforeafter'],
	['an end\x1b]52;c;never closed', 'an end'],
	['charset\x1b(0qq', 'charsetqq'],
	['a\x9dhidden\x1b[0mb', 'ab'],
	['a\x1b]0;title\x1b[31mb', 'ab'],
	[`${'\x9d'.repeat(3_999)}\x1b`, ''],
	['two\nlines\r\nand\ttabs', 'two lines and tabs'],
	['invoice\u202Efdp.exe', 'invoicefdp.exe'],
	['ad\u200Bmin', 'admin'],
	['a\u2066b\u2069c', 'abc'],
	['tag\u{E0041}ged', 'tagged'],
	['lone \ud83d surrogate', 'lone  surrogate'],
	['  trimmed  ', 'trimmed'],
	['grüße 東京 🚀', 'grüße 東京 🚀'],
])('the client cleans the text %j to %j', (text, clean) => {
	expect(cleanText(text)).toBe(clean);
});

test('the client limits the combining marks on a letter, and the length of a text', () => {
	expect(cleanText(`z${'\u0301'.repeat(40)}`)).toBe(`z${'\u0301'.repeat(3)}`);
	expect(cleanText('x'.repeat(100_000))).toHaveLength(4000);
});

test.each([
	['status:stopped', 'status:stopped'],
	[' and more ', ' and more '],
	['\x1b[1;31matlas\x1b[0m', 'atlas'],
	['\x9b31matlas', 'atlas'],
	['atlas\nborealis\n', 'atlas'],
	['atlas\r\n', 'atlas'],
	['atlas\u2028borealis', 'atlas'],
	['atlas\tborealis', 'atlas borealis'],
	['\x1b]0;a\ntitle\x07atlas', 'atlas'],
	['at\u0007l\u200bas\u202e', 'atlas'],
	['東京 🚀', '東京 🚀'],
])('of the pasted text %j, the input field gets %j', (text, line) => {
	expect(cleanLine(text)).toBe(line);
});

test('the client limits the length of a pasted line', () => {
	expect(cleanLine('x'.repeat(100_000))).toHaveLength(4000);
});

test.each([
	['a pair of surrogates', `${'x'.repeat(8)}🚀`, 'x'.repeat(8)],
	['a letter and its mark', `${'x'.repeat(8)}e\u0301y`, 'x'.repeat(8)],
	['the two letters of a flag', `${'x'.repeat(4)}🇩🇪🇫🇷`, `${'x'.repeat(4)}🇩🇪`],
	['an emoji and its skin tone', `${'x'.repeat(7)}👍🏽y`, 'x'.repeat(7)],
	['the parts of a syllable', `${'x'.repeat(8)}\u1112\u1161\u11ab`, 'x'.repeat(8)],
])('the client never shortens a long text inside %s', (_, text, rest) => {
	expect(cleanText(text, 10)).toBe(text.length > 10 ? `${rest}…` : text);
});

test('the client does not cut a text that is short enough after its escape sequences are removed', () => {
	expect(cleanText('\x1b[31ma\x1b[0mb'.repeat(5), 10)).toBe('ab'.repeat(5));
});

test('the client reads only the beginning of a text that is far too long', () => {
	expect(cleanText(`${'\u200b'.repeat(4_500)}atlas`)).toBe('');
	expect(cleanText(`${'\u200b'.repeat(4_400)}atlas`)).toBe('atlas');
	expect(cleanText(`a${'\u200b'.repeat(16_000_000)}`, 500)).toBe('…');
});
