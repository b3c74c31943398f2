import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createOperateHost, createSeveralAccountsHost, startSimulator } from '../host.ts';
import { openBesideMonitor } from './beside-monitor.ts';

/** Creates a host whose last run saved a snapshot, and counts the requests since then. */
async function afterRun() {
	const simulator = await startSimulator({ computers: 0 });
	const host = createOperateHost(simulator);
	for (const name of ['atlas', 'borealis', 'cygnus', 'draco', 'eridanus'])
		simulator.world.add({ name });
	simulator.world.fail('atlas');
	expect((await host.run('list')).code).toBe(0);
	const before = simulator.requests.length;
	return { simulator, host, requestsSince: () => simulator.requests.length - before };
}

test('status prints what a running monitor knows, with the age of the data, and sends nothing', async () => {
	const { run, requestsOfCommands } = await openBesideMonitor();
	const { code, out, err } = await run('status');
	expect({ code, err }).toEqual({ code: 0, err: '' });
	expect(out).toMatch(/^\d active · .*[\d,]+\.\d\d credits · \d+ s\n$/);
	expect((await run('status', '--format', '{source}')).out).toBe('pane\n');
	expect(requestsOfCommands()).toBe(0);
});

test('status prints the snapshot of the last run, and says how old it is', async () => {
	const { simulator, host, requestsSince } = await afterRun();
	simulator.clock.move(3 * 3_600_000);
	expect(await host.run('status')).toEqual({
		code: 0,
		out: '4 active · 1 error · 3 h old\n',
		err: '',
	});
	expect((await host.run('status', '--ascii')).out).toBe('4 active, 1 error, 3 h old\n');
	expect(requestsSince()).toBe(0);
});

test('status replaces the fields of --format, and does not change other braces', async () => {
	const { host } = await afterRun();
	const filled = await host.run(
		'status',
		'--format',
		'{active}/{total} {x y} {} {credits} {source}',
	);
	expect(filled.out).toBe('4/5 {x y} {} ? snapshot\n');
});

test('status refuses a field that does not exist, and suggests the nearest one', async () => {
	const { host } = await afterRun();
	const { code, out, err } = await host.run('status', '--format', '{acitve}');
	expect({ code, out }).toEqual({ code: 2, out: '' });
	expect(err).toContain('--format: no field {acitve}. Did you mean {active}?');
	expect((await host.run('status', '--format', '{zzzzzzzz}')).err).toContain(
		'Fields: total, active',
	);
	expect((await host.run('status', '--format', '{age}', '--json')).code).toBe(2);
});

test('status --json prints numbers, and null for what is not known', async () => {
	const { host } = await afterRun();
	const record = JSON.parse((await host.run('status', '--json')).out);
	expect(record).toMatchObject({
		...{ source: 'snapshot', total: 5, active: 4, error: 1, changing: 0 },
		...{ credits: null, trouble: null, ageSeconds: 0 },
	});
	expect(Date.parse(record.readAt)).toBeGreaterThan(0);
});

test('status says in a few words that nothing is known, or that there is no account', async () => {
	const simulator = await startSimulator();
	const host = createOperateHost(simulator);
	expect(await host.run('status')).toEqual({ code: 1, out: 'no data\n', err: '' });
	const failed = await host.run('status', '--json');
	expect({ code: failed.code, out: failed.out }).toEqual({ code: 1, out: '' });
	expect(JSON.parse(failed.err).error.message).toContain('Nothing is known');
	const stranger = await createSeveralAccountsHost({});
	expect(await stranger.run('status')).toEqual({ code: 4, out: 'no account\n', err: '' });
	expect(simulator.requests).toEqual([]);
});

test('status adds up several accounts, and says how many of them are unknown', async () => {
	const [work, lab, home] = await Promise.all([
		startSimulator({ computers: 3 }),
		startSimulator({ computers: 4, seed: 2 }),
		startSimulator({ computers: 2, seed: 3 }),
	]);
	for (const each of [lab, home]) Object.assign(each, { clock: work.clock });
	const { run } = await createSeveralAccountsHost({
		work: { simulator: work },
		lab: { simulator: lab },
		home: { simulator: home },
	});
	expect((await run('list', '--profile', 'work,lab', '--json')).code).toBe(0);
	const both = await run('status', '--profile', 'work,lab', '--format', '{total} {account}');
	expect(both).toEqual({ code: 0, out: '7 work, lab\n', err: '' });
	const all = await run('status', '--all-profiles');
	expect(all.code).toBe(5);
	expect(all.out).toMatch(/^\d active · .*old · 1 of 3 accounts unknown\n$/);
	const records = JSON.parse((await run('status', '--profile', 'work,lab', '--json')).out);
	expect(records).toMatchObject([
		{ account: 'work', total: 3 },
		{ account: 'lab', total: 4 },
	]);
});

test('status counts the snapshot of an earlier version, leaves a newer one alone, and survives a damaged one', async () => {
	const { host } = await afterRun();
	const journal = join(host.folder, 'state', 'journal');
	const [name = ''] = readdirSync(journal).filter(each => each.startsWith('fleet-'));
	const path = join(journal, name);
	const [, ...lines] = readFileSync(path, 'utf8').split('\n');
	writeFileSync(path, ['{"version":1}', ...lines].join('\n'));
	expect((await host.run('status')).out).toBe('4 active · 1 error · 0 s old\n');
	writeFileSync(path, ['{"version":99,"summary":{}}', ...lines].join('\n'));
	const newer = await host.run('status');
	expect(newer).toMatchObject({ code: 1, out: 'no data\n' });
	expect(newer.err).toContain('newer version');
	writeFileSync(path, '{"version":1,"summ');
	expect((await host.run('status')).out).toBe('no data\n');
});
