import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountKey } from '../../source/accounts/credentials.ts';
import { createLimiter } from '../../source/limits/limiter.ts';
import { documentedLimits as limits } from '../../source/limits/limits.ts';
import { openRequestFiles } from '../../source/limits/request-files.ts';
import { createRequestLog } from '../../source/limits/request-log.ts';
import { type Host, pathsOf } from '../../source/session/host.ts';
import { bootId } from '../../source/session/state-folder.ts';
import type { Simulator } from '../../source/simulator/simulator.ts';
import { createOperateHost, startSimulator } from '../cli/host.ts';

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
