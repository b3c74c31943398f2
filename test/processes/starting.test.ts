import { execFile } from 'node:child_process';
import {
	chmodSync,
	chownSync,
	cpSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { appendLines } from '../../source/journal/log-files.ts';
import { specialPlaces } from '../special-places.ts';
import { registerLiveAccount, writeConfig } from './live-account.ts';
import { program, registerSessions } from './session.ts';

const { open, folder } = registerSessions();
const work = registerLiveAccount({ computers: 7 });
const lab = registerLiveAccount({ computers: 4 });
const ending = registerLiveAccount({ computers: 7 });

/** The environment of a start whose folders no other test uses. */
const foldersNamed = (name: string) => ({
	CROWSNEST_STATE_DIR: join(folder(), name, 'state'),
	CROWSNEST_CONFIG_DIR: join(folder(), name, 'config'),
});

test('the monitor asks for the password in a dialog, stores it nowhere, and shows the last known fleet when the platform cannot be reached', async () => {
	const { password, anonKey, close } = ending.simulator();
	const folders = foldersNamed('password');
	const watch = () => open({ words: '', env: { ...ending.env(), ...folders } });
	const session = watch();
	await session.sees('Password:');
	const isSent = () => !session.text().includes('•');
	await session.press('wrong');
	await session.pressUntil('\r', isSent);
	await session.sees('Invalid login credentials');
	await session.press(password);
	await session.pressUntil('\r', isSent);
	await session.sees('7 computers');
	await session.sees('live, ');
	await session.press('on');
	expect(session.text()).toContain('by name');
	session.press('q');
	await session.ended();

	const state = folders.CROWSNEST_STATE_DIR;
	const files = readdirSync(state, { recursive: true, encoding: 'utf8' })
		.map(name => join(state, name))
		.filter(file => statSync(file).isFile());
	expect(files.length).toBeGreaterThan(2);
	const token = /"accessToken":"([^"]+)"/.exec(
		files.map(file => readFileSync(file, 'utf8')).join(''),
	)?.[1];
	expect(token).toBeDefined();
	for (const file of files) {
		expect(statSync(file).mode & 0o077, file).toBe(0);
		const text = readFileSync(file, 'utf8');
		expect(text).not.toContain(password);
		expect(text).not.toContain(anonKey);
		if (!file.includes('/tokens/')) expect(text).not.toContain(token);
	}
	for (const secret of [password, anonKey, token ?? '']) {
		expect(session.received()).not.toContain(secret);
	}

	await close();
	const second = watch();
	for (const text of ['atlas', 'gemini', 'by name', 'offline']) await second.sees(text);
	second.press('q');
	await second.ended();
});

test('the key “l” in the welcome opens the sign-in form, and the account takes the place of the demo', async () => {
	const { authUrl, anonKey, email, password } = work.simulator();
	const folders = foldersNamed('first');
	const session = open({ words: '', env: folders });
	await session.sees('Welcome to crowsnest');
	await session.sees('24 computers');
	await session.press('l');
	await session.sees('Sign in with  password');
	for (const typed of [authUrl, '', authUrl, anonKey, email, password]) {
		if (typed !== '') await session.press(typed);
		await session.press('\r');
	}
	await session.sees('Signed in as owner@example.com: 7 computers');
	expect(session.text()).not.toContain('24 computers');
	await session.sees('live, ');
	expect(session.modes().isCursorHidden).toBe(true);
	await session.press('j');
	expect(session.text()).toContain('❯ borealis');
	expect(session.received()).not.toContain(anonKey);
	expect(session.received()).not.toContain(password);
	const config = readFileSync(join(folders.CROWSNEST_CONFIG_DIR, 'config.toml'), 'utf8');
	expect(config).toContain('[profiles.default]');
	session.press('q');
	expect((await session.ended()).exitCode).toBe(0);
});

test('Esc during the sign-in returns to the demo', async () => {
	const folders = foldersNamed('thought-better');
	const session = open({ words: '', env: folders });
	await session.sees('Welcome to crowsnest');
	session.press('l');
	await session.sees('Base URL');
	await session.press('\u001b');
	await session.sees('24 computers');
	expect(session.text()).not.toContain('Welcome');
	expect(existsSync(join(folders.CROWSNEST_STATE_DIR, 'monitor', 'host.json'))).toBe(true);
	expect(existsSync(folders.CROWSNEST_CONFIG_DIR)).toBe(false);
	session.press('q');
	expect((await session.ended()).exitCode).toBe(0);
});

