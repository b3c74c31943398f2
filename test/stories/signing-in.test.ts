import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorkAndLab } from '../cli/host.ts';
import { openConfiguredMonitor } from '../driver/configured-monitor.ts';
import { openMonitor } from '../driver/monitor.ts';
import { openSeveralAccounts } from '../driver/several-accounts.ts';
import { openSpokenMonitor } from '../driver/spoken.ts';

const second = 1_000;
const minute = 60 * second;

/** Opens a monitor and signs in with a typed password. */
async function openSignedIn(options: Parameters<typeof openMonitor>[0] = {}) {
	const monitor = await openMonitor({ asksForPassword: true, profile: 'test', ...options });
	await monitor.see('Sign in to test');
	await monitor.answer(monitor.simulator.password, 'enter').see('atlas', 'live, ');
	return monitor;
}

/** Opens a monitor that signed in with a typed password, and makes the platform refuse its token. */
async function openSignedOut() {
	const monitor = await openSignedIn();
	await monitor.revoke();
	await monitor.pass(10 * second).see('✖ signed out · l signs in');
	return monitor;
}

test('the sign-in dialog opens by itself only at the start, and later with Enter while the table is empty', async () => {
	const monitor = await openMonitor({ asksForPassword: true });
	await monitor.see('Sign in to test', 'sent there once');
	await monitor.answer('a', 'b', 'c').see('Password: •••▏');
	await monitor.seeNo('abc');
	await monitor.press('escape').see('✖ signed out · l signs in');
	await monitor.pass(10 * minute, minute).seeNo('Sign in to test');
	await monitor.press('enter').see('Sign in to test');
});

test('when the platform signs the account out, no dialog opens over the table and its keys keep working, until “l” opens the dialog, each time with an empty field', async () => {
	const monitor = await openSignedOut();
	await monitor.pass(5 * minute, minute).seeNo('Sign in to test');
	await monitor.see(/━ SIGNED OUT .* l signs in ━/);
	await monitor.press('5').see('✖ signed out · l signs in');
	await monitor.press('1', 'j').see('❯ borealis');
	await monitor.press('l');
	await monitor.answer('x', 'escape').see('✖ signed out · l signs in');
	await monitor.seeNo('Sign in to test');
	await monitor.press('l').see('Sign in to test');
	await monitor.seeNo('•');
});

test('“l” opens the sign-in dialog, which says why a password was refused, and signing in ends the outage', async () => {
	const monitor = await openSignedOut();
	await monitor.press('l').see('Sign in to test');
	await monitor.answer('wrong', 'enter').see('Invalid login credentials.');
	const requests = monitor.simulator.requests.length;
	await monitor.answer('wrong', 'enter');
	await monitor.see(/Attempt 2 failed at [:0-9]+: the same password as before/);
	expect(monitor.simulator.requests.length).toBe(requests);
	await monitor.answer(monitor.simulator.password, 'enter').see('live, ');
	await monitor.seeNo('Sign in to test');
	await monitor.press('l').see('Already signed in');
});

test('the sign-in dialog holds a countdown, and the quit dialog opens in front of the sign-in dialog', async () => {
	const monitor = await openSignedOut();
	await monitor.confirm('r').see('Restarting atlas in 4 s, Esc to cancel');
	await monitor.press('l');
	await monitor.see('Restarting atlas: on hold; counts down from 4 s once this is closed');
	await monitor.pass(minute, 10 * second);
	await monitor.press('ctrl-c').see('Quitting cancels:');
	await monitor.answer('escape').see('Sign in to test');
	await monitor.answer('escape').see('Restarting atlas in 4 s, Esc to cancel');
	await monitor.press('escape').see('Cancelled: atlas was not restarted');
});

/** Opens a monitor in which a wrong password was typed that the platform has not refused yet. */
async function openBeforeRefusal() {
	const monitor = await openMonitor({
		asksForPassword: true,
		faults: [{ target: 'sign-in', kind: 'delay', delayMs: 5 * second }],
	});
	await monitor.see('Sign in to test');
	await monitor.answer('wrong', 'enter').seeNo('Sign in to test');
	return monitor;
}

test('the sign-in dialog does not interrupt a name that is being typed, and is not submitted for 300 ms after it opens', async () => {
	const monitor = await openBeforeRefusal();
	await monitor.press('n').see('Create a computer?');
	await monitor.answer('al');
	await monitor.pass(6 * second, second).seeNo('Sign in to test');
	await monitor.type('pal').see('alpal');
	await monitor.press('escape').see('Sign in to test', 'Invalid login credentials');
	await monitor.seeNo('•');
	await monitor.press('x', 'enter').see('Sign in to test', 'Password: •▏');
	await monitor.answer('y').see('Password: ••▏');
});

test.each([
	['a filter', '/', 'enter'],
	['the palette', ':', 'escape'],
	['the choice of columns', 'C', 'escape'],
])('the sign-in dialog waits until %s is closed', async (_, key, closing) => {
	const monitor = await openBeforeRefusal();
	await monitor.press(key);
	await monitor.pass(6 * second, second).seeNo('Sign in to test');
	await monitor.press(closing).see('Sign in to test');
});

