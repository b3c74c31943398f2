import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
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

async function open(...words: readonly string[]) {
	const simulator = await startSimulator({ computers: 4 });
	const host = createOperateHost(simulator);
	const ran = host.run('watch', ...words);
	await host.see('Watching');
	return {
		simulator,
		host,
		async see(wanted: string | RegExp) {
			await host.see(wanted);
		},
		async end() {
			host.signal('SIGINT');
			const { code, out, err } = await ran;
			return { code, err, lines: out.split('\n').filter(line => line !== '') };
		},
	};
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

test('watch --json prints one object per line with the documented fields', async () => {
	const { simulator, see, end } = await open('--json');
	simulator.world.sleep('atlas');
	await see('"to":"stopped"');
	const { err, lines } = await end();
	const record = lines.map(line => JSON.parse(line)).find(({ to }) => to === 'stopped');
	expect(Object.keys(record)).toEqual(Object.keys(changeFields));
	expect(record).toMatchObject({
		event: 'status',
		name: 'atlas',
		from: 'stopping',
		reason: 'unknown',
	});
	expect(record.at > record.notBefore).toBe(true);
	expect(
		err
			.split('\n')
			.filter(Boolean)
			.map(line => Object.keys(JSON.parse(line))),
	).toContainEqual(['notice']);
});

test('watch --filter prints changes of computers that match before or after the change', async () => {
	const { simulator, see, end } = await open('--filter', 'name:atlas');
	simulator.world.fail('borealis');
	simulator.world.sleep('atlas');
	await see(/atlas: stopping .*→ stopped/);
	simulator.world.wake('atlas');
	await see(/atlas: .+ → active/);
	const { lines } = await end();
	for (const line of lines) expect(line).toContain('  atlas: ');
});

test('watch prints an operation of another run, and gives it as the reason for the stop', async () => {
	const { simulator, host, see, end } = await open('--json');
	const other = createOperateHost(simulator, { state: `${host.folder}/state` });
	expect((await other.run('stop', 'atlas', '--yes', '--wait')).code).toBe(0);
	await see('"event":"operation"');
	await see('"to":"stopped"');
	const { lines } = await end();
	const records = lines.map(line => JSON.parse(line));
	expect(records.filter(({ event }) => event === 'operation')[0]).toMatchObject({
		name: 'atlas',
		operation: 'stop',
	});
	expect(records.find(({ to }) => to === 'stopped')).toMatchObject({ reason: 'asked' });
});

test('watch ends on a wrong password and on a closed pipe', async () => {
	const simulator = await startSimulator();
	const wrong = createOperateHost({ ...simulator, password: 'wrong' });
	expect((await wrong.run('watch')).code).toBe(4);
	const host = createOperateHost(simulator);
	const ran = host.run('watch');
	await host.see('Watching');
	host.stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
	expect(await ran).toMatchObject({ code: 0, out: '' });
});

test('watch --textfile keeps metrics of all accounts up to date', async () => {
	const work = await startSimulator({ computers: 4 });
	const lab = await startSimulator({ computers: 3, clock: work.clock });
	const host = await createSeveralAccountsHost({
		work: { simulator: work },
		lab: { simulator: lab },
	});
	const path = `${host.folder}/fleet.prom`;
	const samplesNow = (family: string) =>
		(parseStrictly(readFileSync(path, 'utf8')).get(family)?.samples ?? []).map(
			({ labels: { account, ...others }, value }) =>
				[account, ...Object.values(others), value].join(' '),
		);
	const ran = host.run('watch', '--all-profiles', '--textfile', path);
	await host.see(/Watching.+\n.*Watching/);
	work.world.fail('atlas');
	await host.see(/atlas: active for .* → error/);
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
		const end = host.clock.now() + 60_000;
		await host.until(() => host.clock.now() >= end);
		host.signal('SIGINT');
		const { err } = await ran;
		return { paths: simulator.requests.map(({ path }) => path), err };
	}
	const plain = await requestsOf(false);
	const { paths, err } = await requestsOf(true);
	expect(paths).toEqual(plain.paths);
	expect(err.match(/Cannot write \S+\/fleet\.prom: no such file or directory\n/g)).toHaveLength(1);
});