test('`--demo` shows no welcome and runs no own command, and `--read-only` refuses every change', async () => {
	const folders = foldersNamed('demo');
	const written = join(folder(), 'written');
	mkdirSync(folders.CROWSNEST_CONFIG_DIR, { recursive: true });
	writeFileSync(
		join(folders.CROWSNEST_CONFIG_DIR, 'config.toml'),
		`[commands.touch]\nkey = "K"\nchanges = false\ncommand = ["touch", "${written}"]\n`,
		{ mode: 0o600 },
	);
	const session = open({ columns: 120, words: '--demo --read-only', env: folders });
	await session.sees('atlas');
	await session.press('K');
	expect(session.text()).toContain('Own commands do not run in the demo');
	expect(existsSync(written)).toBe(false);
	await session.press('x');
	expect(session.text()).toContain('Read-only: nothing can be changed here');
	expect(session.text()).toContain('24 computers');
	expect(session.text()).not.toMatch(/Welcome|x stop|D delete/);
	expect(existsSync(join(folders.CROWSNEST_STATE_DIR, 'welcomed'))).toBe(false);
	session.press('q');
	expect((await session.ended()).exitCode).toBe(0);
});

test('the monitor asks which of several profiles to open, shows them in one table, and remembers the answer', async () => {
	const folders = foldersNamed('several');
	const passwordCommand = (account: typeof work) => ['printf', '%s', account.simulator().password];
	writeConfig(folders.CROWSNEST_CONFIG_DIR, {
		work: { account: work, passwordCommand: passwordCommand(work) },
		lab: { account: lab, passwordCommand: passwordCommand(lab) },
	});
	const session = open({ words: '', env: folders });
	await session.sees('Which ones do you want to watch?');
	session.pressInShell('1,2\r');
	await session.sees('ACCOUNT');
	await session.sees('11 computers');
	await session.sees('2 accounts');
	session.press('q');
	await session.ended();
	const saved = readFileSync(join(folders.CROWSNEST_STATE_DIR, 'monitor', 'host.json'), 'utf8');
	expect(JSON.parse(saved)).toEqual({ version: 1, profiles: ['work', 'lab'] });

	const second = open({ words: '', env: folders });
	await second.sees('11 computers');
	expect(second.text()).not.toContain('Which ones');
	second.press('q');
	await second.ended();
});

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
	expect(stderr).toContain('Cannot save the token: file too large');
	expect(stderr).not.toContain('EFBIG');
	expect(stderr).toContain(
		'Publish of nova is sent, but the journal cannot note it: file too large',
	);
	// The journal and the snapshot fail for the same reason, which is reported once.
	expect(stderr.match(/Cannot save (?!the token).*/g)).toEqual([
		expect.stringMatching(/^Cannot save the [\w ]+: file too large$/),
	]);
});

const pathsIn = (path: string) =>
	readdirSync(path, { recursive: true, encoding: 'utf8' }).map(name => join(path, name));

const filesIn = (path: string) => pathsIn(path).filter(file => lstatSync(file).isFile());

/** Newer versions of Node give the copy of a folder the usual mode, which others can read. */
function copyState(from: string, to: string) {
	cpSync(from, to, { recursive: true, filter: path => !lstatSync(path).isSocket() });
	for (const path of pathsIn(to)) if (lstatSync(path).isDirectory()) chmodSync(path, 0o700);
}

test('the monitor starts with a pipe, a folder, a link or a giant file in the place of all files of its state', async () => {
	const state = join(folder(), 'special');
	const start = () => open({ words: '', env: environment(state) });
	const first = start();
	await first.sees('live, ');
	const copy = join(folder(), 'copy');
	// While the monitor runs, the log of requests is among its files.
	copyState(state, copy);
	await first.press('q');
	await first.ended();
	// The snapshot is written at the end.
	copyState(state, copy);
	appendLines(join(copy, 'log'), [], Date.now());
	const names = filesIn(copy).map(file => file.slice(copy.length));
	for (const part of ['-001.jsonl', 'fleet', 'requests-'])
		expect(names).toContainEqual(expect.stringContaining(part));

	for (const place of specialPlaces) {
		rmSync(state, { recursive: true });
		copyState(copy, state);
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
