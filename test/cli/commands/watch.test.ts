import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { changeFields } from '../../../source/script/json-records.ts';
import { createFakeChildren, reportOf } from '../../journal/hooked-fleet.ts';
import { parseStrictly } from '../../script/strict-exposition.ts';
import {
	bootIdentity,
	createOperateHost as createHost,
	createSeveralAccountsHost,
	startSimulator,
} from '../host.ts';

function createOperateHost(...options: Parameters<typeof createHost>) {
	const host = createHost(...options);
	Object.assign(host.host, { bootIdentity });
	return host;
}

/** A watch whose hooks start no program but are recorded. */
async function open({ words = [] as readonly string[], hooks = '' } = {}) {
	const simulator = await startSimulator({ computers: 4 });
	const host = createOperateHost(simulator);
	const { spawn, started } = createFakeChildren(simulator.clock);
	Object.assign(host.host, { spawn });
	host.configure(hooks);
	const ran = host.run('watch', ...words);
	await host.see('Watching');
	async function end() {
		host.signal('SIGINT');
		const { code, out, err } = await ran;
		const lines = out.split('\n').filter(line => line !== '');
		return { code, err, lines };
	}
	return { simulator, host, started, ran, see: host.see, end };
}

test('watch prints one line per change until it is interrupted', async () => {
	const { simulator, see, end } = await open();
	simulator.world.sleep('atlas');
	// The computer was busy before it stopped, so it does not count as asleep.
	await see(/atlas: stopping → stopped in \d+ s$/m);
	simulator.world.add({ name: 'nova' });
	await see('nova is new: active');
	simulator.world.remove('cygnus');
	await see('cygnus is gone');
	const { code, err, lines } = await end();
	expect(code).toBe(130);
	expect(err).toContain('Watching; Ctrl-C ends\n');
	for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}\S/);
});

test('watch --filter prints changes of computers that match before or after the change', async () => {
	const { simulator, see, end } = await open({ words: ['--filter', 'name:atlas'] });
	simulator.world.fail('borealis');
	simulator.world.sleep('atlas');
	await see(/atlas: stopping .*→ stopped/);
	simulator.world.wake('atlas');
	await see(/atlas: .+ → active/);
	for (const line of (await end()).lines) expect(line).toContain('  atlas: ');
});

test('watch --json prints the documented fields, and an operation of another run as the reason for the stop', async () => {
	const { simulator, host, see, end } = await open({ words: ['--json'] });
	const other = createOperateHost(simulator, { state: `${host.folder}/state` });
	expect((await other.run('stop', 'atlas', '--yes', '--wait')).code).toBe(0);
	await see('"event":"operation"');
	await see('"to":"stopped"');
	const { err, lines } = await end();
	const records = lines.map(line => JSON.parse(line));
	expect(records.find(({ event }) => event === 'operation')).toMatchObject({
		name: 'atlas',
		operation: 'stop',
	});
	const stopped = records.find(({ to }) => to === 'stopped');
	expect(Object.keys(stopped)).toEqual(Object.keys(changeFields));
	expect(stopped).toMatchObject({ event: 'status', from: 'stopping', reason: 'asked' });
	expect(stopped.at > stopped.notBefore).toBe(true);
	expect(JSON.parse(err.split('\n')[0] ?? '')).toHaveProperty('notice');
});

test('watch ends when its pipe is closed', async () => {
	const { host, ran } = await open();
	host.stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
	expect(await ran).toMatchObject({ code: 0, out: '' });
});

