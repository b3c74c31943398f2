import { expect, test } from 'vitest';
import { globalIdOf } from '../../../source/fleet/computers/global-id.ts';
import { openReplaySessions } from '../../../source/monitor/replay/replay-session.ts';
import { createStore } from '../../../source/store/store.ts';
import { account, listRead, operationFacts, start } from '../../arbitraries/sample-facts.ts';
import { createHeldClock } from '../../held-clock.ts';

test('a replay leaves a recorded operation as it was, however long ago that is, and quits without a question', () => {
	const clock = createHeldClock(start + 90 * 86_400_000);
	const [session] = openReplaySessions(
		{ clock, msSinceBoot: clock.now, random: () => 0.5 },
		{ accounts: [{ account }] },
	);
	const recorded = createStore();
	recorded.receive([
		listRead(start, [{ id: 'sb_1', name: 'atlas', status: 'active' }]),
		...operationFacts(
			{ key: 'k', operation: 'stop', computer: 'sb_1' },
			{ queued: start + 1, sent: start + 2, accepted: start + 3 },
		),
	]);
	session.store.restore(recorded.getState());
	expect(session.store.getState()).toBe(recorded.getState());
	expect(session.operations.exitSummary()).toEqual({
		sent: [],
		running: [],
		unknown: [],
		dropped: [],
	});
	expect(session.operations.ask('stop', [globalIdOf(session.account, 'sb_1')])).toMatchObject({
		type: 'refused',
	});
});

test('a replay of several accounts has a session for each, which share one store', () => {
	const clock = createHeldClock(start);
	const sessions = openReplaySessions(
		{ clock, msSinceBoot: clock.now, random: () => 0.5 },
		{
			accounts: [
				{ account, label: 'work' },
				{ account: 'other', label: 'lab' },
			],
		},
	);
	expect(sessions.map(({ profile }) => profile.name)).toEqual(['work', 'lab']);
	const [first, second] = sessions;
	expect(second?.store).toBe(first.store);
});
