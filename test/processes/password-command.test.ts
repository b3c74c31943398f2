import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startLiveSimulator } from '../live-simulator.ts';
import { program, registerSessions } from './session.ts';

const { open, folder } = registerSessions();

/** Nothing runs the command before its dialog has been on the screen for 300 ms, and a key too many would reach it. */
const untilRead = () => sleep(400);

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

/** An account with that password command. */
async function openMonitor() {
	const simulator = await startLiveSimulator({ computers: 7 });
	const config = join(folder(), 'config');
	mkdirSync(config);
	const heard = join(config, 'heard');
	const script = join(config, 'ask.mjs');
	writeFileSync(script, scriptThatAsks(heard, simulator.password));
	const { baseUrl, authUrl, anonKey, email } = simulator;
	const values = Object.entries({ url: baseUrl, authUrl, anonKey, email });
	const lines = values.map(([key, value]) => `${key} = "${value}"`);
	const command = `passwordCommand = ["${process.execPath}", "${script}"]`;
	writeFileSync(join(config, 'config.toml'), ['[profiles.work]', ...lines, command].join('\n'));
	const session = open({
		columns: 100,
		line: `exec ${process.execPath} ${program}`,
		env: { CROWSNEST_CONFIG_DIR: config, CROWSNEST_STATE_DIR: join(config, 'state') },
	});
	return { simulator, session, heard };
}

const changes = ({ requests }: { requests: readonly { method: string; path: string }[] }) =>
	requests.filter(({ method, path }) => method === 'POST' && path.includes('sandbox'));

test('a password command gets the terminal, Ctrl-C ends it, and no key reaches both the command and the monitor', async () => {
	const { simulator, session, heard } = await openMonitor();
	await session.sees('Ctrl-R runs the password command');
	expect(session.text()).toContain('The password command ended with code');
	expect(existsSync(heard)).toBe(false);
	expect(session.modes().screen).toBe('alternate');
	await untilRead();
	session.press('\u0012');
	await session.sees('Passphrase:');
	expect(session.modes().screen).toBe('normal');
	session.pressInShell('\u0003');
	await session.sees('The password command ended with SIGINT');
	expect(existsSync(heard)).toBe(false);

	await untilRead();
	session.press('\u0012');
	// The first question is still on the normal screen.
	await session.until('it again', () => session.text().split('Passphrase:').length > 2);
	for (const key of 'jxyxyq\r') session.pressInShell(key);
	await session.sees('7 computers');
	await session.until('the screen', () => session.modes().screen === 'alternate');
	// The command has read neither a reply of the terminal nor a key for the monitor.
	expect(readFileSync(heard, 'utf8')).toBe('jxyxyq');
	expect(session.text()).not.toMatch(/Stop \w+\?|Leave\?|Password:/);
	expect(changes(simulator)).toEqual([]);
	session.press('q');
	await session.ended();
});
