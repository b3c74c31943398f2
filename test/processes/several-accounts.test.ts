import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { registerLiveAccount } from './live-account.ts';
import { program, registerSessions } from './session.ts';

const { open, folder } = registerSessions();
const accounts = {
	work: registerLiveAccount({ computers: 4 }),
	lab: registerLiveAccount({ computers: 4 }),
};

function writeConfig(path: string) {
	mkdirSync(path, { recursive: true });
	const profiles = Object.entries(accounts).map(([name, { simulator }]) => {
		const { baseUrl, authUrl, anonKey, email, password } = simulator();
		return [
			`[profiles.${name}]`,
			`url = "${baseUrl}"`,
			`authUrl = "${authUrl}"`,
			`anonKey = "${anonKey}"`,
			`email = "${email}"`,
			`passwordCommand = ["printf", "%s", "${password}"]`,
		].join('\n');
	});
	writeFileSync(join(path, 'config.toml'), `${profiles.join('\n\n')}\n`);
}

test('the monitor asks which of several profiles to open, shows them in one table, and remembers the answer', async () => {
	const [config, state] = [join(folder(), 'config'), join(folder(), 'state')];
	writeConfig(config);
	const watch = () =>
		open({
			line: `exec ${process.execPath} ${program}`,
			env: { CROWSNEST_STATE_DIR: state, CROWSNEST_CONFIG_DIR: config },
		});
	const session = watch();
	await session.sees('Which ones do you want to watch?');
	session.pressInShell('1,2\r');
	await session.sees('ACCOUNT');
	await session.sees('8 computers');
	await session.sees('2 accounts');
	session.press('q');
	await session.ended();
	expect(JSON.parse(readFileSync(join(state, 'monitor', 'host.json'), 'utf8'))).toEqual({
		version: 1,
		profiles: ['work', 'lab'],
	});

	const second = watch();
	await second.sees('8 computers');
	expect(second.text()).not.toContain('Which ones');
	second.press('q');
	await second.ended();
});