test('watch --textfile keeps metrics of all accounts up to date', async () => {
	const work = await startSimulator({ computers: 4 });
	const lab = await startSimulator({ computers: 3, clock: work.clock });
	const profiles = { work: { simulator: work }, lab: { simulator: lab } };
	const host = await createSeveralAccountsHost(profiles);
	const path = `${host.folder}/fleet.prom`;
	const samplesNow = (family: string) =>
		(parseStrictly(readFileSync(path, 'utf8')).get(family)?.samples ?? []).map(
			({ labels: { account, ...others }, value }) =>
				[account, ...Object.values(others), value].join(' '),
		);
	const ran = host.run('watch', '--all-profiles', '--textfile', path);
	await host.see(/Watching.+\n.*Watching/);
	work.world.fail('atlas');
	await host.until(() => samplesNow('crowsnest_computers').includes('work error 2'));
	expect(samplesNow('crowsnest_account_up')).toEqual(['work 1', 'lab 1']);
	expect(samplesNow('crowsnest_computers')).toContain('lab active 1');
	expect(samplesNow('crowsnest_budget_limit_requests')).toContain('lab other 30');
	lab.setFaults([{ target: '*', kind: '503' }]);
	await host.until(() => samplesNow('crowsnest_account_up').includes('lab 0'));
	host.signal('SIGINT');
	expect((await ran).code).toBe(130);
	expect(samplesNow('crowsnest_account_up')).toEqual(['work 1', 'lab 0']);
});

test('watch sends no further requests for a textfile, and says once that the file cannot be written', async () => {
	async function requestsOf(hasTextfile: boolean) {
		const simulator = await startSimulator({ computers: 4 });
		const host = createOperateHost(simulator);
		const folder = `${host.folder}/metrics`;
		mkdirSync(folder);
		const ran = host.run('watch', ...(hasTextfile ? ['--textfile', `${folder}/fleet.prom`] : []));
		await host.see('Watching');
		rmSync(folder, { recursive: true });
		await host.pass(60_000);
		host.signal('SIGINT');
		const { err } = await ran;
		return { paths: simulator.requests.map(({ path }) => path), err };
	}
	const { paths, err } = await requestsOf(true);
	expect(paths).toEqual((await requestsOf(false)).paths);
	expect(err.match(/Cannot write \S+\/fleet\.prom: no such file or directory\n/g)).toHaveLength(1);
});

test.each([
	['/nowhere/fleet.prom', 'no such file or directory'],
	['', 'illegal operation on a directory'],
])('watch refuses the textfile “%s” before it sends anything', async (name, reason) => {
	const simulator = await startSimulator();
	const host = createOperateHost(simulator);
	const path = `${host.folder}${name}`;
	const { code, err } = await host.run('watch', '--textfile', path);
	expect(code).toBe(2);
	expect(err).toMatch(`crowsnest: --textfile: cannot write ${path}: ${reason}\n`);
	expect(simulator.requests).toEqual([]);
});

test.each([
	['waits for the end of its operation', ['--wait']],
	['ends before its operation does', []],
])('a hook on operationEnded runs once for a command that %s', async (_, words) => {
	const hooks = '[[hooks]]\non = "operationEnded"\ncommand = ["hook"]\n';
	const { simulator, host, started, end } = await open({ hooks });
	const other = createOperateHost(simulator, { state: `${host.folder}/state` });
	await other.run('stop', 'atlas', '--yes', ...words);
	await host.pass(60_000);
	await end();
	expect(started.map(({ record }) => record)).toMatchObject([
		{ operation: 'stop', to: 'done', computer: { name: 'atlas' } },
	]);
});

test('watch runs the hooks of the configuration, names a wrong one, and runs none that others can write', async () => {
	const hooks =
		'[[hooks]]\non = "computerFailed"\ncommand = ["hook"]\n[[hooks]]\non = "accountDown"\n';
	const { simulator, host, started, end } = await open({ hooks });
	await host.pass(10_000);
	expect(started).toEqual([]);
	simulator.world.fail('atlas');
	await host.until(() => started.length > 0);
	expect((await end()).err).toContain('config.toml: hooks.2 has no command');
	expect(started.map(({ record }) => reportOf(record))).toEqual([
		expect.stringMatching(/^computerFailed \S+ active→error$/),
	]);
	expect(JSON.stringify(started[0]?.variables)).not.toContain(simulator.password);
	chmodSync(`${host.folder}/config/config.toml`, 0o666);
	const again = host.run('watch');
	await host.see('No hook runs: ');
	host.signal('SIGINT');
	await again;
});
