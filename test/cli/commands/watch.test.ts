import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeFields } from '../../../source/views/records.ts';
import { createFakeChildren, reportOf } from '../../journal/hooked-fleet.ts';
import { temporaryFolder } from '../../journal/state-directory.ts';
import { bootIdentity, createOperateHost, startSimulator, startTwins } from '../host.ts';

/** A watch whose hooks start no program but are recorded, and a function that runs a command beside it. */
async function open({ words = [] as readonly string[], hooks = '' } = {}) {
	const simulator = await startSimulator({ computers: 4 });
	const host = createOperateHost(simulator);
	const { spawn, started } = createFakeChildren(simulator.clock);
	Object.assign(host.host, { spawn, bootIdentity });
	host.configure(hooks);
	const ran = host.run('watch', ...words);
	await host.see('Watching');
	async function end() {
		host.signal('SIGINT');
		const { code, out, err } = await ran;
		expect(code).toBe(130);
		return { err, lines: out.split('\n').filter(line => line !== '') };
	}
	async function beside(...command: readonly string[]) {
		const env = { CROWSNEST_STATE_DIR: `${host.folder}/state` };
		const other = createOperateHost(simulator, { env });
		Object.assign(other.host, { bootIdentity });
		expect((await other.run(...command)).code).toBe(0);
	}
	return { simulator, host, started, ran, see: host.see, end, beside };
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
	const { err, lines } = await end();
	expect(err).toContain('Watching; Ctrl-C ends\n');
	for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}\S/);
});

test('watch --filter prints changes of computers that match before or after the change', async () => {
	const { simulator, see, end } = await open({ words: ['--filter', 'status:stopped'] });
	simulator.world.fail('borealis');
	simulator.world.sleep('atlas');
	await see(/atlas: stopping → stopped/);
	simulator.world.wake('atlas');
	await see(/atlas: stopped .*→ (starting|active)/);
	for (const line of (await end()).lines) expect(line).toContain('  atlas: ');
});

test('watch --json prints the documented fields, and an operation of another run as the reason for the stop', async () => {
	const { see, end, beside } = await open({ words: ['--json'] });
	await beside('stop', 'atlas', '--yes', '--wait');
	await see('"event":"operation"');
	await see('"to":"stopped"');
	const { err, lines } = await end();
	const records = lines.map(line => JSON.parse(line));
	const operation = { event: 'operation', name: 'atlas', operation: 'stop' };
	expect(records).toContainEqual(expect.objectContaining(operation));
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

test('watch --textfile keeps metrics of all accounts up to date, and says once that it cannot', async () => {
	const { host, work, lab } = await startTwins();
	const folder = `${host.folder}/metrics`;
	mkdirSync(folder);
	const has = (line: string) => () =>
		readFileSync(`${folder}/fleet.prom`, 'utf8').includes(`crowsnest_${line}\n`);
	const ran = host.run('watch', '--all-profiles', '--textfile', `${folder}/fleet.prom`);
	await host.see(/Watching.+\n.*Watching/);
	work.world.fail('atlas');
	await host.until(has('computers{account="work",phase="error"} 1'));
	expect(has('account_up{account="lab"} 1')()).toBe(true);
	lab.setFaults([{ target: '*', kind: '503' }]);
	await host.until(has('account_up{account="lab"} 0'));
	expect(has('account_up{account="work"} 1')()).toBe(true);
	rmSync(folder, { recursive: true });
	await host.pass(60_000);
	host.signal('SIGINT');
	const { err } = await ran;
	expect(err.match(/Cannot write \S+\/fleet\.prom: no such file or directory\n/g)).toHaveLength(1);
});

test('watch sends no request for a textfile', async () => {
	const requestsOf = async (...words: readonly string[]) => {
		const { simulator, host, end } = await open({ words });
		await host.pass(60_000);
		await end();
		return simulator.requests.map(({ path }) => path);
	};
	const path = join(temporaryFolder(), 'fleet.prom');
	expect(await requestsOf('--textfile', path)).toEqual(await requestsOf());
});

test.each([['--wait'], ['--yes']])(
	'a hook on operationEnded runs once for a command with %s, although one without --wait ends first',
	async word => {
		const hooks = '[[hooks]]\non = "operationEnded"\ncommand = ["hook"]\n';
		const { host, started, end, beside } = await open({ hooks });
		await beside('stop', 'atlas', '--yes', word);
		await host.pass(60_000);
		await end();
		expect(started.map(({ record }) => record)).toMatchObject([
			{ operation: 'stop', to: 'done', computer: { name: 'atlas' } },
		]);
	},
);

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
