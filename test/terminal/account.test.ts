import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSimulator } from '../../source/simulator/simulator.ts';
import { liveClock } from '../live-clock.ts';
import { untilItListens } from './deaf.ts';
import { program, sessionsOf } from './session.ts';

const { open, folder } = sessionsOf();

async function account(name: string) {
	const simulator = await createSimulator({ clock: liveClock, computers: 7 });
	onTestFinished(() => simulator.close());
	const state = join(folder(), name);
	const env = {
		CROWSNEST_URL: simulator.baseUrl,
		CROWSNEST_AUTH_URL: simulator.authUrl,
		CROWSNEST_ANON_KEY: simulator.anonKey,
		CROWSNEST_EMAIL: simulator.email,
		CROWSNEST_STATE_DIR: state,
		CROWSNEST_CONFIG_DIR: join(folder(), `${name}-config`),
	};
	const watch = (more: Record<string, string> = {}) =>
		open({
			columns: 100,
			line: `exec ${process.execPath} ${program}`,
			env: { ...env, ...more },
		});
	return { simulator, state, watch };
}

const filesIn = (path: string) =>
	readdirSync(path, { recursive: true, encoding: 'utf8' })
		.map(name => join(path, name))
		.filter(file => statSync(file).isFile());

test('the monitor shows the last known fleet with its age when the platform cannot be reached', async () => {
	const { simulator, watch } = await account('known');
	const first = watch({ CROWSNEST_PASSWORD: simulator.password });
	await first.sees('7 computers');
	await first.until('live', () => first.text().includes('● live'));
	first.press('=');
	await first.sees('NAME▼');
	first.press('q');
	await first.ended();
	await simulator.close();

	const second = watch({ CROWSNEST_PASSWORD: simulator.password });
	await second.sees('atlas');
	await second.sees('gemini');
	await second.sees('NAME▼');
	await second.until('offline', () => /offline/.test(second.text()));
	second.press('q');
	await second.ended();
});

test('the monitor asks for the password in a dialog, asks again when the password is wrong, and stores it nowhere', async () => {
	const { simulator, state, watch } = await account('asked');
	const session = watch();
	await session.sees('Password:');
	await untilItListens(session);
	session.press('wrong\r');
	await session.sees('Invalid login credentials');
	await untilItListens(session);
	session.press(`${simulator.password}\r`);
	await session.sees('7 computers');
	session.press('q');
	await session.ended();

	const shown = session.received();
	const files = filesIn(state);
	expect(files.length).toBeGreaterThan(2);
	const token = /"accessToken":"([^"]+)"/.exec(
		files.map(file => readFileSync(file, 'utf8')).join(''),
	)?.[1];
	expect(token).toBeDefined();
	for (const file of files) {
		expect(statSync(file).mode & 0o077, file).toBe(0);
		const text = readFileSync(file, 'utf8');
		expect(text).not.toContain(simulator.password);
		expect(text).not.toContain(simulator.anonKey);
		if (!file.includes('/tokens/')) expect(text).not.toContain(token);
	}
	for (const secret of [simulator.password, simulator.anonKey, token ?? '']) {
		expect(shown).not.toContain(secret);
	}
});

test('a monitor that runs with --read-only refuses every change', async () => {
	const session = open({
		columns: 100,
		line: `exec ${process.execPath} ${program} --demo --read-only`,
	});
	await session.sees('24 computers');
	session.press('x');
	await session.sees('Read-only: nothing can be changed here');
	expect(session.text()).not.toMatch(/x stop|D delete/);
	session.press('q');
	expect((await session.ended()).exitCode).toBe(0);
});
