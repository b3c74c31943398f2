import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accountKey } from '../../source/accounts/credentials.ts';
import { appendLines, readLines } from '../../source/journal/log-files.ts';
import { createLimiter } from '../../source/limits/limiter.ts';
import { documentedLimits as limits } from '../../source/limits/limits.ts';
import { openRequestFiles } from '../../source/limits/request-files.ts';
import { createRequestLog } from '../../source/limits/request-log.ts';
import { type Host, pathsOf } from '../../source/session/host.ts';
import { bootId } from '../../source/session/state-folder.ts';
import type { FaultKind } from '../../source/simulator/endpoints/faults.ts';
import type { Simulator } from '../../source/simulator/simulator.ts';
import { changesOf, createOperateHost, startSimulator } from '../cli/host.ts';

/** Starts another process, which takes all slots for reads and keeps waiting for more. */
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
	const { signal } = new AbortController();
	let taken = 0;
	const read = async () => {
		const ticket = await limiter.acquire('other', { priority: 'read', signal });
		taken += 1;
		ticket.end({ status: 200, headers: new Headers() });
	};
	while (limiter.slots().other.free.read > 0) await read();
	for (let waiting = 0; waiting < 5; waiting++) void read().catch(() => {});
	return { limiter, taken: () => taken };
}

test('commands succeed at once beside a monitor that has taken the slots for reads, because they use those of operations', async () => {
	const simulator = await startSimulator({ computers: 3 });
	const host = createOperateHost(simulator);
	const monitor = await openGreedyMonitor(host.host, simulator);
	expect(monitor.taken()).toBe(24);
	const listed = await host.run('list', '--timeout', '5');
	expect(listed).toMatchObject({ code: 0, err: '' });
	const shown = await host.run('show', 'atlas', '--timeout', '5', '--json');
	expect(shown).toMatchObject({ code: 0, err: '' });
	const stopped = await host.run('stop', 'atlas', '--yes', '--timeout', '5');
	expect(stopped).toEqual({ code: 0, out: 'atlas: stopping\n', err: '' });
	await new Promise(setImmediate);
	expect(monitor.taken()).toBe(24);
	await monitor.limiter.close();
});

// The commands that send requests to the platform, each with the request that fails.
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
] as const satisfies readonly (readonly [FaultKind, number, string])[];

describe.each(asking)('crowsnest %s', (line, target) => {
	const words = line.split(' ');

	test.each(ends)(
		'fails under the fault "%s" with exit code %i, and names the cause',
		async (kind, wanted, why) => {
			const simulator = await startSimulator({ faults: [{ target, kind }] });
			const host = createOperateHost(simulator);
			const plain = await host.run(...words);
			expect(plain).toMatchObject({ code: wanted, out: '' });
			expect(plain.err).toMatch(/^crowsnest: .+\n(.+\n)?$/);
			const { code, out, err } = await host.run(...words, '--json');
			expect({ code, out }).toEqual({ code: wanted, out: '' });
			expect(Object.keys(JSON.parse(err).error)).toEqual(['kind', 'message', 'advice']);
			expect(JSON.parse(err).error.kind).toBe(why);
		},
	);

	test('exits with code 3 after --timeout when the platform does not answer', async () => {
		const simulator = await startSimulator({ faults: [{ target, kind: 'hang' }] });
		const host = createOperateHost(simulator);
		const { code, out, err } = await host.run(...words, '--timeout', '5');
		expect({ code, out }).toEqual({ code: 3, out: '' });
		expect(err).toContain('Timed out after 5 s');
		expect(changesOf(simulator).length).toBeLessThan(2);
	});
});

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

test.each([
	['no password is configured', undefined, 'no password: type it in a terminal'],
	['the password is wrong', 'wrong', 'Invalid login credentials'],
])(
	'crowsnest in a pipe exits with code 4 and asks for no password when %s',
	async (_, password, why) => {
		const simulator = await startSimulator();
		const host = createOperateHost(simulator);
		if (password === undefined) delete host.host.program.env['CROWSNEST_PASSWORD'];
		else host.host.program.env['CROWSNEST_PASSWORD'] = password;
		const { code, out, err } = await host.run();
		expect({ code, out }).toEqual({ code: 4, out: '' });
		expect(err).toContain(why);
	},
);

const earlierLines = 10_000;

test.each([['list'], ['show', 'atlas', '--json'], ['stop', 'atlas', '--yes']])(
	'%s is over when it has printed, and what it saw is in a long journal',
	async (...words) => {
		const simulator = await startSimulator({ computers: 3 });
		const { host, run } = createOperateHost(simulator);
		host.bootIdentity = () => ['machine', 'boot'];
		await run('list');
		const { statePath } = pathsOf(host);
		const directory = join(statePath, 'log');
		const account = accountKey({ baseUrl: simulator.baseUrl, user: simulator.email });
		const at = host.clock.now();
		const lineOf = (index: number) =>
			JSON.stringify({
				version: 1,
				account,
				what: {
					type: 'statusChanged',
					id: `sb_${index}`,
					from: 'active',
					to: 'error',
					at,
					notBefore: at,
				},
			});
		appendLines(
			directory,
			Array.from({ length: earlierLines }, (_, index) => lineOf(index)),
			at,
		);
		simulator.clock.move(60_000);
		simulator.world.fail('cygnus');
		const { id } = simulator.world.get('cygnus');

		const timers = new Set<object>();
		const { clock } = host;
		host.clock = {
			...clock,
			after(milliseconds, call) {
				const timer = {};
				timers.add(timer);
				const cancel = clock.after(milliseconds, () => {
					timers.delete(timer);
					call();
				});
				return () => {
					timers.delete(timer);
					cancel();
				};
			},
		};
		expect(await run(...words)).toMatchObject({ code: 0 });
		expect(timers.size).toBe(0);
		const isNews = (line: string) => line.includes(id) && line.includes('"to":"error"');
		expect(readLines(directory).filter(isNews)).toHaveLength(1);
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
	const piped = await createOperateHost(simulator).run(
		'start',
		'--filter',
		'status:stopped',
		'--yes',
	);
	expect(piped.err).not.toContain('\r');
});
