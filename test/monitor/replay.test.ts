import { expect, test } from 'vitest';
import { globalIdOf } from '../../source/fleet/computers/global-id.ts';
import { createTimeline } from '../../source/journal/timeline.ts';
import { actions, replayActions } from '../../source/monitor/actions/table.ts';
import { actionsFor } from '../../source/monitor/configuration.ts';
import { createPlayer, openReplaySessions } from '../../source/monitor/replay.ts';
import { createStore } from '../../source/store/store.ts';
import { account, listRead, operationFacts, start } from '../arbitraries/sample-facts.ts';
import { createTestHost } from '../cli/host.ts';
import { createHeldClock } from '../held-clock.ts';
import { recordingOf, writeRecording } from '../journal/recorded.ts';

const second = 1_000;

/** A recording with one list per second, played on a held clock. */
async function openPlayer({ facts = 600, speed = 1 } = {}) {
	const lists = Array.from({ length: facts }, (_, turn) =>
		listRead(start + turn * second, [{ id: 'sb_1', status: 'active', cpu: turn % 100 }]),
	);
	const { text } = await writeRecording(lists);
	const clock = createHeldClock();
	const timeline = createTimeline(recordingOf(text));
	const options = { timeline, clock, showState() {}, startTime: start, speed, isPaused: false };
	const player = createPlayer(options);
	let ticks = 0;
	player.subscribe(() => {
		ticks += 1;
	});
	return { player, clock, ticks: () => ticks, passed: () => player.now() - start };
}

test('a replay updates at most ten times a second, and stops at its end', async () => {
	const { player, clock, ticks, passed } = await openPlayer({ speed: 60 });
	clock.move(2 * second);
	expect(ticks()).toBe(20);
	expect(passed()).toBe(120 * second);
	clock.move(60 * second);
	expect(player.replayState()).toMatchObject({ isOver: true, time: start + 599 * second });
	expect(clock.waiting).toBe(0);
});

test('a replay that was suspended, or falls behind, continues where it stopped', async () => {
	for (const [speed, most] of [
		[1, 1.5],
		[300, 60],
	] as const) {
		const { player, clock, passed } = await openPlayer({ speed });
		clock.sleep(3_600 * second);
		player.changeSpeed(-1);
		expect(passed()).toBe(most * second);
		player.stop();
		expect(clock.waiting).toBe(0);
	}
});

test('a replay leaves a recorded operation as it was, however long ago that is, asks nothing, and quits without a question', () => {
	const clock = createHeldClock(start + 90 * 86_400_000);
	const accounts = [
		{ account, label: 'work' },
		{ account: 'other', label: 'lab' },
	];
	const host = { clock, msSinceBoot: clock.now, random: () => 0.5 };
	const sessions = openReplaySessions(host, { accounts });
	expect(sessions.map(({ profile }) => profile.name)).toEqual(['work', 'lab']);
	const recorded = createStore();
	const stop = { key: 'k', operation: 'stop', computer: 'sb_1' };
	recorded.receive([
		listRead(start, [{ id: 'sb_1', name: 'atlas', status: 'active' }]),
		...operationFacts(stop, { queued: start + 1, sent: start + 2, accepted: start + 3 }),
	]);
	const [{ store, operations }, other] = sessions;
	store.restore(recorded.getState());
	expect(store.getState()).toBe(recorded.getState());
	expect(other?.store).toBe(store);
	expect(Object.values(operations.exitSummary()).flat()).toEqual([]);
	expect(operations.ask('stop', [globalIdOf(account, 'sb_1')])).toMatchObject({ type: 'refused' });
});

const own = (action: string, ...keys: readonly string[]) => ({
	keys: [{ action, keys }],
});

test('keys that are configured for replays do not change the keys of the monitor, and keys of the monitor do not change the keys of replays', () => {
	const { host } = createTestHost();
	const table = replayActions(actions);
	const keysOf = (id: string, all: typeof actions) => all.find(each => each.id === id)?.keys;
	expect(keysOf('pause', actionsFor(host, own('pause', 'z'), table))).toEqual(['z']);
	expect(actionsFor(host, own('pause', 'z'))).toEqual(actions);
	expect(actionsFor(host, own('markAll', 'z'), table)).toEqual(table);
	expect(keysOf('help', actionsFor(host, own('help', 'f1'), table))).toEqual(['f1']);
	expect(() => actionsFor(host, own('paws', 'z'))).toThrow(/keys: there is no action paws/);
	expect(() => actionsFor(host, own('help', ']'), table)).toThrow(/the key \] is bound twice/);
});
