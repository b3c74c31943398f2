import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startLiveSimulator } from '../live-simulator.ts';
import { program, registerSessions } from './session.ts';

const { open, folder } = registerSessions();

test('Enter returns from a command that was killed while the terminal was raw, on its own screen and with the mouse on', async () => {
	const simulator = await startLiveSimulator({ computers: 7 });
	const config = join(folder(), 'config');
	mkdirSync(config);
	const { baseUrl, authUrl, anonKey, email, password } = simulator;
	const values = Object.entries({ url: baseUrl, authUrl, anonKey, email });
	const script = "stty raw -echo; printf '\\033[?1049h\\033[?1000h\\033[?25lvim'; kill -9 $$";
	writeFileSync(
		join(config, 'config.toml'),
		[
			'[profiles.work]',
			...values.map(([key, value]) => `${key} = "${value}"`),
			`passwordCommand = ["echo", "${password}"]`,
			'[commands.edit]',
			'key = "K"',
			'output = "terminal"',
			'changes = false',
			`command = ["sh", "-c", ${JSON.stringify(script)}]`,
		].join('\n'),
	);
	const session = open({
		columns: 100,
		line: `exec ${process.execPath} ${program}`,
		env: { CROWSNEST_CONFIG_DIR: config, CROWSNEST_STATE_DIR: join(config, 'state') },
	});
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
