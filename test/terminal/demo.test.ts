import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { childrenOf, isProcessRunning } from './processes.ts';
import { program, registerSessions, type Session } from './session.ts';

const { open, folder } = registerSessions();

/** Waits until the process of the demo platform has started, and returns its number. */
function demoOf(session: Session): Promise<number> {
	return session.until('the demo', () => childrenOf(session.pty.pid)[0]);
}

test('`--demo` shows no welcome and runs no own command, `--read-only` refuses every change, and when the demo platform dies, the monitor says so and keeps showing the fleet', async () => {
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
	process.kill(await demoOf(session), 'SIGKILL');
	await session.sees('The demo platform has stopped');
	expect(session.text()).toContain('atlas');
	session.press('q');
	expect((await session.ended()).exitCode).toBe(0);
});

test('Esc during the sign-in returns to the demo, which ends when the monitor is killed', async () => {
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
	expect(existsSync(join(folder(), 'thought-better', 'welcomed'))).toBe(true);
	expect(existsSync(join(folder(), 'thought-better-config'))).toBe(false);
	const demo = await demoOf(session);
	expect(isProcessRunning(demo)).toBe(true);
	process.kill(session.pty.pid, 'SIGKILL');
	await session.ended();
	await session.until('the end of the demo', () => !isProcessRunning(demo));
});

test('killing the monitor while the demo platform is still starting ends the demo platform', async () => {
	const session = open({ line: `exec ${process.execPath} ${program} --demo` });
	const demo = await demoOf(session);
	process.kill(session.pty.pid, 'SIGKILL');
	await session.ended();
	await session.until('the end of the demo', () => !isProcessRunning(demo));
});
