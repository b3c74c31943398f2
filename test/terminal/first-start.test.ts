import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerAll } from './answer-all.ts';
import { liveAccount } from './live-account.ts';
import { program, sessionsOf } from './session.ts';

const { open, folder } = sessionsOf();
const { simulator } = liveAccount({ computers: 7 });

const start = (name: string) =>
	open({
		line: `echo before; exec ${process.execPath} ${program}`,
		env: {
			CROWSNEST_STATE_DIR: join(folder(), name),
			CROWSNEST_CONFIG_DIR: join(folder(), `${name}-config`),
		},
	});

test('the key “l” in the welcome dialog starts the sign-in at the command line, which returns with the account open', async () => {
	const account = simulator();
	const session = start('signed-in');
	await session.sees('Welcome to crowsnest');
	await session.sees('24 computers');
	// A question would hide the welcome.
	await session.press('x');
	expect(session.text()).toContain('Welcome to crowsnest');
	session.press('l');
	await answerAll(session, account);
	await session.until('the screen', () => session.modes().screen === 'alternate');
	await session.sees('7 computers');
	expect(session.modes().isCursorHidden).toBe(true);
	await session.until('live', () => session.text().includes('● live'));
	await session.press('j');
	expect(session.text()).toContain('❯ borealis');
	expect(session.received()).toMatch(/Password \(not shown\): \r\nSigned in/);
	expect(session.received()).not.toContain(account.anonKey);
	expect(session.received()).not.toContain(account.password);
	const config = readFileSync(join(folder(), 'signed-in-config', 'config.toml'), 'utf8');
	expect(config).toContain('[profiles.default]');
	session.press('q');
	expect((await session.ended()).exitCode).toBe(0);
	expect(session.text()).toMatch(/^before\n[\s\S]*Signed in as owner@example.com: 7 computers/);
});

test('Ctrl-C during the sign-in returns to the demo', async () => {
	const session = start('thought-better');
	await session.sees('Welcome to crowsnest');
	session.press('l');
	await session.sees('Base URL');
	session.pressInShell('\u0003');
	await session.until('the demo', () => session.modes().screen === 'alternate');
	await session.sees('24 computers');
	expect(session.text()).not.toContain('Welcome');
	expect(existsSync(join(folder(), 'thought-better', 'welcomed'))).toBe(true);
	expect(existsSync(join(folder(), 'thought-better-config'))).toBe(false);
});
