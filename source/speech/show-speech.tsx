import { defaultNotices } from '../accounts/settings.ts';
import { startAnnouncing } from '../monitor/announcements.ts';
import { createAttendance, isWorthReporting } from '../monitor/attendance.ts';
import { setAttentionOfSessions } from '../monitor/attention.ts';
import {
	announcementEffects,
	createReadLimit,
	startLiveSettings,
} from '../monitor/live-settings.ts';
import { createMonitorState, followDialogs, type MonitorState } from '../monitor/monitor-state.ts';
import { withCursorFollowing } from '../screen/cursor.ts';
import { cursorIndex } from '../screen/screen.ts';
import { startWatches } from '../session/session-table.ts';
import { actions as allActions } from '../views/actions/table.ts';
import { type ChangeSpeaker, createChangeSpeaker } from './changes.ts';
import { createKeyHandler, listenToKeys, type SpokenMonitorOptions } from './key-handler.ts';
import { createSceneReader, linesPerPage, type SceneReader, type SpokenScene } from './scene.ts';
import { createSpeech, type Speech } from './speech.ts';
import { summaryWords } from './summary-words.ts';
import { paymentWords } from './view-words.ts';

/**
 * Shows the monitor for a screen reader or a braille display. The output consists of whole lines that are never
 * overwritten. Changes are spoken when they happen, and other texts when a key asks for them. The function is long,
 * because it creates all parts of the monitor and connects them.
 */
export function showSpeech(options: SpokenMonitorOptions) {
	const { sessions, terminal, clock, announcementSettings } = options;
	const { store, operations } = sessions;
	const actions = spokenActions(options);
	const state = createMonitorState({ ...options, actions });
	const { screenStore } = state;
	const speech = createSpeech(terminal);
	const scenes = createSceneReader({ sessions, screenStore, clock, announcementSettings });
	const attention = createAttentionReporter(options, state);
	const changes = createChangeSpeaker({ scenes, operations, state, actions, speech, clock });
	const announcements = { ...(announcementSettings ?? defaultNotices) };
	const readLimit = createReadLimit(sessions, clock);
	const liveSettings = startLiveSettings({
		sources: options.settingSources,
		memory: options.memory,
		screenStore,
		sessions,
		clock,
		say: notice => speech.say([notice]),
		effects: {
			share: readLimit.limitReads,
			...announcementEffects(announcements),
		},
	});
	const keys = createKeyHandler(options, {
		state,
		scenes,
		speech,
		changes,
		update,
		chooseSetting: liveSettings.choose,
		onKey: attention.onKey,
	});

	function update() {
		attention.update(scenes.sceneNow());
		changes.update();
	}

	function onStoreChange() {
		const { visibleRows } = scenes.sceneNow();
		screenStore.setState(screen => withCursorFollowing(screen, visibleRows), true);
		changes.onFleetChange();
		update();
	}

	if (options.lendTerminal) options.commandRunner?.attachTerminal(options.lendTerminal);
	speech.say(greetingLines(options, state));
	const endings = [
		terminal.onResume(() => speech.say(['Resumed.', ...summaryWords(scenes.sceneNow())])),
		followDialogs(options, { state, terminal }),
		store.subscribe(onStoreChange),
		sessions.subscribe(onStoreChange),
		operations.subscribe(update),
		state.passwordRequest.subscribe(update),
		speakScreenChanges({ state, scenes, speech, changes }),
		startAnnouncements({ ...options, announcementSettings: announcements }),
		readLimit.stop,
		liveSettings.close,
	];
	endings.push(startWatches(sessions, clock));
	onStoreChange();
	endings.push(listenToKeys(options, { state, actions, onAction: keys.onAction }));
	let onClosed = () => {};
	const closed = new Promise<void>(resolve => {
		onClosed = resolve;
	});

	return {
		closed,
		async settled() {},
		say: (notice: string) => speech.say([notice]),
		close() {
			state.saveScreen();
			for (const end of endings) end();
			changes.close();
			keys.close();
			state.history.close();
			onClosed();
		},
	};
}

/** The keys of the column dialog are left out, because spoken rows have no columns. */
function spokenActions({ actions = allActions }: SpokenMonitorOptions) {
	return actions.filter(
		({ id, where }) => id !== 'columns' && !where.every(place => place === 'columns'),
	);
}

function greetingLines(
	{ sessions, badge, greeting }: SpokenMonitorOptions,
	{ droppedFilterNotice }: MonitorState,
): readonly string[] {
	const { operations } = sessions;
	const names = sessions.profiles().map(profile => profile.name);
	const badgeText = names.length > 1 ? undefined : badge?.getState()?.text;
	const name = badgeText ?? names.join(', ');
	return [
		`crowsnest, watching ${name}${operations.state().isReadOnly ? ', read only' : ''}.`,
		...(greeting === undefined ? [] : [`${greeting}.`]),
		...(droppedFilterNotice === undefined ? [] : [droppedFilterNotice]),
	];
}

/**
 * Reports to the watch which computers a person listens to: the one with open details, and the page of rows
 * that begins at the cursor.
 */
function createAttentionReporter(
	{ sessions, clock }: Pick<SpokenMonitorOptions, 'sessions' | 'clock'>,
	{ history }: MonitorState,
) {
	const attendance = createAttendance(clock);
	let last = '';
	let reportedUntil = Number.NEGATIVE_INFINITY;

	return {
		onKey: attendance.noteKey,
		update({ screen, visibleRows }: SpokenScene) {
			const at = Math.max(0, cursorIndex(screen, visibleRows.ids));
			const detail = screen.isDetailOpen ? visibleRows.ids[at] : undefined;
			const ids = visibleRows.ids.slice(at, at + linesPerPage);
			const serialised = JSON.stringify([detail, ids]);
			const attendedUntil = attendance.attendedUntil();
			const isNews = isWorthReporting(attendedUntil, reportedUntil, clock.now());
			if (serialised === last && !isNews) return;
			last = serialised;
			reportedUntil = attendedUntil;
			const visible = new Set(ids);
			setAttentionOfSessions(sessions, {
				visibleIds: visible,
				attendedUntil,
				detailId: detail,
			});
			history.show(detail);
		},
	};
}

type SpokenScreenDeps = {
	state: MonitorState;
	scenes: SceneReader;
	speech: Speech;
	changes: ChangeSpeaker;
};

/** Speaks notices, dialogs and payment pages at the time at which a drawn monitor would show them. */
function speakScreenChanges({
	state: { screenStore },
	scenes,
	speech,
	changes,
}: SpokenScreenDeps): () => void {
	return screenStore.subscribe((screen, before) => {
		const { notice, payment } = screen;
		if (notice && notice !== before.notice) speech.say([notice.text]);
		changes.updateDialogs();
		if (payment && payment !== before.payment) speech.say(paymentWords(scenes.sceneNow()));
	});
}

/** Announces changes with the bell only, because their text is spoken anyway. */
function startAnnouncements({
	sessions,
	terminal,
	clock,
	announcementSettings,
}: SpokenMonitorOptions) {
	const { ringBell } = terminal;
	return startAnnouncing({
		sessions,
		terminal: { setTitle() {}, ringBell, notify: ringBell },
		clock,
		announcementSettings,
	});
}
