import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { createActivity } from '../../source/foundation/activity.ts';
import { openRecordingFile, type RecordingFileOptions } from '../../source/journal/recording.ts';
import { createTimeline } from '../../source/journal/timeline.ts';
import { createPlayer, openReplaySessions } from '../../source/monitor/replay.ts';
import { createSessionTable } from '../../source/session/session-table.ts';
import { actions, replayActions } from '../../source/views/actions/table.ts';
import { createHeldClock } from '../held-clock.ts';
import { recordingOf } from '../journal/recorded.ts';
import { stateDirectory } from '../journal/state-directory.ts';
import { type Monitor, openOnScreen, type ScreenOptions } from './monitor.ts';

/** Records all facts from now on; `end` resolves to the text of the recording. */
export async function record(
	{ clock, session }: Pick<Monitor, 'clock' | 'session'>,
	options: Partial<RecordingFileOptions> = {},
) {
	const path = join(stateDirectory(), '..', 'recording.jsonl');
	const recorder = openRecordingFile({
		path,
		clock,
		canOverwrite: false,
		onProblem(message) {
			throw new Error(message);
		},
		...options,
	});
	const { account, baseUrl, store } = session;
	store.onFact(recorder.begin({ program: '1.2.3', accounts: [{ account, baseUrl }] }));
	return {
		async end() {
			recorder.close();
			return readFile(path, 'utf8');
		},
	};
}

type ReplayOptions = Pick<ScreenOptions, 'size'> & {
	speed?: number;
	isPaused?: boolean;
	from?: number;
};

/** Opens the replay of a recording months after it was made. */
export async function openReplay(text: string, options: ReplayOptions = {}) {
	const { size, speed = 1, isPaused = false, from } = options;
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
		speed,
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