test('the spoken monitor postpones the sign-in too', async () => {
	const monitor = await openSpokenMonitor({
		asksForPassword: true,
		faults: [{ target: 'sign-in', kind: 'delay', delayMs: 5 * second }],
	});
	await monitor.hear(/Sign in to test/i);
	await monitor.answer('wrong', 'enter');
	await monitor.press('n').hear('Create a computer?');
	await monitor.answer('al');
	await monitor.pass(6 * second, second);
	expect(monitor.newLines().join('\n')).not.toMatch(/Sign in to test/i);
	await monitor.press('escape').hear(/Sign in to test/i);
});

async function openForm() {
	const { work, lab } = await startWorkAndLab();
	const monitor = await openConfiguredMonitor({ profiles: { work: { simulator: work } } });
	await monitor.press('l').see('Sign in with  password');
	const configNow = () => readFileSync(join(monitor.folder, 'config', 'config.toml'), 'utf8');
	return { ...monitor, work, lab, configNow };
}

type Form = Awaited<ReturnType<typeof openForm>>;

/** Fills in the form up to its last field, each answer with Enter but the password, where Enter signs in. */
async function fillIn({ press, lab }: Form, change: { password?: string; anonKey?: string } = {}) {
	const { authUrl, email } = lab;
	const { password = lab.password, anonKey = lab.anonKey } = change;
	await press(authUrl, 'enter', 'enter');
	await press(authUrl, 'enter', anonKey, 'enter', email, 'enter', password, 'tab');
}

test('the form signs in under a name that is not taken, saves the profile without the password, and shows no secret', async () => {
	const form = await openForm();
	const before = form.configNow();
	await form.see('Sign in to another account', 'work is signed in, and stays in the table.');
	await form.see('The address of the API in its documentation');
	await fillIn(form);
	await form.see(`Base URL      ${form.lab.baseUrl}`, `${form.lab.password.length} characters`);
	await form.see(/Name +default/);
	await form.press('ctrl-u', 'work', 'enter').see('work is taken');
	expect(form.configNow()).toBe(before);
	expect(form.lab.requests).toEqual([]);
	await form.press('ctrl-u', 'lab', 'enter');
	await form.pass(2_000).see('Signed in as owner@example.com: 3 computers', '6 computers');
	await form.see(/lab +atlas/);
	expect(form.configNow()).toContain('[profiles.lab]');
	await form.press('l').see('work and lab are signed in, and stay in the table.');
	await form.press('escape');
	expect(form.configNow()).not.toContain(form.lab.password);
	const shown = form.device.written();
	expect(shown).not.toContain(form.lab.password);
	expect(shown).not.toContain(form.lab.anonKey);
});

test('a refused anon key or password stays until another one is typed, and everything else stays as it was', async () => {
	const form = await openForm();
	await fillIn(form, { anonKey: 'wrong-key', password: 'wrong' });
	await form.press('enter').see('refuses the anon key. It answered: Invalid API key.');
	await form.see(/❯ Anon key +•{9}▏ +9 characters/);
	await form.press(form.lab.anonKey, 'enter', 'enter', 'enter');
	await form.see(/Attempt 2 failed at [:0-9]+: .* refuses this e-mail/);
	await form.see(/❯ Password +•{5}▏ +5 characters/);
	form.resize(60, 15);
	await form.see(/❯ Password +•{5}▏ +5 characters/);
	await form.press('up', 'down', form.lab.password, 'enter');
	await form.pass(2_000).see('6 computers');
});

test('a person can go back to earlier fields, and each way to sign in has its own fields', async () => {
	const form = await openForm();
	await form.press('https://api.example.com', 'enter').see('Added /v1 to the base URL');
	await form.see('https://api.example.com/v1');
	await form.press('shift-tab', 'tab').see('❯ Sign in with');
	await form.press('space').see('Sign in with  token');
	await form.seeNo('Anon key');
	await form.press('down').see('❯ Token');
	await form.press('up', 'p', 'shift-tab').see('❯ Base URL', 'Anon key');
});

test('a token signs in for this run, and nothing is saved', async () => {
	const form = await openForm();
	const response = await fetch(`${form.lab.authUrl}/auth/v1/token?grant_type=password`, {
		method: 'POST',
		headers: { apikey: form.lab.anonKey, 'content-type': 'application/json' },
		body: JSON.stringify({ email: form.lab.email, password: form.lab.password }),
	});
	const { access_token: token } = (await response.json()) as { access_token: string };
	const before = form.configNow();
	await form.press(form.lab.baseUrl, 'enter', 't', 'enter', 'wrong-token', 'enter');
	await form.see('refuses the token');
	await form.press('ctrl-u', token, 'tab', 'ctrl-u', 'lab', 'enter');
	await form.pass(2_000).see('6 computers');
	expect(form.configNow()).toBe(before);
});

