import { expect, test, vi } from 'vitest';
import { createPasswordRequest } from '../../source/accounts/password-request.ts';

const about = { profile: 'work', email: 'owner@example.com', host: 'id.example.com' };
const never = () => new AbortController().signal;

function desk() {
	const created = createPasswordRequest(about);
	const listener = vi.fn();
	const unsubscribe = created.subscribe(listener);
	return { desk: created, listener, unsubscribe };
}

test('a sign-in asks, a dialog sees it and gives what was typed', async () => {
	const { desk: it, listener } = desk();
	expect(it.prompt()).toBeUndefined();
	const password = it.ask(never(), 'Invalid login credentials');
	expect(it.prompt()).toEqual({ ...about, why: 'Invalid login credentials' });
	expect(it.prompt()).toBe(it.prompt());
	expect(listener).toHaveBeenCalledOnce();
	it.give('hunter2');
	expect(await password).toBe('hunter2');
	expect(it.prompt()).toBeUndefined();
	expect(listener).toHaveBeenCalledTimes(2);
	expect(JSON.stringify(it)).not.toContain('hunter2');
});

test('a dialog that was closed stays closed until a person opens it', async () => {
	const { desk: it } = desk();
	const first = it.ask(never());
	it.cancel();
	await expect(first).rejects.toThrow('no password was given');
	await expect(it.ask(never())).rejects.toThrow('no password was given');
	expect(it.prompt()).toBeUndefined();
	it.open();
	expect(it.prompt()).toEqual(about);
	const next = it.ask(never());
	it.give('typed');
	expect(await next).toBe('typed');
});

test('a password that is typed before the sign-in asks waits for it, once', async () => {
	const { desk: it } = desk();
	it.open();
	it.give('typed');
	expect(it.prompt()).toBeUndefined();
	expect(await it.ask(never())).toBe('typed');
	await expect(it.ask(never())).rejects.toThrow('no password was given');
});

test('a password that is refused is asked for again, and says why', async () => {
	const { desk: it } = desk();
	const first = it.ask(never());
	it.give('wrong');
	await first;
	const second = it.ask(never(), 'Invalid login credentials');
	expect(it.prompt()).toEqual({ ...about, why: 'Invalid login credentials' });
	it.give('right');
	expect(await second).toBe('right');
});

test('after a password was good, a later refusal opens nothing by itself', async () => {
	const { desk: it } = desk();
	const first = it.ask(never());
	it.give('right');
	await first;
	it.accepted();
	await expect(it.ask(never(), 'Invalid login credentials')).rejects.toThrow();
	expect(it.prompt()).toBeUndefined();
	it.open();
	expect(it.prompt()).toEqual({ ...about, why: 'Invalid login credentials' });
});

test('nothing opens by itself over something that a person works with', async () => {
	const it = createPasswordRequest(about, () => false);
	await expect(it.ask(never())).rejects.toThrow('no password was given');
	expect(it.prompt()).toBeUndefined();
});

test('the dialog goes when the sign-in is called off', async () => {
	const { desk: it, listener } = desk();
	const controller = new AbortController();
	const password = it.ask(controller.signal);
	controller.abort();
	await expect(password).rejects.toThrow('no password was given');
	expect(it.prompt()).toBeUndefined();
	expect(listener).toHaveBeenCalledTimes(2);
	await expect(it.ask(controller.signal)).rejects.toThrow();
});

test('what is given when nobody asks goes nowhere', async () => {
	const { desk: it, listener, unsubscribe } = desk();
	it.give('stray');
	const password = it.ask(never());
	it.give('meant');
	expect(await password).toBe('meant');
	unsubscribe();
	listener.mockClear();
	it.cancel();
	expect(listener).not.toHaveBeenCalled();
});

test('an abort that comes after the answer changes nothing', async () => {
	const { desk: it } = desk();
	const controller = new AbortController();
	const first = it.ask(controller.signal);
	it.give('one');
	expect(await first).toBe('one');
	it.open();
	const second = it.ask(never());
	controller.abort();
	expect(it.prompt()).toEqual(about);
	it.give('two');
	expect(await second).toBe('two');
});
