import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program, registerSessions } from './session.ts';

const { open, folder } = registerSessions();

test('`--demo` shows no welcome and runs no own command, and `--read-only` refuses every change', async () => {
	const config = join(folder(), 'config');
	const written = join(folder(), 'written');
	mkdirSync(config);
	writeFileSync(
		join(config, 'config.toml'),
		`[commands.touch]\nkey = "K"\nchanges = false\ncommand = ["touch", "${written}"]\n`,
		{ mode: 0o600 },
	);
	const session = open({
		columns: 120,
		line: `exec ${process.execPath} ${program} --demo --read-only`,
		env: { CROWSNEST_STATE_DIR: join(folder(), 'state'), CROWSNEST_CONFIG_DIR: config },
	});
	await session.sees('atlas');
	await session.press('K');
	expect(session.text()).toContain('Own commands do not run in the demo');
	expect(existsSync(written)).toBe(false);
	await session.press('x');
	expect(session.text()).toContain('Read-only: nothing can be changed here');
	expect(session.text()).toContain('24 computers');
	expect(session.text()).not.toMatch(/Welcome|x stop|D delete/);
	expect(existsSync(join(folder(), 'state', 'welcomed'))).toBe(false);
	session.press('q');
	expect((await session.ended()).exitCode).toBe(0);
});

test('Esc during the sign-in returns to the demo', async () => {
	const session = open({
		line: `exec ${process.execPath} ${program}`,
		env: {
			CROWSNEST_STATE_DIR: join(folder(), 'thought-better'),
			CROWSNEST_CONFIG_DIR: join(folder(), 'thought-better-config'),
		},
	});
	await session.sees('Welcome to crowsnest');
	session.press('l');
	await session.sees('Base URL');
	await session.press('\u001b');
	await session.sees('24 computers');
	expect(session.text()).not.toContain('Welcome');
	expect(existsSync(join(folder(), 'thought-better', 'monitor', 'host.json'))).toBe(true);
	expect(existsSync(join(folder(), 'thought-better-config'))).toBe(false);
	session.press('q');
	expect((await session.ended()).exitCode).toBe(0);
});
