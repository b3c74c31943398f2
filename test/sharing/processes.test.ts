import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSimulator } from '../../source/simulator/simulator.ts';
import { createFastClock } from './fast-clock.ts';
import { preparePanes } from './pane-processes.ts';

// These tests start real processes, because nothing else can be killed and stopped.

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 50_000 });

test('one of several processes polls, another takes over when the leader is killed or ends, and a follower polls for itself while the leader is stopped', async () => {
	const simulator = await createSimulator({ clock: createFastClock(), computers: 3 });
	onTestFinished(simulator.close);
	const { socket, start } = preparePanes(simulator);
	// A lock of a process that no longer runs, from an earlier boot.
	writeFileSync(`${socket}.lock`, '{"pid":1,"hostId":"an earlier boot"}');
	const panes = [start(), start(), start()];
	const inRole = (role: string) => panes.filter(pane => pane.role === role);
	await until(() => inRole('leading').length === 1 && inRole('following').length === 2);
	await until(() => panes.every(({ lists }) => lists > 0));

	const [first] = inRole('leading');
	first?.child.kill('SIGKILL');
	await until(() => first?.role === 'ended');
	await until(() => inRole('leading').length === 1 && inRole('following').length === 1);
	const [leader] = inRole('leading');
	const [follower] = inRole('following');
	if (!leader || !follower) throw new Error('a pane is missing');

	// A stopped leader stays the leader, and the follower polls for itself meanwhile.
	leader.child.kill('SIGSTOP');
	const listsBefore = follower.lists;
	await until(() => follower.lists > listsBefore);
	expect(follower.role).toBe('following');
	leader.child.kill('SIGCONT');

	leader.child.kill('SIGTERM');
	await until(() => leader.role === 'ended');
	const listsAlone = follower.lists;
	await until(() => follower.lists > listsAlone);
	const lists = simulator.requests.filter(({ path: url }) => url.endsWith('/sandbox'));
	expect(lists.every(({ status }) => status === 200)).toBe(true);
});
