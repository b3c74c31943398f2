import { expect, test } from 'vitest';
import { linkTo } from '../../source/lines/theme.ts';

test('a web address becomes a terminal link', () => {
	const url = 'https://example.com/a?b=c#d';
	expect(linkTo('a', url)).toBe(`\x1b]8;;${url}\x1b\\a\x1b]8;;\x1b\\`);
});

test.each([
	'javascript:alert(1)',
	'file:///etc/passwd',
	'https://example.com/\x1b\\evil',
	'https://example.com/\x07',
	'https://example.com/with space',
	'https://münchen.example',
	'',
])('the address %j stays plain text and does not become a terminal link', url => {
	expect(linkTo('text', url)).toBe('text');
});
