import { expect, test } from 'vitest';
import type { State } from '../../source/store/state.ts';
import { openRecordedMonitor, openReplay } from '../driver/replay.ts';

const second = 1_000;
const minute = 60 * second;

/** Records two minutes in which atlas is stopped. */
async function recordSession() {
	const monitor = await openRecordedMonitor();
	await monitor.pass(30 * second);
	await monitor.press('x').see('Stop atlas?');
	await monitor.answer('y');
	await monitor.pass(20 * second).see(/atlas +○ Stopped/);
	await monitor.pass(minute);
	return { state: monitor.session.store.getState(), text: monitor.recorded() };
}

let session: ReturnType<typeof recordSession> | undefined;
const recordedSession = () => {
	session ??= recordSession();
	return session;
};

const openSession = async (options?: Parameters<typeof openReplay>[1]) =>
	openReplay((await recordedSession()).text, options);

/** The state of the account without share tokens, because a recording leaves those out. */
const comparableState = ({ accounts }: State) =>
	JSON.parse(
		JSON.stringify(accounts.get('test'), (key, value) => {
			if (key === 'shareToken') return undefined;
			return value instanceof Map || value instanceof Set ? [...value] : value;
		}),
	);

test('a replay ends with the fleet as it was at the end of the recording, and shows its details, the log and help', async () => {
	const { state, text } = await recordedSession();
	const replay = await openReplay(text, { isPaused: true });
	await replay.press('$').see('replay ended');
	expect(comparableState(replay.session.store.getState())).toEqual(comparableState(state));
	await replay.see(/atlas: stopped by you/, /Log +replay /);
	await replay.press('j', 'enter').see('sb_');
	await replay.press('escape', '5').see('atlas: stopped by you');
	await replay.press('?').see('pause or resume');
	await replay.press('q').see('atlas: stopped by you');
	await replay.press('q');
	expect(replay.effects.endings).toEqual([]);
	await replay.see('STATUS');
	await replay.press('q');
	expect(replay.effects.endings).toEqual([{ kind: 'quit' }]);
	expect(replay.effects.titles).toEqual(['crowsnest: replay']);
	expect(replay.effects.bells).toBe(0);
});

test('a replay shows the countdown, the progress and the result of a batch without the keys that change it', async () => {
	const monitor = await openRecordedMonitor();
	for (const name of ['atlas', 'fornax', 'gemini']) {
		await monitor.goTo(name);
		await monitor.press('space');
	}
	await monitor.press('r').see('Restart 3 computers?');
	await monitor.answer('y').see('Restarting 3 in 4 s, Esc to cancel');
	const from = monitor.clock.now();
	await monitor.pass(30 * second, 2 * second).see('you restarted 3 computers');
	const replay = await openReplay(monitor.recorded(), { isPaused: true, from });
	const seen = [replay.text()];
	const pressUntil = async (key: string, text: string) => {
		while (!replay.text().includes(text)) {
			await replay.press(key);
			seen.push(replay.text());
		}
	};
	await pressUntil('.', 'Restarting 3 in');
	await pressUntil(')', 'restarted 3');
	const screens = seen.join('\n');
	expect(screens).toMatch(/^ Restarting 3 in \d s *$/m);
	expect(screens).toMatch(/atlas .* Restarting in \d s/);
	expect(screens).toMatch(/Restarting 3 .* \d done .*under way/);
	expect(screens).not.toContain('Esc');
});

test('a replay runs as fast as the recording or at a chosen higher speed, and stops during a pause and at its end', async () => {
	const replay = await openSession();
	const { start } = replay.player.replayState();
	const passed = () => replay.player.replayState().time - start;
	await replay.see('replay at 1x', /7 computers/);
	replay.clock.move(10 * second);
	expect(passed()).toBe(10 * second);
	await replay.press('space').see('replay paused');
	const before = replay.text();
	replay.clock.move(5 * minute);
	expect(replay.clock.waiting).toBe(0);
	expect(replay.text()).toBe(before);
	await replay.press('space');
	replay.clock.move(2 * second);
	expect(passed()).toBe(12 * second);
	await replay.press('space', ']', ']').see('replay paused at 16x');
	await replay.press('space').see('replay at 16x');
	replay.clock.move(2 * second);
	expect(passed()).toBe(44 * second);
	await replay.see(/atlas +○ Stopped|Stopping/);
	await replay.press('[').see('replay at 4x');
	replay.clock.move(second);
	expect(passed()).toBe(48 * second);
	replay.clock.move(10 * minute);
	await replay.see('replay ended');
	await replay.seeNo('] faster');
	expect(replay.clock.waiting).toBe(0);
	await replay.press('space').see('The recording has ended: 0 starts it again');
	await replay.press('0').see('replay at 4x', /atlas +● Active/);
});

test('a replay jumps by minutes, stops at its ends, and shows how old each row was at that time', async () => {
	const replay = await openSession({ isPaused: true });
	const { start, end } = replay.player.replayState();
	const at = () => replay.player.replayState().time;
	await replay.press('right');
	expect(at()).toBe(start + minute);
	await replay.see(/atlas +○ Stopped/);
	await replay.press('left');
	expect(at()).toBe(start);
	await replay.see(/atlas +● Active/);
	await replay.press('left', '{');
	expect(at()).toBe(start);
	await replay.press('ctrl-right');
	expect(at()).toBe(end);
	// The ages of rows are those at the recorded time. The months between recording and replay do not count.
	await replay.see(/◷ replay \d\d:\d\d:\d\d/);
	await replay.seeNo('live', /\d+ ?d ago|\d\dd *$/m);
});

test('keys step through a replay fact by fact, or from one line of the log to the next', async () => {
	const replay = await openSession();
	const { timeline, player } = replay;
	await replay.press('.', '.', '.', ',').see('replay paused');
	expect(timeline.factCountAt(player.replayState().time)).toBeGreaterThanOrEqual(3);
	await replay.press(')').see(/atlas +● Active/);
	for (let tries = 0; tries < 20 && !replay.text().includes('atlas: stopped by'); tries += 1) {
		await replay.press(')');
	}
	await replay.see(/atlas +○ Stopped/, 'atlas: stopped by you');
	await replay.press('0', '(').see('No earlier log line');
	await replay.press(',').see('This is the start');
});

test('a replay refuses operations and reads, and says why', async () => {
	const replay = await openSession({ isPaused: true });
	await replay.see('atlas');
	for (const key of ['x', 'D', 'n', 'R', 'u', 'L', 'v', 'F']) {
		await replay.press(key).see('This is a replay: it is not connected to a platform');
		await replay.press('j');
	}
	await replay.press('2', 'o').see('This is a replay: it is not connected to a platform');
	await replay.press('3', 'b', '1');
	await replay.press(':', 'stop').see(':stop');
	await replay.press('enter').see('This is a replay: it is not connected to a platform');
	await replay.press('?').see('pause or resume');
	await replay.seeNo('stop it;');
});

test('a key about a computer says in a replay that the cursor is on a group, and names no key that marks it', async () => {
	const replay = await openSession({ isPaused: true });
	await replay.press('b', 'g', 'y').see('Choose a computer: the cursor is on a group');
	await replay.seeNo('marks all of it');
});
