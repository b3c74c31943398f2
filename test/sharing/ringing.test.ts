import { expect, onTestFinished, test } from 'vitest';
import { defaultNotices } from '../../source/accounts/settings.ts';
import { startAnnouncing } from '../../source/monitor/announcements.ts';
import { createSessionTable } from '../../source/session/session-table.ts';
import { openFollowed, type Pane } from './panes.ts';

test.each([
	['the pane that was used last', 2],
	['another pane', 3],
])(
	'a failure is announced once, in the terminal that was used last, also after %s became the leader',
	async (_, nextLeader) => {
		const { first, second, third, until, pass, clock, simulator } = await openFollowed(3);
		const heard: string[] = [];
		const listenTo = (pane: Pane) => {
			const terminal = {
				setTitle() {},
				ringBell: () => heard.push(`${pane.pid}: bell`),
				notify: (text: string) => heard.push(`${pane.pid}: ${text}`),
			};
			const table = createSessionTable([pane]);
			const stop = startAnnouncing(table, terminal, defaultNotices, clock);
			onTestFinished(stop);
		};
		const panes = [first, second, third];
		panes.forEach(listenTo);
		for (const [seconds, pane] of [first, third, second].entries()) {
			const attendedUntil = clock.now() + 600_000 + 1_000 * seconds;
			pane.watch.setAttention({ visibleIds: new Set(), attendedUntil });
		}
		await pass(10_000);
		simulator.world.fail('atlas');
		await pass(10_000);
		expect(heard).toEqual([expect.stringMatching(/^2: .*atlas/)]);

		await first.close();
		// The other one has left the election until the next leader polls.
		const [next, other] = nextLeader === 2 ? [second, third] : [third, second];
		other.sharedWatch?.leave('suspended');
		await until(() => next.role() === 'alone', 1_000);
		other.sharedWatch?.rejoin('suspended');
		await until(() => next.role() === 'leading' && other.role() === 'following', 1_000);
		await pass(10_000);
		simulator.world.fail('borealis');
		await pass(10_000);
		expect(heard.slice(1)).toEqual([expect.stringMatching(/^2: .*borealis/)]);
	},
);