test('the form holds a countdown until Esc closes it, and opens again with what was typed, except secrets', async () => {
	const form = await openForm();
	await fillIn(form);
	await form.press('escape').seeNo('Sign in with');
	await form.goTo('atlas');
	await form.confirm('r');
	await form.press('l').see('Sign in with', form.lab.email, /Anon key +[│ ]/);
	await form.seeNo('characters');
	await form.see(/Restarting atlas: on hold/);
	await form.pass(12_000, 6_000);
	expect(form.operationRequests('work')).toEqual([]);
	await form.press('escape').see('Restarting atlas in 4 s');
});

async function askToSignOut(monitor: Awaited<ReturnType<typeof openSignedIn>>) {
	await monitor.press(':', 'sign out', 'enter').see('Sign out of test?');
	await monitor.see('Its stored token is removed. Its rows stay, but get no new data.');
}

test('the palette signs out after a question, also when read-only: the token is removed, nothing more is sent, and the rows stay until a typed password signs in again', async () => {
	const monitor = await openSignedIn({ isReadOnly: true });
	expect(monitor.isTokenStored()).toBe(true);
	await askToSignOut(monitor);
	await monitor.answer('n').seeNo('╭');
	await monitor.pass(10 * second).see('live, ');
	await askToSignOut(monitor);
	await monitor.answer('y').see('Signed out of test');
	expect(monitor.isTokenStored()).toBe(false);
	const { length } = monitor.simulator.requests;
	await monitor.pass(10 * minute, minute).see('✖ signed out · l signs in');
	await monitor.see(/━ SIGNED OUT .* l signs in ━/, '❯ atlas');
	expect(monitor.simulator.requests).toHaveLength(length);
	await monitor.seeNo('Sign in to test');
	await monitor.press(':', 'sign out', 'enter').see('Already signed out of test');
	await monitor.press('l').see('Sign in to test');
	await monitor.answer(monitor.simulator.password, 'enter');
	await monitor.pass(5 * second).see('live, ');
	expect(monitor.isTokenStored()).toBe(true);
});

test('the question about a sign-out holds a countdown and names it, and signing out cancels it', async () => {
	const monitor = await openSignedIn();
	await monitor.confirm('r').see('Restarting atlas in 4 s');
	await askToSignOut(monitor);
	await monitor.see('Cancelled:', 'restart atlas');
	await monitor.pass(minute, 10 * second);
	expect(monitor.operationRequests()).toEqual([]);
	await monitor.answer('y').see('Signed out of test');
	expect(monitor.isTokenStored()).toBe(false);
	await monitor.pass(minute, 10 * second);
	await monitor.press('5').see('atlas: restart cancelled');
	expect(monitor.operationRequests()).toEqual([]);
});

test('an account that no person can sign in to again is not signed out', async () => {
	const monitor = await openMonitor({ profile: 'test' });
	await monitor.press(':', 'sign out', 'enter');
	await monitor.see('test signs in with a token. `crowsnest logout` deletes a stored token');
	await monitor.pass(10 * second).see('live, ');
});

test('with several accounts, the one under the cursor or the named one is signed out, and the others stay live', async () => {
	const monitor = await openSeveralAccounts();
	await monitor.press('/', 'account:lab', 'enter', ':', 'sign out', 'enter');
	await monitor.see('Sign out of lab?');
	await monitor.press('escape').seeNo('╭');
	await monitor.press('escape', ':', 'sign out of work', 'enter').see('Sign out of work?');
	await monitor.answer('y');
	await monitor.pass(minute, 5 * second).see('━ work: SIGNED OUT');
	await monitor.seeNo('lab: SIGNED OUT');
	await monitor.see('live, ');
	await monitor.press('escape', '/', 'account:work', 'enter', 'r');
	await monitor.see('work is signed out: this fails unless you sign in first.');
	await monitor.seeNo('not answered');
	await monitor.answer('escape');
	await monitor.press('l').see('Sign in to work');
	await monitor.answer(monitor.platformOf('work').password, 'enter');
	await monitor.pass(10 * second).seeNo('SIGNED OUT');
});

test('with several accounts, one password is asked for after another, and declining one leaves the others as they are', async () => {
	const { work, lab, profiles } = await startWorkAndLab();
	const words = ['--all-profiles'];
	const monitor = await openConfiguredMonitor({ profiles, words, isSignedOut: true });
	await monitor.see('Sign in to work');
	await monitor.type('for work').see('•••');
	await monitor.answer('escape').see('Sign in to lab');
	await monitor.seeNo('•');
	await monitor.answer(lab.password, 'enter');
	await monitor.pass(10 * second).see('━ work: SIGNED OUT', /lab +atlas +● Active/);
	expect(work.requests).toEqual([]);
	await monitor.press('l').see('Sign in to work');
	await monitor.answer(work.password, 'enter');
	await monitor.pass(10 * second).see(/work +atlas +● Active/);
	await monitor.seeNo('SIGNED OUT');
});
