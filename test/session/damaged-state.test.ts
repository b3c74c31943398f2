import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createStore as createRecorder } from 'zustand/vanilla';
import { accountKey, credentialsFrom } from '../../source/accounts/credentials.ts';
import { createTokenCache } from '../../source/accounts/token-cache.ts';
import { openJournal } from '../../source/journal/journal.ts';
import { createMemory } from '../../source/monitor/memory.ts';
import { createStore } from '../../source/store/store.ts';
import { createHeldClock } from '../held-clock.ts';

const owner = {
	baseUrl: 'http://127.0.0.1:38787/v1',
	authUrl: 'http://127.0.0.1:38787',
	email: 'owner@example.com',
};
const account = accountKey({ baseUrl: owner.baseUrl, user: owner.email });
const clock = createHeldClock();

/** Opens every state file that the program opens at its start, and stores a value in each. */
async function start(state: string, status = 'active') {
	const troubles: string[] = [];
	const onTrouble = (message: string) => troubles.push(message);
	const directory = join(state, 'log');
	const store = createStore();
	const recorder = createRecorder(() => true);
	const journal = openJournal({
		...{ directory, account, store, clock, process: '1' },
		recorder,
		onProblem: onTrouble,
	});
	const at = clock.now();
	const computers = [{ id: 'sb_1', name: 'atlas', status }];
	store.receive([{ account, at, askedAt: at, type: 'listRead', computers }]);
	store.receive([
		{ account, at, askedAt: at, type: 'answered', read: 'credits', answer: { balance: 5 } },
	]);
	journal.close();
	const credentials = credentialsFrom({ authUrl: owner.authUrl, email: owner.email });
	const tokenPath = join(state, 'tokens', 'work.json');
	const tokens = createTokenCache({ baseUrl: owner.baseUrl, credentials, tokenPath }, onTrouble);
	tokens.load();
	tokens.save({ accessToken: 'token-of-the-simulator' });
	createMemory(join(state, 'monitor', 'host.json')).update(saved => ({ ...saved, filter: status }));
	return { troubles, known: store.getState().accounts.get(account)?.computers.size };
}

async function stateOfAStart() {
	const folder = mkdtempSync(join(tmpdir(), 'crowsnest-state-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const state = join(folder, 'state');
	await start(state);
	await start(state, 'stopped');
	const names = readdirSync(state, { recursive: true, encoding: 'utf8' });
	const files = names
		.filter(name => !name.startsWith('limits'))
		.map(name => join(state, name))
		.filter(path => statSync(path).isFile());
	return { state, files };
}

test('the program starts with any bytes in a state file', async () => {
	const { state, files } = await stateOfAStart();
	expect(files.length).toBeGreaterThan(3);
	const whole = new Map(files.map(file => [file, readFileSync(file)]));
	const damage = fc.oneof(
		fc.uint8Array({ maxLength: 300 }).map(bytes => () => Buffer.from(bytes)),
		fc.nat(2000).map(length => (file: Buffer) => file.subarray(0, length)),
		fc
			.nat(2000)
			.map(
				place => (file: Buffer) =>
					file.map((byte, at) => (at < place || at > place + 50 ? byte : 0)),
			),
		fc.json().map(text => () => Buffer.from(`${text}\n`)),
		fc.json().map(text => () => Buffer.from(`{"version":1}\n${text}\n`)),
	);
	await fc.assert(
		fc.asyncProperty(fc.constantFrom(...files), damage, async (file, damaged) => {
			const text = whole.get(file) ?? Buffer.alloc(0);
			writeFileSync(file, damaged(text));
			expect((await start(state)).known).toBe(1);
			writeFileSync(file, text);
		}),
		{ numRuns: 40 },
	);
});

test('the program follows no symbolic link in the place of a state file', async () => {
	const { state, files } = await stateOfAStart();
	const victim = join(state, 'victim');
	writeFileSync(victim, 'untouched\n', { mode: 0o644 });
	for (const file of files) {
		rmSync(file);
		symlinkSync(victim, file);
	}
	const { troubles, known } = await start(state);
	expect(known).toBe(1);
	expect(troubles).toContainEqual(expect.stringMatching(/-001\.jsonl is a link/));
	expect(readFileSync(victim, 'utf8')).toBe('untouched\n');
	expect(statSync(victim).mode & 0o777).toBe(0o644);
});

test('the program starts with a folder in the place of each state file', async () => {
	const { state, files } = await stateOfAStart();
	for (const file of files) {
		rmSync(file);
		mkdirSync(file, { mode: 0o700 });
	}
	const { troubles, known } = await start(state);
	expect(known).toBe(1);
	expect(troubles).not.toEqual([]);
});

test.each([
	['', /state can be written by others .*chmod go-w/],
	['log', /log can be read by others .*chmod 700/],
	['tokens', /tokens can be read by others .*chmod 700/],
])('the program stores nothing in “state/%s” when others can write to it', async (name, why) => {
	const { state } = await stateOfAStart();
	const path = join(state, name);
	chmodSync(path, 0o777);
	const files = readdirSync(path).filter(each => statSync(join(path, each)).isFile());
	const before = files.map(each => readFileSync(join(path, each), 'utf8'));
	const { troubles, known } = await start(state);
	expect(known).toBe(1);
	expect(troubles).toContainEqual(expect.stringMatching(why));
	expect(files.map(each => readFileSync(join(path, each), 'utf8'))).toEqual(before);
});
