import { expect, test, vi } from 'vitest';
import { createPasswordRequest } from '../../source/accounts/password-request.ts';

const about = { profile: 'work', email: 'owner@example.com', host: 'id.example.com' };
const never = () => new AbortController().signal;

function openRequest() {
	const created = createPasswordRequest(about);
	const listener = vi.fn();
	const unsubscribe = created.subscribe(listener);
	return { request: created, listener, unsubscribe };
}

test('a sign-in gets the password that was typed into the dialog', async () => {
	const { request, listener } = openRequest();
	expect(request.prompt()).toBeUndefined();
	const password = request.ask(never(), 'Invalid login credentials');
	expect(request.prompt()).toEqual({ ...about, problem: 'Invalid login credentials' });
	expect(request.prompt()).toBe(request.prompt());
	expect(listener).toHaveBeenCalledOnce();
	request.submit('hunter2');
	expect(await password).toBe('hunter2');
	expect(request.prompt()).toBeUndefined();
	expect(listener).toHaveBeenCalledTimes(2);
	expect(JSON.stringify(request)).not.toContain('hunter2');
});

test('a closed password dialog stays closed until a person opens it', async () => {
	const { request } = openRequest();
	const first = request.ask(never());
	request.cancel();
	await expect(first).rejects.toThrow('no password was given');
	await expect(request.ask(never())).rejects.toThrow('no password was given');
	expect(request.prompt()).toBeUndefined();
	request.open();
	expect(request.prompt()).toEqual(about);
	const next = request.ask(never());
	request.submit('typed');
	expect(await next).toBe('typed');
});

test('a password that was typed before a sign-in is used for the next sign-in, and only once', async () => {
	const { request } = openRequest();
	request.open();
	request.submit('typed');
	expect(request.prompt()).toBeUndefined();
	expect(await request.ask(never())).toBe('typed');
	await expect(request.ask(never())).rejects.toThrow('no password was given');
});

test('the dialog asks again after a refused password, and says why', async () => {
	const { request } = openRequest();
	const first = request.ask(never());
	request.submit('wrong');
	await first;
	const second = request.ask(never(), 'Invalid login credentials');
	expect(request.prompt()).toMatchObject({ ...about, problem: 'Invalid login credentials' });
	request.submit('right');
	expect(await second).toBe('right');
});

test('the dialog counts the refused passwords with the time of the last one, until a sign-in succeeds', async () => {
	let now = 1_000;
	const request = createPasswordRequest(about, { now: () => now });
	void request.ask(never(), 'the command failed');
	expect(request.prompt()).toEqual({ ...about, problem: 'the command failed' });
	for (const refusedCount of [1, 2]) {
		request.submit('wrong');
		now += 1_000;
		void request.ask(never(), 'Invalid');
		expect(request.prompt()).toEqual({
			...about,
			problem: 'Invalid',
			refusedCount,
			refusedAt: now,
		});
	}
	request.submit('right');
	request.reportAccepted();
	void request.ask(never(), 'Invalid').catch(() => {});
	request.open();
	expect(request.prompt()).toEqual({ ...about, problem: 'Invalid' });
});

test('the dialog does not open by itself when a password is refused that was accepted before', async () => {
	const { request } = openRequest();
	const first = request.ask(never());
	request.submit('right');
	await first;
	request.reportAccepted();
	await expect(request.ask(never(), 'Invalid login credentials')).rejects.toThrow();
	expect(request.prompt()).toBeUndefined();
	request.open();
	expect(request.prompt()).toEqual({ ...about, problem: 'Invalid login credentials' });
});

test('the dialog does not open by itself while a person uses the table', async () => {
	const request = createPasswordRequest(about, { mayOpenByItself: () => false });
	await expect(request.ask(never())).rejects.toThrow('no password was given');
	expect(request.prompt()).toBeUndefined();
});

test('the dialog closes when the sign-in is aborted', async () => {
	const { request, listener } = openRequest();
	const controller = new AbortController();
	const password = request.ask(controller.signal);
	controller.abort();
	await expect(password).rejects.toThrow('no password was given');
	expect(request.prompt()).toBeUndefined();
	expect(listener).toHaveBeenCalledTimes(2);
	await expect(request.ask(controller.signal)).rejects.toThrow();
});

test('the password dialog ignores a password that is submitted while the dialog is closed', async () => {
	const { request, listener, unsubscribe } = openRequest();
	request.submit('stray');
	const password = request.ask(never());
	request.submit('meant');
	expect(await password).toBe('meant');
	unsubscribe();
	listener.mockClear();
	request.cancel();
	expect(listener).not.toHaveBeenCalled();
});

test('the password dialog ignores an aborted sign-in after the password was submitted', async () => {
	const { request } = openRequest();
	const controller = new AbortController();
	const first = request.ask(controller.signal);
	request.submit('one');
	expect(await first).toBe('one');
	request.open();
	const second = request.ask(never());
	controller.abort();
	expect(request.prompt()).toEqual(about);
	request.submit('two');
	expect(await second).toBe('two');
});
