import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
