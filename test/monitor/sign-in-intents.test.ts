import { expect, test } from 'vitest';
import { createPasswordRequest } from '../../source/accounts/password-request.ts';
import { createPasswordIntents } from '../../source/monitor/sign-in-intents.ts';
import { createHeldClock } from '../held-clock.ts';

const about = { email: 'owner@example.com', host: 'id.example.com' };

function open() {
	const clock = createHeldClock();
	const passwordRequest = createPasswordRequest(about);
	const typing: number[] = [];
	const passwords = createPasswordIntents(passwordRequest, clock, letters => typing.push(letters));
	return {
		clock,
		passwordRequest,
		typing,
		passwords,
		ask: (why?: string) => passwordRequest.ask(new AbortController().signal, why),
		press(...keys: readonly string[]) {
			for (const key of keys) passwords.press({ key });
		},
	};
}

test('the password dialog ignores keys until it has been visible for 300 ms', async () => {
	const { clock, passwords, press, typing, ask } = open();
	const given = ask();
	press(...'/web', 'enter');
	clock.move(5000);
	press('x');
	passwords.onVisible();
	clock.move(299);
	press(...'/web', 'enter', 'escape');
	passwords.press({ paste: 'hunter2' });
	expect(typing).toEqual([]);
	expect(passwords.isOpen()).toBe(true);
	clock.move(1);
	press(...'secret', 'enter');
	expect(await given).toBe('secret');
});

test('the password dialog after a wrong password ignores keys until it has been visible for 300 ms', async () => {
	const { clock, passwords, press, ask } = open();
	const first = ask();
	passwords.onVisible();
	clock.move(300);
	press('a', 'enter');
	expect(await first).toBe('a');
	const second = ask('Invalid login credentials');
	press('b', 'enter');
	passwords.onVisible();
	press('c', 'enter');
	clock.move(300);
	press('d', 'enter');
	expect(await second).toBe('d');
});

test('after the clock was set back, the password dialog ignores keys for another 300 ms, and not longer', () => {
	const { clock, passwords, press, typing, ask } = open();
	void ask().catch(() => {});
	passwords.onVisible();
	clock.jump(-3_600_000);
	clock.move(400);
	press('a');
	expect(typing).toEqual([]);
	clock.move(300);
	press('a');
	expect(typing).toEqual([1]);
});

test('a paste into the password dialog is inserted and never submits', async () => {
	const { clock, passwords, press, ask } = open();
	const given = ask();
	passwords.onVisible();
	clock.move(300);
	passwords.press({ paste: 'hun\u0007ter\x1b\r\nnext\n' });
	expect(passwords.isOpen()).toBe(true);
	press('2', 'enter');
	expect(await given).toBe('hunter2');
});
