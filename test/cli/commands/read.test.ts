import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { accountKey } from '../../../source/accounts/credentials.ts';
import { parseWords } from '../../../source/cli/arguments.ts';
import { simulate } from '../../../source/cli/commands/simulate.ts';
import type { Change } from '../../../source/fleet/change.ts';
import { appendLines } from '../../../source/journal/log-files.ts';
import { openElection } from '../../../source/session/state-folder.ts';
import { serveResponses } from '../../platform/loopback.ts';
import { bootIdentity, createOperateHost, createTestHost, startSimulator } from '../host.ts';

test('simulate says that its port is taken, and says so of no other failure', async () => {
	const { host, ran: run } = createTestHost();
	const { port } = new URL((await startSimulator()).baseUrl);
	const taken = await run('simulate', '--port', port);
	expect(taken).toMatchObject({ code: 1, out: '' });
	expect(taken.err).toMatch(
		/^crowsnest: Cannot listen on port \d+: another program uses it\n.+\n$/,
	);
	const fail = (): number => {
		throw new Error('no clock');
	};
	const clock = { ...host.clock, now: fail };
	const ran = simulate.run({ ...host, clock }, parseWords(simulate, [], [simulate]), []);
	await expect(ran).rejects.toThrow(/^no clock$/);
});

test('a list with two records of one id and with pages that repeat shows what it has, and says what is odd', async () => {
	const records = [
		{ sandbox_id: 'sb_1', name: 'older', status: 'active' },
		{ sandbox_id: 'sb_2', name: 'nova', status: 'active' },
		{ sandbox_id: 'sb_1', name: 'newer', status: 'active' },
	];
	const origin = await serveResponses((request, response) => {
		const isList = request.url?.includes('cursor') || request.url?.endsWith('/sandbox');
		response.end(JSON.stringify(isList ? { items: records, next_cursor: 'next' } : records[1]));
	});
	const env = { CROWSNEST_URL: `${origin}/v1`, CROWSNEST_TOKEN: 'token' };
	const host = createTestHost({ env, isTerminal: false });
	const { code, out, err } = await host.ran('list', '--columns', 'name');
	expect({ code, out }).toEqual({ code: 0, out: 'NAME\nnewer\nnova\n' });
	expect(err).toMatch(
		/^3 records had the id of another; the list does not end, so more was not read\n$/,
	);
	const doctor = await host.ran('doctor', '--verbose');
	expect(doctor.out).toContain('3 records had the id of another');
	expect(doctor.out).toContain('the list does not end, so more was not read');
});

/** A host with a journal of these changes, the oldest first, some of them of another machine. */
async function hostWith(...changes: readonly (Partial<Change> & { machine?: string })[]) {
	const simulator = await startSimulator();
	const host = createOperateHost(simulator);
	Object.assign(host.host, { bootIdentity });
	const now = simulator.clock.now();
	const account = accountKey({ baseUrl: simulator.baseUrl, user: simulator.email });
	const lines = changes.map(({ machine, ...change }, place) => {
		const at = now - (changes.length - place) * 60_000;
		return JSON.stringify({ version: 1, account, what: { at, notBefore: at, ...change }, machine });
	});
	appendLines(`${host.folder}/state/log`, lines, now);
	return { host, account };
}

function stopSent(name: string, pane: string) {
	const wish = { key: name, operation: 'stop', computer: `sb_${name}`, name };
	return { type: 'operationMoved' as const, wish, to: 'sent' as const, took: 0, pane };
}

test('log and status say why they cannot read a state folder that is a file', async () => {
	const simulator = await startSimulator();
	const host = createOperateHost(simulator);
	writeFileSync(`${host.folder}/state`, '');
	const { code, out, err } = await host.run('log');
	expect({ code, out }).toEqual({ code: 1, out: '' });
	expect(err).toMatch(/^crowsnest: Cannot read the journal: \S+: not a directory\n$/);
	const status = await host.run('status');
	expect(status).toMatchObject({ code: 1, out: 'no data\n' });
	expect(status.err).toMatch(/Cannot read the last known fleet: \S+: not a directory/);
});

