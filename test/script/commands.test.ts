import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { accountKey } from '../../source/accounts/credentials.ts';
import { readLines } from '../../source/journal/log-files.ts';
import { createLimiter } from '../../source/limits/limiter.ts';
import { documentedLimits as limits } from '../../source/limits/limits.ts';
import { createRequestLog, openRequestFiles } from '../../source/limits/request-log.ts';
import { type Host, pathsOf } from '../../source/session/host.ts';
import { bootId } from '../../source/session/state-folder.ts';
import type { FaultKind } from '../../source/simulator/endpoints/faults.ts';
import type { Simulator } from '../../source/simulator/simulator.ts';
import { changesOf, createOperateHost, startSimulator } from '../cli/host.ts';

/** Another process, which takes all slots for reads and keeps waiting for more. */
async function openGreedyMonitor(host: Host, { baseUrl, email }: Simulator) {
	const { clock, random, msSinceBoot } = host;
	const log = createRequestLog({
		limits,
		msSinceBoot,
		wallClockNow: clock.now,
		name: `requests-${accountKey({ baseUrl, user: email })}`,
		hostId: bootId(host),
		files: openRequestFiles(join(pathsOf(host).statePath, 'limits')),
	});
	const limiter = createLimiter(clock, random, log);
	onTestFinished(limiter.close);
	const { signal } = new AbortController();
	let taken = 0;
	const read = async () => {
		const ticket = await limiter.acquire('other', { priority: 'read', signal });
		taken += 1;
		ticket.end({ status: 200, headers: new Headers() });
	};
	while (limiter.slots().other.free.read > 0) await read();
	for (let waiting = 0; waiting < 5; waiting++) void read().catch(() => {});
	return () => taken;
}

test('commands succeed at once beside a monitor that has taken the slots for reads, because they use those of operations', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const host = createOperateHost(simulator);
	const taken = await openGreedyMonitor(host.host, simulator);
	expect(taken()).toBe(24);
	for (const line of ['list', 'show atlas --json', 'stop atlas --yes'])
		expect(await host.run(...line.split(' '), '--timeout', '5')).toMatchObject({
			code: 0,
			err: '',
		});
	await new Promise(setImmediate);
	expect(taken()).toBe(24);
});

// The commands that send requests to the platform, each with the request that fails. A failure means the same for all of
// them, so each meets another one.
const asking = [
	['list', 'list'],
	['show atlas', 'list'],
	['open atlas 8080', 'list'],
	['models', 'models'],
	['versions', 'latest'],
	['credits', 'credits'],
	['subscription', 'subscription'],
	['billing setup --yes', 'initialize'],
	['checkout --yes', 'checkout'],
	['stop atlas --yes', 'list'],
	['new --yes', 'list'],
] as const;

const ends = [
	['500', 1, 'server'],
	['unauthorized', 4, 'auth'],
	['proxy-page', 1, 'unreadable'],
	['reset', 1, 'offline'],
	['hang', 3, 'timeout'],
] as const satisfies readonly (readonly [FaultKind, number, string])[];

test.each(
	asking.map((each, place) => [...each, ...(ends[place % ends.length] ?? ends[0])] as const),
)(
	'crowsnest %s, whose request %s meets the fault “%s”, exits with %i and names the cause: %s',
	async (line, target, kind, code, why) => {
		const simulator = await startSimulator({ faults: [{ target, kind }] });
		const host = createOperateHost(simulator);
		const words = [...line.split(' '), '--timeout', '5'];
		const plain = await host.run(...words);
		expect(plain).toMatchObject({ code, out: '' });
		expect(plain.err).toMatch(/^crowsnest: .+\n(.+\n)?$/);
		const { err, ...inJson } = await host.run(...words, '--json');
		expect(inJson).toEqual({ code, out: '' });
		expect(Object.keys(JSON.parse(err).error)).toEqual(['kind', 'message', 'advice']);
		expect(JSON.parse(err).error.kind).toBe(why);
		if (kind === 'hang') expect(changesOf(simulator).length).toBeLessThan(3);
	},
);

test.each([
	['credits', 'credits'],
	['checkout --yes', 'checkout'],
	// The identity provider has rate limits of its own, which the limiter does not count.
	['models', 'sign-in'],
] as const)(
	'crowsnest %s waits when a rate limit refuses its request, and prints a notice',
	async (line, target) => {
		const faults = [{ target, kind: 'throttle', count: 1 }] as const;
		// With a fixed window, the wait could be over at once, and the notice would be missing.
		const simulator = await startSimulator({ faults, shapes: { window: 'rolling' } });
		const host = createOperateHost(simulator);
		const { code, out, err } = await host.run(...line.split(' '), '--json');
		expect(code).toBe(0);
		expect(JSON.parse(out)).toBeTypeOf('object');
		expect(JSON.parse(err).notice.message).toMatch(/^Waiting for the rate limit, about /);
		expect(simulator.requests.length).toBeLessThan(4);
	},
);

test.each([['list'], ['show', 'atlas', '--json'], ['stop', 'atlas', '--yes']])(
	'%s leaves no timer when it has printed, and what it saw is in the journal once',
	async (...words) => {
		const simulator = await startSimulator({ computers: 3 });
		const { host, run } = createOperateHost(simulator);
		host.bootIdentity = () => ['machine', 'boot'];
		await run('list');
		simulator.clock.move(60_000);
		simulator.world.fail('cygnus');
		const { id } = simulator.world.get('cygnus');
		const before = simulator.clock.waiting;
		expect(await run(...words)).toMatchObject({ code: 0 });
		expect(simulator.clock.waiting).toBeLessThanOrEqual(before);
		const lines = readLines(join(pathsOf(host).statePath, 'log'));
		const isNews = (line: string) => line.includes(id) && line.includes('"to":"error"');
		expect(lines.filter(isNews)).toHaveLength(1);
	},
);

test('on a terminal, a command shows what is under way as the log does, and leaves only the outcomes', async () => {
	const simulator = await startSimulator({ computers: 12 });
	const host = createOperateHost(simulator, { isTerminal: true, columns: 90 });
	const { err } = await host.run('stop', '--filter', 'status:active', '--yes', '--wait');
	expect(err).toMatch(
		/\r\d\d:\d\d:\d\d ◐ Stopping 7 computers {2}[━╸─]+ {2}1 done {2}6 under way\x1b\[K/,
	);
	const shown = err.split('\n').map(line => line.replace(/.*\r\x1b\[K/s, ''));
	expect(shown.filter(line => line.includes('Stopping'))).toEqual([]);
	const words = ['start', '--filter', 'status:stopped', '--yes'];
	expect((await createOperateHost(simulator).run(...words)).err).not.toContain('\r');
});
