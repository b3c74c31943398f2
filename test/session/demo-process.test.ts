import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { startDemo } from '../../source/session/demo-process.ts';
import type { Host } from '../../source/session/host.ts';
import { createTestHost } from '../cli/host.ts';

test('a demo platform that cannot be started is reported, and its requests fail', async () => {
	const troubles: string[] = [];
	const { host, until } = createTestHost();
	const spawnSelf: Host['spawnSelf'] = words =>
		spawn('/nowhere/node', [...words], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
	const demo = await startDemo({ ...host, spawnSelf }, [], message => troubles.push(message));
	const answer = demo.fetch(demo.baseUrl, {
		method: 'GET',
		headers: {},
		signal: new AbortController().signal,
		redirect: 'manual',
	});
	answer.catch(() => undefined);
	await until(() => troubles.length > 0);
	await expect(answer).rejects.toThrow('fetch failed');
	expect(troubles).toEqual([expect.stringMatching(/^Cannot start the demo platform: .*ENOENT/)]);
	demo.close();
});

test('the program passes no password, token or key on to the demo platform', async () => {
	const { host, until } = createTestHost({
		env: {
			CROWSNEST_PASSWORD: 'secret',
			CROWSNEST_TOKEN: 'secret',
			CROWSNEST_ANON_KEY: 'secret',
			LANG: 'C.UTF-8',
		},
	});
	const environments: unknown[] = [];
	const spawnSelf: Host['spawnSelf'] = (_, environment) => {
		environments.push(environment);
		return spawn('/nowhere/node', [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
	};
	const demo = await startDemo({ ...host, spawnSelf }, [], () => {});
	await until(() => environments.length > 0);
	expect(JSON.stringify(environments)).not.toContain('secret');
	expect(environments).toEqual([expect.objectContaining({ LANG: 'C.UTF-8' })]);
	demo.close();
});

test('a wrong option of the demo is reported before the screen is taken and anything is started', async () => {
	const { ran, output } = createTestHost();
	const { code, err } = await ran('--demo', '--plan', 'gold');
	expect(code).toBe(2);
	expect(err).toContain('It takes free, pro, power, ultra');
	expect(output()).not.toContain('\u001B[?1049h');
});
