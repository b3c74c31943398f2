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
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { appendLines } from '../../source/journal/log-files.ts';
import { startLiveAccount, writeConfig } from './live-account.ts';
import { program, registerSessions } from './session.ts';
import { specialPlaces } from './special-places.ts';

const { open, folder, foldersIn } = registerSessions();
const work = await startLiveAccount({ computers: 7 });
const lab = await startLiveAccount({ computers: 4 });
const fleet = await startLiveAccount({ computers: 7 });
const ending = await startLiveAccount({ computers: 7 });

const pathsIn = (path: string) =>
	readdirSync(path, { recursive: true, encoding: 'utf8' }).map(name => join(path, name));

const filesIn = (path: string) => pathsIn(path).filter(file => lstatSync(file).isFile());

test('the monitor asks for the password in a dialog, stores it nowhere, and shows the last known fleet when the platform cannot be reached', async () => {
	const { CROWSNEST_PASSWORD: password, ...env } = ending.signedIn;
	const { CROWSNEST_ANON_KEY: anonKey } = env;
	const session = open({ words: '', home: 'password', env });
	await session.sees('Password:');
	const isSent = () => !session.text().includes('•');
	await session.press('wrong');
	await session.pressUntil('\r', isSent);
	await session.sees('Invalid login credentials');
	await session.press(password);
	await session.pressUntil('\r', isSent);
	await session.sees('7 computers', 'live, ');
	await session.press('on');
	expect(session.text()).toContain('by name');
	await session.quits();

	const files = filesIn(foldersIn('password').CROWSNEST_STATE_DIR);
	expect(files.length).toBeGreaterThan(2);
	const texts = files.map(file => readFileSync(file, 'utf8'));
	const token = /"accessToken":"([^"]+)"/.exec(texts.join(''))?.[1];
	expect(token).toBeDefined();
	for (const [at, file] of files.entries()) {
		expect(statSync(file).mode & 0o077, file).toBe(0);
		expect(texts[at]).not.toContain(password);
		expect(texts[at]).not.toContain(anonKey);
		if (!file.includes('/tokens/')) expect(texts[at]).not.toContain(token);
	}
	for (const secret of [password, anonKey, token ?? ''])
		expect(session.received()).not.toContain(secret);

	await ending.simulator.close();
	const second = open({ words: '', home: 'password', env });
	await second.sees('atlas', 'gemini', 'by name', 'offline');
	await second.quits();
});

test('the key “l” in the welcome opens the sign-in form, Esc leads from there to the demo, and after a sign-in the account takes its place', async () => {
	const { authUrl, anonKey, email, password } = work.simulator;
	const { CROWSNEST_CONFIG_DIR: config, CROWSNEST_STATE_DIR: state } = foldersIn('first');
	const session = open({ words: '', home: 'first' });
	await session.sees('Welcome to crowsnest', '24 computers');
	await session.press('l');
	await session.sees('Base URL', 'Sign in with  password');
	await session.press('\u001b');
	await session.sees('24 computers');
	expect(session.text()).not.toContain('Welcome');
	expect(existsSync(join(state, 'monitor', 'host.json'))).toBe(true);
	expect(existsSync(config)).toBe(false);

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
	expect(readFileSync(join(config, 'config.toml'), 'utf8')).toContain('[profiles.default]');
	await session.quits();
});

test('`--demo` shows no welcome and runs no own command, and `--read-only` refuses every change', async () => {
	const { CROWSNEST_CONFIG_DIR: config, CROWSNEST_STATE_DIR: state } = foldersIn('demo');
	const written = join(folder, 'written');
	writeConfig(config, {}, [
		'[commands.touch]',
		'key = "K"',
		'changes = false',
		`command = ["touch", "${written}"]`,
	]);
	const session = open({ columns: 120, words: '--demo --read-only', home: 'demo' });
	await session.sees('atlas');
	await session.press('K');
	expect(session.text()).toContain('Shells and own commands do not run in the demo');
	expect(existsSync(written)).toBe(false);
	await session.press('x');
	expect(session.text()).toContain('Read-only: nothing can be changed here');
	expect(session.text()).toContain('24 computers');
	expect(session.text()).not.toMatch(/Welcome|x stop|D delete/);
	expect(existsSync(join(state, 'monitor', 'host.json'))).toBe(false);
	await session.quits();
});

test('the monitor asks which of several profiles to open, shows them in one table, and remembers the answer', async () => {
	const { CROWSNEST_CONFIG_DIR: config, CROWSNEST_STATE_DIR: state } = foldersIn('several');
	const withPassword = (account: typeof work) => ({
		account,
		passwordCommand: ['printf', '%s', account.simulator.password],
	});
	writeConfig(config, { work: withPassword(work), lab: withPassword(lab) });
	const session = open({ words: '', home: 'several' });
	await session.sees('Which ones do you want to watch?');
	session.pressInShell('1,2\r');
	await session.sees('ACCOUNT', '11 computers', '2 accounts');
	await session.quits();
	const saved = readFileSync(join(state, 'monitor', 'host.json'), 'utf8');
	expect(JSON.parse(saved)).toEqual({ version: 1, profiles: ['work', 'lab'] });

	const second = open({ words: '', home: 'several' });
	await second.sees('11 computers');
	expect(second.text()).not.toContain('Which ones');
	await second.quits();
});

