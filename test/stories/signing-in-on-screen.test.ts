import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSimulator } from '../cli/host.ts';
import { openConfiguredMonitor } from '../driver/configured-monitor.ts';

async function openForm() {
	const work = await startSimulator();
	const lab = await startSimulator({ clock: work.clock });
	const monitor = await openConfiguredMonitor({ profiles: { work: { simulator: work } } });
	await monitor.press('l');
	await monitor.see('Sign in with  password');
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
	await form.see('Sign in to another account');
	await form.see('work is signed in, and stays in the table.');
	await form.see('The address of the API in its documentation');
	await fillIn(form);
	await form.see(`Base URL      ${form.lab.baseUrl}`);
	await form.see(`${form.lab.password.length} characters`);
	await form.see(/Name +default/);
	await form.press('ctrl-u', 'work', 'enter');
	await form.see('work is taken');
	expect(form.configNow()).toBe(before);
	expect(form.lab.requests).toEqual([]);
	await form.press('ctrl-u', 'lab', 'enter');
	await form.pass(2_000);
	await form.see('Signed in as owner@example.com: 3 computers');
	await form.see('6 computers');
	await form.see(/lab +atlas/);
	expect(form.configNow()).toContain('[profiles.lab]');
	await form.press('l');
	await form.see('work and lab are signed in, and stay in the table.');
	await form.press('escape');
	expect(form.configNow()).not.toContain(form.lab.password);
	const shown = form.device.written();
	expect(shown).not.toContain(form.lab.password);
	expect(shown).not.toContain(form.lab.anonKey);
});

test('a refused anon key or password stays until another one is typed, and everything else stays as it was', async () => {
	const form = await openForm();
	await fillIn(form, { anonKey: 'wrong-key', password: 'wrong' });
	await form.press('enter');
	await form.see('refuses the anon key. It answered: Invalid API key.');
	await form.see(/❯ Anon key +•{9}▏ +9 characters/);
	await form.press(form.lab.anonKey, 'enter', 'enter', 'enter');
	await form.see(/Attempt 2 failed at [:0-9]+: .* refuses this e-mail/);
	await form.see(/❯ Password +•{5}▏ +5 characters/);
	form.resize(60, 15);
	await form.see(/❯ Password +•{5}▏ +5 characters/);
	await form.press('up', 'down', form.lab.password, 'enter');
	await form.pass(2_000);
	await form.see('6 computers');
});

test('a person can go back to earlier fields, and each way to sign in has its own fields', async () => {
	const form = await openForm();
	await form.press('https://api.example.com', 'enter');
	await form.see('Added /v1 to the base URL');
	await form.see('https://api.example.com/v1');
	await form.press('shift-tab', 'tab');
	await form.see('❯ Sign in with');
	await form.press('space');
	await form.see('Sign in with  token');
	await form.seeNo('Anon key');
	await form.press('down');
	await form.see('❯ Token');
	await form.press('up', 'p', 'shift-tab');
	await form.see('❯ Base URL');
	await form.see('Anon key');
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
	await form.pass(2_000);
	await form.see('6 computers');
	expect(form.configNow()).toBe(before);
});

test('Esc closes the form, which opens again with what was typed, except secrets', async () => {
	const form = await openForm();
	await fillIn(form);
	await form.press('escape');
	await form.seeNo('Sign in with');
	await form.press('l');
	await form.see(form.lab.email);
	await form.see(/Anon key +[│ ]/);
	await form.seeNo('characters');
});

test('the form holds a countdown until it is closed', async () => {
	const form = await openForm();
	await form.press('escape');
	await form.goTo('atlas');
	await form.press('r');
	await form.answer('y');
	await form.press('l');
	await form.see('Sign in with');
	await form.see(/Restarting atlas: on hold/);
	await form.pass(12_000, 6_000);
	expect(form.operationRequests('work')).toEqual([]);
	await form.press('escape');
	await form.see('Restarting atlas in 4 s');
});
