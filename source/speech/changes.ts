import type { Clock } from '../foundation/clock.ts';
import type { MonitorState } from '../monitor/monitor-state.ts';
import type { Operations } from '../operations/operations.ts';
import { type View, viewRows } from '../screen/view-table.ts';
import type { Action } from '../views/scene.ts';
import { createDialogSpeaker } from './dialogs.ts';
import { fleetNews, urgentNews } from './news-words.ts';
import type { SceneReader, SpokenMoment } from './scene.ts';
import type { Speech } from './speech.ts';
import { createOpeningSummary, lockedText } from './summary-words.ts';
import { pageWords } from './view-words.ts';

type ChangeSpeakerDeps = {
	scenes: SceneReader;
	operations: Operations;
	state: MonitorState;
	actions: readonly Action[];
	speech: Speech;
	clock: Clock;
};

export type ChangeSpeaker = ReturnType<typeof createChangeSpeaker>;

/**
 * Speaks changes that no key caused: a summary when the fleet has been read for the first time, a view
 * when its first data arrives, a lock, dialogs, and news since the summary.
 */
export function createChangeSpeaker(deps: ChangeSpeakerDeps) {
	const { scenes, operations, speech, clock } = deps;
	let news: ReturnType<typeof createSpokenNews> | undefined;
	const opening = createOpeningSummary({
		clock,
		scenes,
		onSummary(lines) {
			speech.say(lines);
			news = createSpokenNews({ clock, momentNow: scenes.momentNow, say: speech.say });
		},
	});
	const openedView = createOpenedViewSpeaker(scenes, speech);
	const lock = createLockSpeaker(operations, speech);
	const dialogs = createDialogSpeaker(deps);

	return {
		/**
		 * Speaks the opening summary, and speaks a view once the read that only this view needs has been answered.
		 */
		onFleetChange() {
			opening.update();
			openedView.update();
		},
		/** Speaks the changes of the lock, the dialogs and the fleet since the last call. */
		update() {
			lock.update();
			dialogs.update();
			news?.update();
		},
		updateDialogs: dialogs.update,
		/**
		 * Does what a key stands for. If the key locks the monitor, the notice of the key already says so,
		 * and the lock is not announced again.
		 */
		withoutLockNews: lock.runMuted,
		close() {
			opening.close();
			news?.close();
		},
	};
}

/** Speaks the open view when its own data arrives. Opening the view starts the read of that data. */
function createOpenedViewSpeaker(scenes: SceneReader, speech: Speech) {
	let viewWithoutData: View | undefined;

	return {
		update() {
			const scene = scenes.sceneNow();
			const { view } = scene.screen;
			const { ownRead } = viewRows[view];
			const hasData = !ownRead || scene.account[ownRead] !== undefined;
			if (hasData && viewWithoutData === view) speech.say(pageWords(scene));
			viewWithoutData = hasData ? undefined : view;
		},
	};
}

function createLockSpeaker(operations: Operations, speech: Speech) {
	let wasLocked = false;
	let isMuted = false;

	return {
		update() {
			const { isLocked } = operations.state();
			if (isLocked === wasLocked) return;
			wasLocked = isLocked;
			if (!isLocked) speech.say(['Unlocked.']);
			else if (!isMuted) speech.say([lockedText]);
		},
		runMuted(work: () => void) {
			isMuted = true;
			work();
			isMuted = false;
		},
	};
}

type SpokenNewsDeps = {
	clock: Clock;
	momentNow: () => SpokenMoment;
	say: (lines: readonly string[]) => void;
};

type NewsChannel = { update(): void; close(): void };

/**
 * Changes within `gatheringMs` are spoken together, and at least `minIntervalMs` pass before the next
 * changes are spoken.
 */
const urgentNewsTiming = { gatheringMs: 100, minIntervalMs: 0 };
const fleetNewsTiming = { gatheringMs: 1500, minIntervalMs: 8000 };

/** Speaks changes from now on. The caller calls `update` whenever something may have changed. */
export function createSpokenNews(deps: SpokenNewsDeps): NewsChannel {
	const channels = [
		createChannel(deps, urgentNews, urgentNewsTiming),
		createChannel(deps, fleetNews, fleetNewsTiming),
	];
	return {
		update() {
			for (const channel of channels) channel.update();
		},
		close() {
			for (const channel of channels) channel.close();
		},
	};
}

function createChannel(
	{ clock, momentNow, say }: SpokenNewsDeps,
	newsBetween: (before: SpokenMoment, after: SpokenMoment) => readonly string[],
	{ gatheringMs, minIntervalMs }: typeof urgentNewsTiming,
): NewsChannel {
	let spoken = momentNow();
	let quietUntil = Number.NEGATIVE_INFINITY;
	let cancelTimer: (() => void) | undefined;

	function speak() {
		cancelTimer = undefined;
		const now = momentNow();
		const news = newsBetween(spoken, now);
		spoken = now;
		quietUntil = clock.now() + minIntervalMs;
		say(news);
	}

	return {
		update() {
			if (cancelTimer) return;
			const now = momentNow();
			if (newsBetween(spoken, now).length === 0) {
				spoken = now;
				return;
			}
			// The wait is at most the interval, even if the clock was set back.
			const quiet = Math.min(minIntervalMs, quietUntil - clock.now());
			cancelTimer = clock.after(Math.max(gatheringMs, quiet), speak);
		},
		close() {
			cancelTimer?.();
		},
	};
}