test('log says that an outcome is unknown if the process was killed, but of another machine with the same home folder it knows no process', async () => {
	const machine = 'another machine';
	const { host, account } = await hostWith(
		{ ...stopSent('eridanus', 'killed'), machine },
		{ ...stopSent('draco', 'killed'), to: 'settled', machine },
		stopSent('atlas', 'killed'),
		stopSent('borealis', 'running'),
		{ ...stopSent('cygnus', 'killed'), to: 'settled' },
	);
	const running = openElection({ ...host.host, processId: 'running' }, account);
	onTestFinished(() => running?.close());
	await running?.listen();
	const { out } = await host.run('log', '--all');
	expect(out.replace(/^\S+ +(\S )?/gm, '').split('\n')).toEqual([
		'cygnus: stopped by you',
		'borealis: stop requested',
		'atlas: stop outcome unknown: crowsnest ended while it ran',
		'atlas: stop requested',
		'draco: stopped by you on another machine',
		'eridanus: stop requested',
		'',
	]);
});

test('no control sequence in a configuration reaches the terminal', async () => {
	const host = createTestHost();
	host.configure('"a\u202eb\u009b2J\\u001b[2J" = 1\n[profiles."x\u202e"]\n');
	expect(await host.run('config')).toBe(2);
	expect(await host.run('doctor')).toBe(1);
	host.configure('[commands.wipe]\nkey = "W"\non = "one"\ncommand = ["no\\u001b[2Jthing"]\n');
	expect(await host.run('doctor')).toBe(1);
	expect(host.output()).toContain('there is no program');
	expect(host.output()).toContain('is not a setting');
	expect(host.output()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test.each([
	['--sort', 'version'],
	['--columns', 'version'],
	['--filter', 'version:1.4.2'],
])('list %s %s reads the versions that the list of the platform lacks', async (...words) => {
	const simulator = await startSimulator({ computers: 1, shapes: { list: 'minimal' } });
	expect((await createOperateHost(simulator).run('list', ...words)).out).toContain('1.4.2');
});

test('open prints the address of a port that is shared with a token, and the demo takes no profile', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const { run } = createOperateHost(simulator);
	const shared = `${simulator.baseUrl}/p/share/${simulator.world.get('atlas').ports[0]?.shareToken}`;
	expect(await run('open', 'atlas', '8080', '--share')).toMatchObject({ out: `${shared}\n` });
	expect(await run('list', '--demo', '--profile', 'work')).toMatchObject({
		code: 2,
		err: expect.stringContaining('Use either --demo or a profile'),
	});
});

test('logout deletes the token of one profile and keeps the others', async () => {
	const host = createTestHost();
	host.configure(
		'profile = "work"\n[profiles.work]\nurl = "https://work.example/v1"\nauthUrl = "https://id.example"\n' +
			'anonKey = "the-anon-key"\nemail = "owner@example.com"\n[profiles.production]\n',
	);
	const tokens = join(host.folder, 'state', 'tokens');
	mkdirSync(tokens, { recursive: true, mode: 0o700 });
	for (const name of ['work', 'production', 'gone'])
		writeFileSync(join(tokens, `${name}.json`), '{}');
	expect(await host.run('logout')).toBe(0);
	expect(host.output()).toContain('deleted the token of work');
	expect(readdirSync(tokens)).toEqual(['gone.json', 'production.json']);
	for (const _ of ['once', 'again']) expect(await host.run('logout', '--profile', 'gone')).toBe(0);
	expect(host.output()).toContain('no token of gone is stored.');
	expect(await host.run('logout', '--profile', '../tokens/production')).toBe(2);
	expect(readdirSync(tokens)).toEqual(['production.json']);
});
