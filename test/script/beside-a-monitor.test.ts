import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accountKey } from '../../source/accounts/credentials.ts';
import { createDiskLedger } from '../../source/pace/disk-ledger.ts';
import { createPace } from '../../source/pace/pace.ts';
import { type Host, pathsOf } from '../../source/session/host.ts';
import type { Simulator } from '../../source/simulator/simulator.ts';
import { createOperateHost, startSimulator } from '../cli/host.ts';

/** Starts the pace of another process, which spends the whole read budget and keeps waiting for more. */
async function openGreedyMonitor(host: Host, { baseUrl, email }: Simulator) {
	const ledger = createDiskLedger({
		directory: join(pathsOf(host).statePath, 'pace'),
		baseName: `pace-${accountKey({ baseUrl, user: email })}`,
		pid: process.pid + 1,
		random: Math.random,
		msSinceBoot: host.msSinceBoot,
	});
	const pace = createPace({ clock: host.clock, random: Math.random, ledger });
	const { signal } = new AbortController();
	let taken = 0;
	const read = async () => {
		const ticket = await pace.acquire('other', { priority: 'read', signal });
		taken += 1;
		ticket.reportResponse({ status: 200, headers: new Headers() });
	};
	while (pace.budgets().other.requestsLeft.read > 0) await read();
	for (let waiting = 0; waiting < 5; waiting++) void read().catch(() => {});
	return { pace, taken: () => taken };
}

test('commands succeed at once beside a monitor that has spent the read budget, because they use the budget of operations', async () => {
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
	await monitor.pace.close();
});