test('watch refuses a textfile that cannot be written before it sends anything', async () => {
	const simulator = await startSimulator();
	const host = createOperateHost(simulator);
	const refusalOf = async (path: string) => {
		const { code, err } = await host.run('watch', '--textfile', path);
		return { code, line: err.split('\n')[0] };
	};
	const begin = 'crowsnest: --textfile: cannot write';
	expect(await refusalOf(`${host.folder}/nowhere/fleet.prom`)).toEqual({
		code: 2,
		line: `${begin} ${host.folder}/nowhere/fleet.prom: no such file or directory`,
	});
	expect(await refusalOf(host.folder)).toEqual({
		code: 2,
		line: `${begin} ${host.folder}: illegal operation on a directory`,
	});
	expect(simulator.requests).toEqual([]);
});

describe('a hook on operationEnded', () => {
	/** Runs `watch` with the hook, and at the same time a command of another process, which then ends. */
	async function reportedOf(...words: readonly string[]) {
		const simulator = await startSimulator({ computers: 4 });
		const host = createOperateHost(simulator);
		const children = createFakeChildren(simulator.clock);
		mkdirSync(`${host.folder}/config`, { recursive: true });
		const path = `${host.folder}/config/config.toml`;
		writeFileSync(path, '[[hooks]]\non = "operationEnded"\ncommand = ["hook"]\n', { mode: 0o600 });
		Object.assign(host.host, { spawn: children.spawn });
		const watching = host.run('watch');
		await host.see('Watching');
		const other = createOperateHost(simulator, { state: `${host.folder}/state` });
		await other.run(...words);
		const end = simulator.clock.now() + 60_000;
		await host.until(() => simulator.clock.now() >= end);
		host.signal('SIGINT');
		await watching;
		return children.started.map(({ record: { operation, to, computer } }) => [
			operation,
			to,
			(computer as { name: string }).name,
		]);
	}

	test.each([
		['waits for the end of its operation', ['--wait']],
		['ends before its operation does', []],
	])('runs once for a command that %s', async (_, words) => {
		expect(await reportedOf('stop', 'atlas', '--yes', ...words)).toEqual([
			['stop', 'done', 'atlas'],
		]);
	});
});

test('watch runs the hooks of the configuration, and names the line of a wrong one', async () => {
	const simulator = await startSimulator({ computers: 4 });
	const host = createOperateHost(simulator);
	const children = createFakeChildren(simulator.clock);
	Object.assign(host.host, { spawn: children.spawn });
	const folder = `${host.folder}/config`;
	mkdirSync(folder, { recursive: true });
	const path = `${folder}/config.toml`;
	const hooks =
		'[[hooks]]\non = "computerFailed"\ncommand = ["hook"]\n[[hooks]]\non = "accountDown"\n';
	writeFileSync(path, hooks);
	chmodSync(folder, 0o755);
	chmodSync(path, 0o644);
	const ran = host.run('watch');
	await host.see('Watching');
	const learntAt = simulator.clock.now() + 10_000;
	await host.until(() => simulator.clock.now() >= learntAt);
	expect(children.started).toEqual([]);
	simulator.world.fail('atlas');
	await host.until(() => children.started.length > 0);
	host.signal('SIGINT');
	const { err } = await ran;
	expect(err).toContain('config.toml: hooks.2 has no command');
	expect(children.started.map(({ record }) => reportOf(record))).toEqual([
		expect.stringMatching(/^computerFailed \S+ active→error$/),
	]);
	expect(JSON.stringify(children.started[0]?.variables)).not.toContain(simulator.password);

	chmodSync(path, 0o666);
	const again = host.run('watch');
	await host.see('No hook runs: ');
	host.signal('SIGINT');
	await again;
});
