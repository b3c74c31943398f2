import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { registerLiveAccount, writeConfig } from './live-account.ts';
import { registerSessions, type Session } from './session.ts';

const { open, folder } = registerSessions();
const account = registerLiveAccount({ computers: 7 });

/**
 * A program that asks for a passphrase in the terminal, like gpg's pinentry. It is no shell script, because a shell that
 * is interrupted between its prompt and the start of its reading may go on.
 */
const scriptThatAsks = (heard: string, password: string) => `
import { spawnSync } from 'node:child_process';
import { openSync, readSync, writeFileSync, writeSync } from 'node:fs';
const openTerminal = () => {
	try {
		return openSync('/dev/tty', 'r+');
	} catch {
		process.exit(7);
	}
};
const terminal = openTerminal();
const setEcho = mode => spawnSync('stty', [mode], { stdio: [terminal, 'ignore', 'ignore'] });
setEcho('-echo');
writeSync(terminal, 'Passphrase: ');
const line = Buffer.alloc(100);
const length = readSync(terminal, line);
setEcho('echo');
writeFileSync('${heard}', line.toString('utf8', 0, length).trim());
console.log('${password}');
`;

/**
 * Presses Ctrl-R until the command has the terminal: the dialog takes it only after it was on the screen for a moment. Each
 * key waits until the one before was read without an effect, because a key too many would reach the command.
 */
async function runPasswordCommand(session: Session) {
	while (session.modes().screen !== 'normal') {
		let isRead = false;
		void session.press('\u0012').then(() => {
			isRead = true;
		});
		await session.until('its effect', () => isRead || session.modes().screen === 'normal');
	}
}

const changes = () =>
	account
		.simulator()
		.requests.filter(({ method, path }) => method === 'POST' && path.includes('sandbox'));

test('a password command gets the terminal, Ctrl-C ends it, and no key reaches both the command and the monitor', async () => {
	const [heard, script] = [join(folder(), 'heard'), join(folder(), 'ask.mjs')];
	writeFileSync(script, scriptThatAsks(heard, account.simulator().password));
	const config = join(folder(), 'asking');
	writeConfig(config, { work: { account, passwordCommand: [process.execPath, script] } });
	const session = open({ words: '', env: { CROWSNEST_CONFIG_DIR: config } });
	await session.sees('Ctrl-R runs the password command');
	expect(session.text()).toContain('The password command ended with code');
	expect(existsSync(heard)).toBe(false);
	expect(session.modes().screen).toBe('alternate');
	await runPasswordCommand(session);
	await session.sees('Passphrase:');
	session.pressInShell('\u0003');
	await session.sees('The password command ended with SIGINT');
	expect(existsSync(heard)).toBe(false);

	await runPasswordCommand(session);
	// The first question is still on the normal screen.
	await session.until('it again', () => session.text().split('Passphrase:').length > 2);
	for (const key of 'jxyxyq\r') session.pressInShell(key);
	await session.sees('7 computers');
	await session.until('the screen', () => session.modes().screen === 'alternate');
	// The command has read neither a reply of the terminal nor a key for the monitor.
	expect(readFileSync(heard, 'utf8')).toBe('jxyxyq');
	expect(session.text()).not.toMatch(/Stop \w+\?|Leave\?|Password:/);
	expect(changes()).toEqual([]);
	session.press('q');
	await session.ended();
});

test('Enter returns from a command that was killed while the terminal was raw, on its own screen and with the mouse on', async () => {
	const script = "stty raw -echo; printf '\\033[?1049h\\033[?1000h\\033[?25lvim'; kill -9 $$";
	const passwordCommand = ['echo', account.simulator().password];
	writeConfig(join(folder(), 'config'), { work: { account, passwordCommand } }, [
		'[commands.edit]',
		'key = "K"',
		'output = "terminal"',
		'changes = false',
		`command = ["sh", "-c", ${JSON.stringify(script)}]`,
	]);
	const session = open({ words: '' });
	await session.sees('7 computers');
	session.press('K');
	await session.sees('ended by SIGKILL. Press Enter to return to crowsnest.');
	expect(session.modes()).toMatchObject({
		screen: 'normal',
		mouseTrackingMode: 'none',
		isCursorHidden: false,
	});
	session.pressInShell('\r');
	await session.sees('7 computers');
	expect(session.modes().screen).toBe('alternate');
	session.press('q');
	await session.ended();
});
