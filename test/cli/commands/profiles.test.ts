import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configExample } from '../../../source/accounts/config-text.ts';
import { createTestHost, type TestHost } from '../host.ts';

const twoProfiles = `
profile = "work"
[profiles.work]
url = "https://work.example/v1"
authUrl = "https://id.example"
anonKey = "the-anon-key"
email = "owner@example.com"
passwordCommand = ["pass", "fleet"]
[profiles.production]
url = "https://production.example/v1"
readOnly = true
`;

function configured(host: TestHost, text: string): TestHost {
	mkdirSync(join(host.folder, 'config'), { recursive: true });
	writeFileSync(join(host.folder, 'config', 'config.toml'), text);
	return host;
}

test('profiles lists the profiles and marks the one in use', async () => {
	const host = configured(createTestHost(), twoProfiles);
	expect(await host.run('profiles')).toBe(0);
	expect(host.output()).toBe(
		[
			'* work                   https://work.example/v1        owner@example.com  password from a command',
			'  production (producti)  https://production.example/v1                     password asked for       read-only',
			'',
		].join('\n'),
	);
	const json = configured(createTestHost(), twoProfiles);
	expect(await json.run('profiles', '--json')).toBe(0);
	expect(JSON.parse(json.output())).toMatchObject([
		{ name: 'work', isUsed: true },
		{ name: 'production', isUsed: false, readOnly: true },
	]);
	expect(json.output() + host.output()).not.toContain('the-anon-key');
});

test('profiles lists the account of the environment, and says when no account is configured', async () => {
	const env = { CROWSNEST_URL: 'https://env.example/v1', CROWSNEST_TOKEN: 'the-token' };
	const host = createTestHost({ env });
	expect(await host.run('profiles')).toBe(0);
	expect(host.output()).toMatch(/^\* environment {2}https:\/\/env\.example\/v1/);
	expect(host.output()).not.toContain('the-token');
	const empty = createTestHost();
	expect(await empty.run('profiles')).toBe(0);
	expect(empty.output()).toBe('No profiles yet. Run `crowsnest login` to add one.\n');
});

test('config says whether the configuration is valid', async () => {
	const host = createTestHost();
	expect(await host.run('config')).toBe(0);
	expect(host.output()).toContain('does not exist. It is optional');
	configured(host, twoProfiles);
	expect(await host.run('config')).toBe(0);
	expect(host.output()).toContain('Account in use: work at https://work.example/v1\n');
	configured(host, `${twoProfiles}\nreed_only = true\n`);
	expect(await host.run('config')).toBe(1);
	expect(host.output()).toContain(
		'config.toml: profiles.production.reed_only is not a setting; did you mean readOnly?\n',
	);
	expect(await host.run('config', '--profile', 'wrok')).toBe(1);
});

test('no control sequence in a configuration reaches the terminal', async () => {
	const host = configured(
		createTestHost(),
		'"a\u202eb\u009b2J\\u001b[2J" = 1\n[profiles."x\u202e"]\n',
	);
	expect(await host.run('config')).toBe(1);
	expect(await host.run('doctor')).toBe(1);
	expect(host.output()).toContain('is not a setting');
	expect(host.output()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test('config --example prints an example configuration, and config prints the path of the configuration file', async () => {
	const host = createTestHost();
	expect(await host.run('config', '--example')).toBe(0);
	expect(host.output()).toBe(configExample());
	const path = createTestHost();
	expect(await path.run('config', '--path')).toBe(0);
	expect(path.output()).toBe(`${join(path.folder, 'config', 'config.toml')}\n`);
});

test('config reports a folder in the place of the configuration file', async () => {
	const host = createTestHost();
	mkdirSync(join(host.folder, 'config', 'config.toml'), { recursive: true });
	expect(await host.run('config')).toBe(2);
	expect(host.output()).toContain('Cannot read ');
});

test('logout deletes the token of one profile and keeps the others', async () => {
	const host = configured(createTestHost(), twoProfiles);
	const tokens = join(host.folder, 'state', 'tokens');
	mkdirSync(tokens, { recursive: true, mode: 0o700 });
	for (const name of ['work', 'production', 'gone']) {
		writeFileSync(join(tokens, `${name}.json`), '{}');
	}
	expect(await host.run('logout')).toBe(0);
	expect(readdirSync(tokens)).toEqual(['gone.json', 'production.json']);
	expect(host.output()).toContain('deleted the token of work');
	expect(await host.run('logout', '--profile', 'gone')).toBe(0);
	expect(await host.run('logout', '--profile', 'gone')).toBe(0);
	expect(host.output()).toContain('no token of gone is stored.');
	expect(readdirSync(tokens)).toEqual(['production.json']);
	chmodSync(tokens, 0o755);
	expect(await host.run('logout', '--profile', '../tokens/production')).toBe(2);
	expect(readdirSync(tokens)).toEqual(['production.json']);
});

test('logout without an account advises `crowsnest login`', async () => {
	const host = createTestHost();
	expect(await host.run('logout')).toBe(4);
	expect(host.output()).toContain('No account is configured');
});
