import { cpSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appendLines } from '../../source/journal/log-files.ts';
import { specialPlaces } from '../special-places.ts';
import { registerLiveAccount } from './live-account.ts';
import { program, registerSessions } from './session.ts';

const { open, folder } = registerSessions();
const { simulator, env } = registerLiveAccount({ computers: 7 });

const filesIn = (path: string) =>
	readdirSync(path, { recursive: true, encoding: 'utf8' })
		.map(name => join(path, name))
		.filter(file => lstatSync(file).isFile());

const openWith = (state: string, config: string) =>
	open({
		line: `exec ${process.execPath} ${program}`,
		env: {
			...env(),
			CROWSNEST_PASSWORD: simulator().password,
			CROWSNEST_STATE_DIR: state,
			CROWSNEST_CONFIG_DIR: config,
		},
	});

test('the monitor starts with a pipe, a folder, a link or a giant file in the place of all files of its state', async () => {
	const config = join(folder(), 'config');
	const state = join(folder(), 'state');
	const first = openWith(state, config);
	await first.sees('live, ');
	const copy = join(folder(), 'copy');
	// While the monitor runs, the log of requests is among its files.
	cpSync(state, copy, { recursive: true, filter: path => !lstatSync(path).isSocket() });
	await first.press('q');
	await first.ended();
	// The snapshot is written at the end.
	cpSync(state, copy, { recursive: true });
	appendLines(join(copy, 'log'), [], Date.now());
	const names = filesIn(copy).map(file => file.slice(copy.length));
	for (const part of ['-001.jsonl', 'fleet', 'requests-'])
		expect(names).toContainEqual(expect.stringContaining(part));

	for (const place of specialPlaces) {
		rmSync(state, { recursive: true });
		cpSync(copy, state, { recursive: true });
		for (const file of filesIn(state)) {
			rmSync(file);
			place(file);
		}
		const session = openWith(state, config);
		await session.until('rows, or their time', () =>
			/atlas|list of computers is read at/.test(session.text()),
		);
		session.press('q');
		expect(await session.ended()).toMatchObject({ exitCode: 0 });
	}
});

test('a configuration that is no file is refused in one line', async () => {
	for (const place of specialPlaces) {
		const config = join(folder(), `config-${place.name}`);
		mkdirSync(config);
		place(join(config, 'config.toml'));
		const session = openWith(join(folder(), 'no-state'), config);
		await session.sees('crowsnest: Cannot read ');
		expect(await session.ended()).toMatchObject({ exitCode: 2 });
	}
});
