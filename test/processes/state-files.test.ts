import { execFile } from 'node:child_process';
import { chownSync, cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { appendLines } from '../../source/journal/log-files.ts';
import { specialPlaces } from '../special-places.ts';
import { registerLiveAccount } from './live-account.ts';
import { program, registerSessions } from './session.ts';

const { open, folder } = registerSessions();
const { simulator, signedIn } = registerLiveAccount({ computers: 7 });

const environment = (state: string) => ({
	...signedIn(),
	CROWSNEST_STATE_DIR: state,
	CROWSNEST_CONFIG_DIR: join(folder(), 'config'),
});

/** Runs a command line of a shell with this state folder. */
const ranWith = (state: string, line: string) =>
	promisify(execFile)('sh', ['-c', line], { env: { ...process.env, ...environment(state) } });

const anotherUser = 12_345;

/** Root can give a folder to another user. To anybody else, a folder of the system belongs to another user. */
function foreignFolder(): string {
	if (process.getuid?.() !== 0) return '/usr';
	const path = mkdtempSync(join(folder(), 'foreign-'));
	chownSync(path, anotherUser, anotherUser);
	return path;
}

test('two monitors whose state folder belongs to another user poll alone, say so, and leave nothing in the folder', async () => {
	const state = foreignFolder();
	const before = readdirSync(state);
	const start = () => open({ columns: 160, rows: 30, words: '', env: environment(state) });
	const sessions = [start(), start()];
	for (const session of sessions) {
		await session.sees('7 computers');
		await session.sees('belongs to another user');
	}
	for (const session of sessions) session.press('q');
	for (const session of sessions) expect(await session.ended()).toMatchObject({ exitCode: 0 });
	expect(readdirSync(state)).toEqual(before);
});

test('a command whose state folder belongs to another user does its work, and says once what is wrong', async () => {
	const line = `${process.execPath} ${program} stop atlas --yes`;
	const { stdout, stderr } = await ranWith(foreignFolder(), line);
	expect(stdout).toBe('atlas: stopping\n');
	expect(stderr.match(/belongs to another user.*/g)).toEqual([
		expect.stringContaining('or set CROWSNEST_STATE_DIR to another folder.'),
	]);
});

/** The system then refuses every byte of every file, as a full disk does. Without the trap, it would end the program. */
const withoutFiles = `trap '' XFSZ; ulimit -f 0; exec ${process.execPath} ${program}`;

test('a monitor that can write no file shows the fleet, counts its requests alone, says what is wrong, and quits as usual', async () => {
	const state = mkdtempSync(join(folder(), 'full-'));
	const size = { columns: 120, rows: 30 };
	const session = open({ ...size, line: withoutFiles, env: environment(state) });
	await session.sees('7 computers');
	await session.sees('Cannot save the');
	await session.press('j');
	session.press('q');
	expect(await session.ended()).toMatchObject({ exitCode: 0 });
});

test('a command that can write no file does its work, and says once what is wrong with all files of the account', async () => {
	const { id } = simulator().world.add({ name: 'nova' });
	const state = mkdtempSync(join(folder(), 'full-'));
	const { stdout, stderr } = await ranWith(state, `${withoutFiles} publish nova 3000 --yes`);
	simulator().world.remove(id);
	expect(stdout).toContain('port 3000 of nova: published');
	expect(stderr).toContain('Cannot save the token: the system allows no larger file');
	expect(stderr).not.toContain('EFBIG');
	expect(stderr).toContain('Publish of nova is sent, but the journal cannot note it: the system');
	// The journal and the snapshot fail for the same reason, which is reported once.
	expect(stderr.match(/Cannot save (?!the token).*/g)).toEqual([
		expect.stringMatching(/^Cannot save the [\w ]+: the system allows no larger file$/),
	]);
});

const filesIn = (path: string) =>
	readdirSync(path, { recursive: true, encoding: 'utf8' })
		.map(name => join(path, name))
		.filter(file => lstatSync(file).isFile());

test('the monitor starts with a pipe, a folder, a link or a giant file in the place of all files of its state', async () => {
	const state = join(folder(), 'special');
	const start = () => open({ words: '', env: environment(state) });
	const first = start();
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
		const session = start();
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
		const session = open({ words: '', env: { ...signedIn(), CROWSNEST_CONFIG_DIR: config } });
		await session.sees('crowsnest: Cannot read ');
		expect(await session.ended()).toMatchObject({ exitCode: 2 });
	}
});
