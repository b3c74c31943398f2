import { expect, test } from 'vitest';
import { ledgerName } from '../../source/pace/ledger-name.ts';

test('one account has one name, however it is written', () => {
	const name = ledgerName('https://api.example.com/v1', 'Owner@example.com ');
	expect(name).toBe(ledgerName('https://API.example.com/v1/', 'owner@example.com'));
	expect(name).toMatch(/^pace-[0-9a-f]{16}$/);
});

test('another user or another service has another name', () => {
	const names = [
		ledgerName('https://api.example.com/v1', 'a'),
		ledgerName('https://api.example.com/v1', 'b'),
		ledgerName('https://api.example.com/v2', 'a'),
		ledgerName('http://api.example.com/v1', 'a'),
	];
	expect(new Set(names).size).toBe(4);
});
