import { expect, test } from 'vitest';
import { linkTo } from '../../source/lines/theme.ts';

test('a web address becomes a terminal link, and all its parts carry the same link id', () => {
	const [one, other] = ['a', 'b'].map(text => linkTo(text, 'https://example.com/a?b=c#d'));
	expect(one).toMatch(
		/^\x1b\]8;id=[a-z0-9]+;https:\/\/example\.com\/a\?b=c#d\x1b\\a\x1b\]8;;\x1b\\$/,
	);
	expect(other?.replace('\\b', '\\a')).toBe(one);
	expect(linkTo('a', 'https://example.com/b')).not.toContain(/id=[a-z0-9]+/.exec(one ?? '')?.[0]);
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
