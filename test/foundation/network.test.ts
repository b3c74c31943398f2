import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainAddress, isSafeForSecrets } from '../../source/foundation/network.ts';
import { addressFrom } from '../../source/platform/decoding/decode.ts';

test('the program refuses an address that contains a user name or a password', () => {
	expect(addressFrom('https://example.com/p/8080')).toBe('https://example.com/p/8080');
	expect(addressFrom('https://user:pw@example.com/')).toBeUndefined();
	expect(addressFrom('https://api.example.com@other.example/')).toBeUndefined();
	expect(isSafeForSecrets(new URL('https://:pw@example.com/'))).toBe(false);
});

test('an address that is not parsed is safe, and parsing would not change it', () => {
	expect(isPlainAddress('https://a-1.example.com/p/8080')).toBe(true);
	expect(isPlainAddress('http://127.0.0.1:43787/v1/p/sb_1/8080')).toBe(true);
	const piece = fc.constantFrom(
		...[
			'https',
			'http',
			'://',
			'example',
			'.',
			'com',
			'xn--',
			'127.0.0.1',
			'127.1',
			'0',
			'80',
			'443',
		],
		...[
			':',
			'8080',
			'65536',
			'/',
			'..',
			'%2e',
			'?',
			'#',
			'@',
			'A',
			'~',
			'_',
			'-',
			'\\',
			' ',
			'localhost',
		],
	);
	const begin = fc.constantFrom('https://', 'https://a.example.com', 'http://127.0.0.1:', '');
	fc.assert(
		fc.property(begin, fc.array(piece, { maxLength: 6 }), (first, pieces) => {
			const address = [first, ...pieces].join('');
			if (!isPlainAddress(address)) return;
			const url = new URL(address);
			expect([url.href, isSafeForSecrets(url)]).toEqual([address, true]);
		}),
		{ numRuns: 3_000 },
	);
});
