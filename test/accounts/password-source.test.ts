import { expect, test, vi } from 'vitest';
import { createPasswordSource, PasswordError } from '../../source/accounts/password-source.ts';

const { signal } = new AbortController();
const refused = { message: 'Invalid login credentials' };

test('every sign-in reads the configured password, and no person is asked', async () => {
	const own = vi.fn(async () => 'own');
	const ask = vi.fn(async () => 'typed');
	const source = createPasswordSource({ configured: { read: own }, ask });
	expect([await source(signal), await source(signal)]).toEqual(['own', 'own']);
	expect(own).toHaveBeenCalledTimes(2);
	expect(ask).not.toHaveBeenCalled();
});

test('after a refused password, a person is asked for another one and told the reason', async () => {
	const own = vi.fn(async () => 'own');
	const ask = vi.fn(async () => 'typed');
	const source = createPasswordSource({ configured: { read: own }, ask });
	await source(signal);
	expect(await source(signal, refused)).toBe('typed');
	expect(ask).toHaveBeenCalledExactlyOnceWith(signal, 'Invalid login credentials');
	expect(await source(signal)).toBe('typed');
	expect(own).toHaveBeenCalledOnce();
});

test('a typed password is remembered until the platform refuses it', async () => {
	const ask = vi.fn(async () => `typed-${ask.mock.calls.length}`);
	const source = createPasswordSource({ ask });
	expect([await source(signal), await source(signal)]).toEqual(['typed-1', 'typed-1']);
	expect(await source(signal, refused)).toBe('typed-2');
	expect(await source(signal)).toBe('typed-2');
});

test('the message says what to do if no person can be asked, and a refused password is not sent again', async () => {
	await expect(createPasswordSource({})(signal)).rejects.toThrow(/set CROWSNEST_PASSWORD/);
	const own = vi.fn(async () => 'own');
	const source = createPasswordSource({
		configured: { read: own, origin: 'CROWSNEST_PASSWORD', advice: 'Correct it' },
	});
	await source(signal);
	const refusal = {
		message: 'the password from CROWSNEST_PASSWORD was refused: Invalid login credentials',
		advice: 'Correct it',
	};
	await expect(source(signal, refused)).rejects.toMatchObject(refusal);
	await expect(source(signal, refused)).rejects.toMatchObject(refusal);
	expect(own).toHaveBeenCalledOnce();
});

test('a password command that failed runs again at the next sign-in', async () => {
	const own = vi.fn(async () => 'own').mockRejectedValueOnce(new Error('locked'));
	const source = createPasswordSource({ configured: { read: own } });
	await expect(source(signal)).rejects.toThrow('locked');
	expect(await source(signal)).toBe('own');
});

test('a person learns which password was refused: that of the environment, or the typed one', async () => {
	const typed = ['wrong', 'right'];
	const ask = vi.fn(async () => typed.shift() ?? '');
	const source = createPasswordSource({
		configured: { read: async () => 'own', origin: 'the passwordCommand' },
		ask,
	});
	await source(signal);
	await source(signal, refused);
	expect(await source(signal, refused)).toBe('right');
	expect(ask.mock.calls).toEqual([
		[
			signal,
			'the password from the passwordCommand was refused: Invalid login credentials. ' +
				'Type the right one, and correct the passwordCommand',
		],
		[signal, 'Invalid login credentials'],
	]);
});

test('the password that was just refused is not sent again, until the person has declined once', async () => {
	const typed = ['wrong', 'wrong', 'wrong', 'other'];
	const ask = vi.fn(async () => typed.shift() ?? Promise.reject(new PasswordError('declined')));
	const source = createPasswordSource({ ask });
	expect(await source(signal)).toBe('wrong');
	expect(await source(signal, refused)).toBe('other');
	expect(ask).toHaveBeenCalledTimes(4);
	expect(ask).toHaveBeenLastCalledWith(signal, expect.stringContaining('the same password'));
	await expect(source(signal, refused)).rejects.toThrow('Invalid login credentials');
	typed.push('other');
	expect(await source(signal, refused)).toBe('other');
});
