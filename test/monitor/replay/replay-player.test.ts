import { expect, test } from 'vitest';
import { createTimeline } from '../../../source/journal/timeline.ts';
import { createPlayer } from '../../../source/monitor/replay/replay-player.ts';
import { listRead, start } from '../../arbitraries/sample-facts.ts';
import { createHeldClock } from '../../held-clock.ts';
import { recordingOf, writeRecording } from '../../journal/recorded.ts';

const second = 1_000;

/** Creates a recording with one list per second, and a clock on which folding a fact takes time. */
async function openPlayer({ facts = 600, foldTime = 0, speed = 1 } = {}) {
	const lists = Array.from({ length: facts }, (_, turn) =>
		listRead(start + turn * second, [{ id: 'sb_1', status: 'active', cpu: turn % 100 }]),
	);
	const { text } = await writeRecording(lists);
	const held = createHeldClock();
	let spent = 0;
	const clock = { ...held, now: () => held.now() + spent };
	const timeline = createTimeline(recordingOf(text));
	const player = createPlayer({
		timeline: {
			...timeline,
			stateAfter(count) {
				spent += foldTime;
				return timeline.stateAfter(count);
			},
		},
		clock,
		showState() {},
		startTime: start,
		speed,
		isPaused: false,
	});
	let ticks = 0;
	const end = player.subscribe(() => {
		ticks += 1;
	});
	return { player, held, end, ticks: () => ticks, passed: () => player.now() - start };
}

test('a replay whose facts take long to process falls behind, and still responds to keys', async () => {
	const { player, held, passed, ticks } = await openPlayer({ foldTime: 20, speed: 300 });
	held.move(100);
	expect(ticks()).toBe(1);
	expect(passed()).toBeGreaterThan(0);
	expect(passed()).toBeLessThan(6 * second);
	held.move(60 * second);
	expect(player.replayState()).toMatchObject({ isOver: true, time: start + 599 * second });
});

test('a replay updates at most ten times a second, and once a second on a slow line', async () => {
	const { player, held, ticks } = await openPlayer({ speed: 60 });
	held.move(2 * second);
	expect(ticks()).toBe(20);
	player.setStep('minute');
	held.move(second);
	const before = ticks();
	held.move(5 * second);
	expect(ticks() - before).toBe(5);
});

test('a suspended replay continues where it stopped', async () => {
	const { player, passed } = await openPlayer({ foldTime: 3_600 * second });
	player.perform({ type: 'speed', direction: 1 });
	expect(passed()).toBeLessThanOrEqual(1.5 * second);
});

test('a replay runs its timer only while it has subscribers, and never again after it is stopped', async () => {
	const { player, held, end } = await openPlayer();
	expect(held.waiting).toBe(1);
	end();
	expect(held.waiting).toBe(0);
	player.subscribe(() => {});
	expect(held.waiting).toBe(1);
	player.stop();
	expect(held.waiting).toBe(0);
});
