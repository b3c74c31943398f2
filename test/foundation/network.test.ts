import { expect, test } from 'vitest';
import { isSafeForSecrets } from '../../source/foundation/network.ts';
import { addressFrom } from '../../source/platform/decoding/decode.ts';

test('the program refuses an address that contains a user name or a password', () => {
	expect(addressFrom('https://example.com/p/8080')).toBe('https://example.com/p/8080');
	expect(addressFrom('https://user:pw@example.com/')).toBeUndefined();
	expect(addressFrom('https://api.example.com@other.example/')).toBeUndefined();
	expect(isSafeForSecrets(new URL('https://:pw@example.com/'))).toBe(false);
});
