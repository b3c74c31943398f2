import { expect, test } from 'vitest';
import { cleanLine, cleanText } from '../../source/platform/clean.ts';

test.each([
	['\x1b[31mred\x1b[0m', 'red'],
	['\x9b1;31mred', 'red'],
	['before\x1b]0;a title\x07after', 'beforeafter'],
	['before\x1b]8;;https://evil.example\x1b\\after', 'beforeafter'],
	['before\x1bPdevice control\x1b\\after', 'beforeafter'],
	['an end\x1b]52;c;never closed', 'an end'],
	['charset\x1b(0qq', 'charsetqq'],
	['two\nlines\r\nand\ttabs', 'two lines and tabs'],
	['invoice\u202Efdp.exe', 'invoicefdp.exe'],
	['ad\u200Bmin', 'admin'],
	['a\u2066b\u2069c', 'abc'],
	['tag\u{E0041}ged', 'tagged'],
	['lone \ud83d surrogate', 'lone  surrogate'],
	['  trimmed  ', 'trimmed'],
	['grüße 東京 🚀', 'grüße 東京 🚀'],
])('%j reads %j', (text, clean) => {
	expect(cleanText(text)).toBe(clean);
});

test('marks do not pile up, and no text is endless', () => {
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
])('%j is typed as %j', (text, line) => {
	expect(cleanLine(text)).toBe(line);
});

test('no line that is typed is endless', () => {
	expect(cleanLine('x'.repeat(100_000))).toHaveLength(4000);
});
