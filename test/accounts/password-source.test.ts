import { expect, test, vi } from 'vitest';
import { createPasswordSource } from '../../source/accounts/password-command.ts';

const { signal } = new AbortController();
const refused = { message: 'Invalid login credentials' };

test('every sign-in reads the configured password, and no person is asked', async () => {
	const own = vi.fn(async () => 'own');
	const ask = vi.fn(async () => 'typed');
	const source = createPasswordSource({ configuredPassword: own, ask });
	expect([await source(signal), await source(signal)]).toEqual(['own', 'own']);
	expect(own).toHaveBeenCalledTimes(2);
	expect(ask).not.toHaveBeenCalled();
});

test('after a refused password a person is asked, with the reason, instead of sending it again', async () => {
	const own = vi.fn(async () => 'own');
	const ask = vi.fn(async () => 'typed');
	const source = createPasswordSource({ configuredPassword: own, ask });
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
	const source = createPasswordSource({ configuredPassword: own });
	await source(signal);
	await expect(source(signal, refused)).rejects.toThrow('was refused: Invalid login');
	await expect(source(signal, refused)).rejects.toThrow('was refused: Invalid login');
	expect(own).toHaveBeenCalledOnce();
});

test('a password command that failed runs again at the next sign-in', async () => {
	const own = vi.fn(async () => 'own').mockRejectedValueOnce(new Error('locked'));
	const source = createPasswordSource({ configuredPassword: own });
	await expect(source(signal)).rejects.toThrow('locked');
	expect(await source(signal)).toBe('own');
});