/** The environment of the account with this state folder. */
const signedInWith = (state: string) => ({ ...fleet.signedIn, CROWSNEST_STATE_DIR: state });

/** Runs a command line of a shell with this state folder. */
const ranWith = (state: string, line: string) =>
	promisify(execFile)('sh', ['-c', line], {
		env: { ...process.env, ...foldersIn('command'), ...signedInWith(state) },
	});

/** Root can give a folder to another user. To anybody else, a folder of the system belongs to another user. */
function foreignFolder(): string {
	if (process.getuid?.() !== 0) return '/usr';
	const path = mkdtempSync(join(folder, 'foreign-'));
	chownSync(path, 12_345, 12_345);
	return path;
}

test('two monitors whose state folder belongs to another user poll alone, say so, and leave nothing in the folder', async () => {
	const state = foreignFolder();
	const before = readdirSync(state);
	const start = () => open({ columns: 160, rows: 30, words: '', env: signedInWith(state) });
	const sessions = [start(), start()];
	for (const session of sessions) await session.sees('7 computers', 'belongs to another user');
	for (const session of sessions) await session.quits();
	expect(readdirSync(state)).toEqual(before);
});

/** The system then refuses every byte of every file, as a full disk does. Without the trap, it would end the program. */
const withoutFiles = `trap '' XFSZ; ulimit -f 0; exec ${process.execPath} ${program}`;

test('a monitor that can write no file shows the fleet, counts its requests alone, says what is wrong, exports nothing, and quits as usual', async () => {
	const state = mkdtempSync(join(folder, 'full-'));
	const session = open({ columns: 120, rows: 30, line: withoutFiles, env: signedInWith(state) });
	await session.sees('7 computers');
	// The message leaves the screen after a while, which a slow machine may need for the list.
	await session.until('what is wrong', () =>
		/Cannot[^a-z]+save[^a-z]+the/.test(session.received()),
	);
	await session.press('j');
	await session.press(':export csv');
	await session.press('\r');
	await session.sees('Nothing exported. Cannot write crowsnest-fleet-');
	expect(readdirSync(folder).filter(name => name.startsWith('crowsnest-fleet-'))).toEqual([]);
	await session.quits();
});

test('a command that can write no file does its work, and says once what is wrong with all files of the account', async () => {
	const { world } = fleet.simulator;
	const { id } = world.add({ name: 'nova' });
	const state = mkdtempSync(join(folder, 'full-'));
	const { stdout, stderr } = await ranWith(state, `${withoutFiles} publish nova 3000 --yes`);
	world.remove(id);
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

/** Newer versions of Node give the copy of a folder the usual mode, which others can read. */
function copyState(from: string, to: string) {
	cpSync(from, to, { recursive: true, filter: path => !lstatSync(path).isSocket() });
	for (const path of pathsIn(to)) if (lstatSync(path).isDirectory()) chmodSync(path, 0o700);
}

test('the monitor starts with a pipe, a folder, a link or a giant file in the place of all files of its state', async () => {
	const state = join(folder, 'special');
	const start = () => open({ words: '', env: signedInWith(state) });
	const first = start();
	await first.sees('live, ');
	const copy = join(folder, 'copy');
	// While the monitor runs, the log of requests is among its files.
	copyState(state, copy);
	await first.quits();
	// The snapshot is written at the end.
	copyState(state, copy);
	appendLines(join(copy, 'log'), [], Date.now());
	const names = filesIn(copy).map(file => file.slice(copy.length));
	for (const part of ['-001.jsonl', 'fleet', 'requests-'])
		expect(names).toContainEqual(expect.stringContaining(part));

	for (const { place } of specialPlaces) {
		rmSync(state, { recursive: true });
		copyState(copy, state);
		filesIn(state).forEach(place);
		const session = start();
		await session.until('rows, or their time', () =>
			/atlas|list of computers will be read at/.test(session.text()),
		);
		await session.quits();
	}
});

test.each(specialPlaces)(
	'a configuration that is a $name is refused in one line',
	async ({ name, place }) => {
		const { CROWSNEST_CONFIG_DIR: config } = foldersIn(name);
		mkdirSync(config, { recursive: true });
		place(join(config, 'config.toml'));
		const session = open({ words: '', home: name, env: fleet.signedIn });
		await session.sees('crowsnest: Cannot read ');
		expect(await session.ended()).toMatchObject({ exitCode: 2 });
	},
);
