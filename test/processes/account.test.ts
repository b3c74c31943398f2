import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { registerLiveAccount } from './live-account.ts';
import { program, registerSessions } from './session.ts';

const { open, folder } = registerSessions();
const { simulator, env } = registerLiveAccount({ computers: 7 });

const filesIn = (path: string) =>
	readdirSync(path, { recursive: true, encoding: 'utf8' })
		.map(name => join(path, name))
		.filter(file => statSync(file).isFile());

test('the monitor asks for the password in a dialog, stores it nowhere, and shows the last known fleet when the platform cannot be reached', async () => {
	const { password, anonKey } = simulator();
	const state = join(folder(), 'state');
	const watch = () =>
		open({
			line: `exec ${process.execPath} ${program}`,
			env: { ...env(), CROWSNEST_STATE_DIR: state, CROWSNEST_CONFIG_DIR: join(folder(), 'config') },
		});
	const session = watch();
	await session.sees('Password:');
	const isSent = () => !session.text().includes('•');
	await session.press('wrong');
	await session.pressUntil('\r', isSent);
	await session.sees('Invalid login credentials');
	await session.press(password);
	await session.pressUntil('\r', isSent);
	await session.sees('7 computers');
	await session.sees('live, ');
	await session.press('on');
	expect(session.text()).toContain('by name');
	session.press('q');
	await session.ended();

	const files = filesIn(state);
	expect(files.length).toBeGreaterThan(2);
	const token = /"accessToken":"([^"]+)"/.exec(
		files.map(file => readFileSync(file, 'utf8')).join(''),
	)?.[1];
	expect(token).toBeDefined();
	for (const file of files) {
		expect(statSync(file).mode & 0o077, file).toBe(0);
		const text = readFileSync(file, 'utf8');
		expect(text).not.toContain(password);
		expect(text).not.toContain(anonKey);
		if (!file.includes('/tokens/')) expect(text).not.toContain(token);
	}
	for (const secret of [password, anonKey, token ?? '']) {
		expect(session.received()).not.toContain(secret);
	}

	await simulator().close();
	const second = watch();
	for (const text of ['atlas', 'gemini', 'by name', 'offline']) await second.sees(text);
	second.press('q');
	await second.ended();
});
