import { expect, test } from 'vitest';
import { openBesideMonitor } from './beside-monitor.ts';

test('list, show and credits get their data from a monitor that polls the account, without a request of their own', async () => {
	const { run, requestsOfCommands } = await openBesideMonitor();
	const list = await run('list', '--json');
	expect(JSON.parse(list.out)).toHaveLength(4);
	expect(list.err).toMatch(/From pane \d+, read \d+s ago\. --fresh asks the platform\./);
	expect((await run('credits')).out).toMatch(/^Credits +\d/);
	expect(requestsOfCommands()).toBe(0);
	expect((await run('doctor')).out).toMatch(/Shared watch +pane \d+ polls/);
});

test('with --fresh, and to change something, a command asks the platform even beside a monitor', async () => {
	const { run, simulator } = await openBesideMonitor();
	const lists = () =>
		simulator.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/sandbox'));
	const before = lists().length;
	expect((await run('list', '--fresh')).err).toBe('');
	expect(lists().length).toBe(before + 1);
	expect(await run('stop', 'atlas', '--yes')).toMatchObject({ code: 0 });
	expect(lists().length).toBeGreaterThan(before + 1);
});
