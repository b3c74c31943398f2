import { expect, test } from 'vitest';
import { checkedAuthAddress, checkedBaseAddress } from '../../source/accounts/setting-values.ts';

test.each([
	['https://api.example.com/v1', 'https://api.example.com/v1'],
	['https://api.example.com/v1/', 'https://api.example.com/v1'],
	['https://api.example.com/prefix/v1', 'https://api.example.com/prefix/v1'],
	['http://127.0.0.1:8787/v1', 'http://127.0.0.1:8787/v1'],
	['http://[::1]:8787/v1', 'http://[::1]:8787/v1'],
	['http://localhost/v1', 'http://localhost/v1'],
])('the program accepts the platform address “%s”', (text, address) => {
	expect(checkedBaseAddress(text)).toEqual({ value: address });
});

test.each([
	['http://api.example.com/v1', /https/],
	['http://127.0.0.1.example.com/v1', /https/],
	['http://localhost.example.com/v1', /https/],
	['ftp://localhost/v1', /https/],
	['file:///v1', /https/],
	['api.example.com/v1', /https/],
	['', /https/],
	['https://api.example.com', /end in \/v1/],
	['https://api.example.com/v2', /end in \/v1/],
	['https://api.example.com/v1?key=secret', /must not contain \? or #/],
	['https://api.example.com/v1#secret', /must not contain \? or #/],
	['https://someone:secret@api.example.com/v1', /user name or a password/],
])(
	'the program refuses the address “%s” with a message that does not quote the address',
	(text, why) => {
		const { problem: wrong } = checkedBaseAddress(text);
		expect(wrong).toMatch(why);
		expect(wrong).not.toContain('secret');
	},
);

test.each([
	'https://id.example.com',
	'https://id.example.com/',
	'https://id.example.com/auth/v1',
	'https://id.example.com/auth/v1/token',
	'https://id.example.com/auth/v1/token?grant_type=password',
])('the program finds the address of the identity provider in “%s”', text => {
	expect(checkedAuthAddress(text)).toEqual({ value: 'https://id.example.com' });
});
