import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { createActivity } from '../../source/foundation/activity.ts';
import { openRecordingFile } from '../../source/journal/recording.ts';
import { createTimeline } from '../../source/journal/timeline.ts';
import { actions, replayActions } from '../../source/monitor/actions/table.ts';
import { createPlayer, openReplaySessions } from '../../source/monitor/replay.ts';
import { createSessionTable } from '../../source/session/session-table.ts';
import { createHeldClock } from '../held-clock.ts';
import { recordingOf } from '../journal/recorded.ts';
import { stateDirectory } from '../journal/state-directory.ts';
import { openMonitor, openOnScreen, type ScreenOptions } from './monitor.ts';

/** Opens a monitor and records all facts from its first request on. */
export async function openRecordedMonitor() {
	const path = join(stateDirectory(), '..', 'recording.jsonl');
	let endRecording = () => {};
	const monitor = await openMonitor({
		beforeFirstRequest({ clock, session: { account, baseUrl, store } }) {
			const recorder = openRecordingFile({
				path,
				clock,
				canOverwrite: false,
				onProblem(message) {
					throw new Error(message);
				},
			});
			store.onFact(recorder.begin({ program: '1.2.3', accounts: [{ account, baseUrl }] }));
			endRecording = recorder.close;
		},
	});
	await monitor.see('7 computers');
	return {
		...monitor,
		/** Ends the recording and returns its text. */
		recorded() {
			endRecording();
			return readFileSync(path, 'utf8');
		},
	};
}

type ReplayOptions = Pick<ScreenOptions, 'size'> & {
	isPaused?: boolean;
	from?: number;
};

/** Opens the replay of a recording months after it was made. */
export async function openReplay(text: string, options: ReplayOptions = {}) {
	const { size, isPaused = false, from } = options;
	const clock = createHeldClock(Date.UTC(2027, 1, 3, 4));
	const recording = recordingOf(text);
	const timeline = createTimeline(recording);
	const host = { clock, msSinceBoot: clock.now, random: () => 0.5 };
	const sessions = createSessionTable(openReplaySessions(host, recording.header));
	const session = sessions.sessionOf(undefined);
	const player = createPlayer({
		timeline,
		clock,
		showState: session.store.restore,
		startTime: from ?? timeline.timeOfFact(1),
		speed: 1,
		isPaused,
	});
	onTestFinished(() => session.close());
	const onScreen = await openOnScreen(
		{ size, conditions: undefined },
		{
			sessions,
			player,
			actions: replayActions(actions),
			badge: createStore(() => ({ text: 'replay', colour: 'magenta' })),
		},
		{ clock, requests: createActivity(), heldBack: () => 0 },
	);
	return { ...onScreen, timeline, player, session };
}
