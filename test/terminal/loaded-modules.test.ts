import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { registerLiveAccount } from './live-account.ts';
import { program, registerSessions } from './session.ts';

const { open, folder } = registerSessions();
const { simulator, env } = registerLiveAccount({ computers: 7 });

// Each of these modules takes one to six milliseconds to load, and nothing before the rows needs them.
const slowModules = [
	'perf_hooks',
	'crypto',
	'internal/fs/streams',
	'tls',
	'internal/deps/undici/undici',
];

/** The environment of a program that lists the modules of Node that it has loaded, and the files that it has read. */
function listing() {
	const [hook, list] = [join(folder(), 'hook.cjs'), join(folder(), 'list.json')];
	writeFileSync(
		hook,
		`const fs = require('node:fs');
		const { readFileSync, writeFileSync } = fs;
		const read = [];
		fs.readFileSync = (path, ...options) => (read.push(path), readFileSync(path, ...options));
		process.once('exit', () => {
			const loaded = process.moduleLoadList.map(name => name.replace('NativeModule ', ''));
			writeFileSync(${JSON.stringify(list)}, JSON.stringify({ loaded, read }));
		});`,
	);
	const listed = (): { loaded: readonly string[]; read: readonly string[] } =>
		JSON.parse(readFileSync(list, 'utf8'));
	return {
		hooked: {
			...env(),
			CROWSNEST_PASSWORD: simulator().password,
			...{ NODE_OPTIONS: `--require ${hook}`, HOME: folder() },
			CROWSNEST_STATE_DIR: join(folder(), 'state'),
			CROWSNEST_CONFIG_DIR: join(folder(), 'config'),
		},
		loaded: () => listed().loaded,
		read: () => listed().read,
	};
}

test('the list loads none of the modules of Node that are slow to load', async () => {
	const { hooked, loaded } = listing();
	const list = spawn(process.execPath, [program, 'list'], {
		env: { PATH: process.env['PATH'], ...hooked },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const printed = list.stdout.setEncoding('utf8').toArray();
	await once(list, 'close');
	expect((await printed).join('')).toContain('atlas');
	expect(loaded()).toContain('http');
	for (const name of slowModules) expect(loaded()).not.toContain(name);
});

test('the monitor shows the fleet without modules that are slow to load, and reads once which boot this is', async () => {
	const { hooked, loaded, read } = listing();
	const session = open({ line: `exec ${process.execPath} ${program}`, env: hooked });
	await session.sees('live, ');
	session.press('q');
	await session.ended();
	expect(read().filter(path => path === '/etc/machine-id')).toHaveLength(1);
	expect(loaded()).toContain('tty');
	for (const name of slowModules) expect(loaded()).not.toContain(name);
});
