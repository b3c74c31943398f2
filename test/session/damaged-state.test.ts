import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountKey, credentialsFrom } from '../../source/accounts/credentials.ts';
import { createTokenCache } from '../../source/accounts/token-cache.ts';
import { createMemory } from '../../source/monitor/memory.ts';
import { createHeldClock } from '../held-clock.ts';
import { runProgram } from '../journal/run.ts';
import { stateDirectory } from '../journal/state-directory.ts';

const baseUrl = 'http://127.0.0.1:38787/v1';
const authUrl = 'http://127.0.0.1:38787';
const email = 'owner@example.com';
const account = accountKey({ baseUrl, user: email });
const clock = createHeldClock();

/** Opens every state file that the program opens at its start, and stores a value in each. */
function start(state: string, status = 'active') {
	const run = runProgram(join(state, 'log'), { account, clock });
	const { store, journal, troubles } = run;
	const at = clock.now();
	const computers = [{ id: 'sb_1', name: 'atlas', status }];
	store.receive([{ account, at, askedAt: at, type: 'listRead', computers }]);
	journal.close();
	const credentials = credentialsFrom({ authUrl, email });
	const tokenPath = join(state, 'tokens', 'work.json');
	const onTrouble = (message: string) => troubles.push(message);
	const tokens = createTokenCache({ baseUrl, credentials, tokenPath }, onTrouble);
	tokens.load();
	tokens.save({ accessToken: 'token-of-the-simulator' });
	createMemory(join(state, 'monitor', 'host.json')).update(saved => ({ ...saved, filter: status }));
	return { troubles, known: run.state().computers.size };
}

function stateOfAStart() {
	const state = stateDirectory();
	start(state);
	start(state, 'stopped');
	const paths = readdirSync(state, { recursive: true, encoding: 'utf8' }).map(name =>
		join(state, name),
	);
	return { state, files: paths.filter(path => statSync(path).isFile()) };
}

test('the program starts with any bytes in a state file', () => {
	const { state, files } = stateOfAStart();
	expect(files.length).toBeGreaterThan(3);
	const damage = fc.oneof(
		fc.uint8Array({ maxLength: 300 }).map(bytes => () => Buffer.from(bytes)),
		fc.nat(2000).map(length => (file: Buffer) => file.subarray(0, length)),
		fc
			.nat(2000)
			.map(
				place => (file: Buffer) =>
					file.map((byte, at) => (at < place || at > place + 50 ? byte : 0)),
			),
		fc.json().map(text => () => Buffer.from(`{"version":1}\n${text}\n`)),
	);
	fc.assert(
		fc.property(fc.constantFrom(...files), damage, (file, damaged) => {
			const whole = readFileSync(file);
			writeFileSync(file, damaged(whole));
			expect(start(state).known).toBe(1);
			writeFileSync(file, whole);
		}),
		{ numRuns: 40 },
	);
});

test.each([
	['', /state can be written by others .*chmod go-w/],
	['log', /log can be read by others .*chmod 700/],
	['tokens', /tokens can be read by others .*chmod 700/],
])('the program stores nothing in “state/%s” when others can write to it', (name, why) => {
	const { state } = stateOfAStart();
	const path = join(state, name);
	chmodSync(path, 0o777);
	const files = readdirSync(path).filter(each => statSync(join(path, each)).isFile());
	const textsNow = () => files.map(each => readFileSync(join(path, each), 'utf8'));
	const before = textsNow();
	const { troubles, known } = start(state);
	expect(known).toBe(1);
	expect(troubles).toContainEqual(expect.stringMatching(why));
	expect(textsNow()).toEqual(before);
});
