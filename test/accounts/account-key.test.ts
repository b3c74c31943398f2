import { expect, test } from 'vitest';
import { accountKey } from '../../source/accounts/credentials.ts';

const keyOf = (baseUrl: string, user: string) => accountKey({ baseUrl, user });

test('an account has one key, however its address and its user are written', () => {
	const key = keyOf('https://api.example.com/v1', 'Owner@example.com ');
	expect(key).toBe(keyOf('https://API.example.com/v1/', 'owner@example.com'));
	expect(key).toMatch(/^[0-9a-f]{16}$/);
});

test('a different user or a different service has a different key', () => {
	const keys = [
		keyOf('https://api.example.com/v1', 'a'),
		keyOf('https://api.example.com/v1', 'b'),
		keyOf('https://api.example.com/v2', 'a'),
		keyOf('http://api.example.com/v1', 'a'),
	];
	expect(new Set(keys).size).toBe(4);
});

test('the key of an account stays the same in every version, because files are named after it', () => {
	expect(keyOf('http://127.0.0.1:38787/v1', 'owner@example.com')).toBe('38520c86827be356');
});
