import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSimulator, type Simulator } from '../../source/simulator/simulator.ts';
import { liveClock } from '../live-clock.ts';
import { program, type Session, sessionsOf } from './session.ts';

const { open, folder } = sessionsOf();

const start = (name: string, more: Partial<Parameters<typeof open>[0]> = {}) =>
	open({
		columns: 100,
		line: `echo before; exec ${process.execPath} ${program}`,
		...more,
		env: {
			CROWSNEST_STATE_DIR: join(folder(), name),
			CROWSNEST_CONFIG_DIR: join(folder(), `${name}-config`),
		},
	});

async function answerAll(session: Session, simulator: Simulator) {
	const answers = [
		['Base URL', simulator.baseUrl],
		['Identity URL', simulator.authUrl],
		['Anon key', simulator.anonKey],
		['E-mail', simulator.email],
		['Password', simulator.password],
	] as const;
	for (const [question, answer] of answers) {
		await session.sees(question);
		expect(session.modes().screen).toBe('normal');
		session.pressInShell(`${answer}\r`);
	}
}

test('only the first start of the monitor shows the welcome', async () => {
	const first = start('greeted');
	await first.sees('Welcome to crowsnest');
	await first.sees('24 computers');
	first.press('x');
	first.press('\r');
	await first.until('the table', () => !first.text().includes('Welcome'));
	expect(first.text()).not.toContain('Stop atlas?');
	first.press('q');
	await first.ended();
	const second = start('greeted');
	await second.sees('24 computers');
	expect(second.text()).not.toContain('Welcome');
});

test('the key l in the welcome signs in at the command line and returns with the account open', async () => {
	const simulator = await createSimulator({ clock: liveClock, computers: 7 });
	onTestFinished(() => simulator.close());
	const session = start('signed-in');
	await session.sees('Welcome to crowsnest');
	session.press('l');
	await answerAll(session, simulator);
	await session.until('the screen', () => session.modes().screen === 'alternate');
	await session.sees('7 computers');
	expect(session.modes().isCursorHidden).toBe(true);
	await session.until('live', () => session.text().includes('● live'));
	session.press('j');
	await session.until('the cursor', () => /❯ borealis/.test(session.text()));
	expect(session.received()).toMatch(/Password \(not shown\): \r\nSigned in/);
	expect(session.received()).not.toContain(simulator.anonKey);
	const config = readFileSync(join(folder(), 'signed-in-config', 'config.toml'), 'utf8');
	expect(config).toContain('[profiles.default]');
	session.press('q');
	expect((await session.ended()).exitCode).toBe(0);
	expect(session.text()).toMatch(/^before\n[\s\S]*Signed in as owner@example.com: 7 computers/);
});

test('the spoken monitor speaks the welcome, and its key l signs in', async () => {
	const simulator = await createSimulator({ clock: liveClock, computers: 7 });
	onTestFinished(() => simulator.close());
	const line = `echo before; exec ${process.execPath} ${program} --screen-reader`;
	const session = start('heard', { line, rows: 60 });
	await session.sees('Welcome to crowsnest');
	await session.sees('l signs in to your account, Enter looks around the demo.');
	await session.sees('24 computers');
	session.press('x');
	session.press('l');
	await answerAll(session, simulator);
	await session.sees('crowsnest, watching default.');
	await session.sees('7 computers: 3 active');
	session.press('j');
	await session.sees('2 of 7: borealis');
	expect(session.text()).not.toContain('Stop atlas?');
	expect(session.received()).toMatch(/Password \(not shown\): \r\nSigned in/);
	session.press('q');
	expect((await session.ended()).exitCode).toBe(0);
});

test('Ctrl-C during sign-in returns to the demo', async () => {
	const session = start('thought-better');
	await session.sees('Welcome to crowsnest');
	session.press('l');
	await session.sees('Base URL');
	session.pressInShell('\u0003');
	await session.until('the demo', () => session.modes().screen === 'alternate');
	await session.sees('24 computers');
	expect(session.text()).not.toContain('Welcome');
	expect(existsSync(join(folder(), 'thought-better-config'))).toBe(false);
});

test('a monitor that is started with --demo shows no welcome', async () => {
	const line = `exec ${process.execPath} ${program} --demo`;
	const session = start('demo', { line });
	await session.sees('24 computers');
	expect(session.text()).not.toContain('Welcome');
	expect(existsSync(join(folder(), 'demo', 'welcomed'))).toBe(false);
});
