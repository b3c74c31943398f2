import { expect, test, vi } from 'vitest';
import { createPasswordDesk } from '../../source/accounts/password-desk.ts';

const about = { profile: 'work', email: 'owner@example.com', host: 'id.example.com' };
const never = () => new AbortController().signal;

function desk() {
	const created = createPasswordDesk(about);
	const listener = vi.fn();
	const unsubscribe = created.subscribe(listener);
	return { desk: created, listener, unsubscribe };
}

test('a sign-in asks, a dialog sees it and gives what was typed', async () => {
	const { desk: it, listener } = desk();
	expect(it.wanted()).toBeUndefined();
	const password = it.ask(never(), 'Invalid login credentials');
	expect(it.wanted()).toEqual({ ...about, why: 'Invalid login credentials' });
	expect(it.wanted()).toBe(it.wanted());
	expect(listener).toHaveBeenCalledOnce();
	it.give('hunter2');
	expect(await password).toBe('hunter2');
	expect(it.wanted()).toBeUndefined();
	expect(listener).toHaveBeenCalledTimes(2);
	expect(JSON.stringify(it)).not.toContain('hunter2');
});

test('who declines is not asked again until wanting it', async () => {
	const { desk: it } = desk();
	const first = it.ask(never());
	it.decline();
	await expect(first).rejects.toThrow('no password was given');
	expect(it.isDeclined()).toBe(true);
	await expect(it.ask(never())).rejects.toThrow('no password was given');
	expect(it.wanted()).toBeUndefined();
	it.reopen();
	expect(it.isDeclined()).toBe(false);
	const next = it.ask(never());
	expect(it.wanted()).toEqual(about);
	it.give('typed');
	expect(await next).toBe('typed');
});

test('the dialog goes when the sign-in is called off', async () => {
	const { desk: it, listener } = desk();
	const controller = new AbortController();
	const password = it.ask(controller.signal);
	controller.abort();
	await expect(password).rejects.toThrow('no password was given');
	expect(it.wanted()).toBeUndefined();
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
	it.decline();
	expect(listener).not.toHaveBeenCalled();
});

test('an abort that comes after the answer changes nothing', async () => {
	const { desk: it } = desk();
	const controller = new AbortController();
	const first = it.ask(controller.signal);
	it.give('one');
	expect(await first).toBe('one');
	const second = it.ask(never());
	controller.abort();
	expect(it.wanted()).toEqual(about);
	it.give('two');
	expect(await second).toBe('two');
});
