import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { registerLiveAccount } from './live-account.ts';
import { program, registerSessions } from './session.ts';

const { open, folder } = registerSessions();
const { simulator } = registerLiveAccount({ computers: 7 });

test('the key “l” in the welcome opens the sign-in form, and the account takes the place of the demo', async () => {
	const account = simulator();
	const session = open({
		line: `echo before; exec ${process.execPath} ${program}`,
		env: {
			CROWSNEST_STATE_DIR: join(folder(), 'state'),
			CROWSNEST_CONFIG_DIR: join(folder(), 'config'),
		},
	});
	await session.sees('Welcome to crowsnest');
	await session.sees('24 computers');
	await session.press('l');
	await session.sees('Sign in with  password');
	const { authUrl, anonKey, email, password } = account;
	for (const typed of [authUrl, '', authUrl, anonKey, email, password]) {
		if (typed !== '') await session.press(typed);
		await session.press('\r');
	}
	await session.sees('Signed in as owner@example.com: 7 computers');
	expect(session.text()).not.toContain('24 computers');
	await session.sees('live, ');
	expect(session.modes().isCursorHidden).toBe(true);
	await session.press('j');
	expect(session.text()).toContain('❯ borealis');
	expect(session.received()).not.toContain(account.anonKey);
	expect(session.received()).not.toContain(account.password);
	const config = readFileSync(join(folder(), 'config', 'config.toml'), 'utf8');
	expect(config).toContain('[profiles.default]');
	session.press('q');
	expect((await session.ended()).exitCode).toBe(0);
	expect(session.text()).toMatch(/^before/);
});
