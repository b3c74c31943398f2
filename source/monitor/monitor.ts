import { createStore } from 'zustand/vanilla';
import { defaultNotices } from '../accounts/settings.ts';
import { type GlobalId, splitGlobalId } from '../fleet/computers/global-id.ts';
import type { Clock } from '../foundation/clock.ts';
import type { LendTerminal } from '../operations/command-runner.ts';
import { joinPasswordRequests } from '../session/sign-in-request.ts';
import type { SuspendEvents } from '../terminal/process/life.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { holdReasonOf, openDialogOf } from '../views/dialogs/dialog-table.ts';
import { initialScreen, type Screen } from '../views/look/screen.ts';
import { initialFilters, initialOrderings } from '../views/look/view-table.ts';
import { createSceneReader } from '../views/read-scene.ts';
import type { ActionContext, Scene } from '../views/scene.ts';
import { createActionRunner } from './actions/effects.ts';
import { isAnythingUnderWay, noteShownProposal } from './actions/operations.ts';
import { sayCheckedPorts } from './actions/ports.ts';
import { startAnnouncing } from './announcements.ts';
import { createAttention } from './attention.ts';
import { startLiveSettings } from './live-settings.ts';
import { restoredFilter, withLines, withPins } from './memory.ts';
import { createMonitorData, type MonitorContents } from './monitor-data.ts';

export type MonitorOptions = MonitorContents & {
	/** The current folder, which takes what a person exports. */
	folder?: () => string;
	lendTerminal?: LendTerminal;
	opensWithWelcome?: boolean;
	/** Leaves the demo for the sign-in to an account; absent if the monitor shows an account. */
	leaveToSignIn?: (() => void) | undefined;
	clock: Clock;
};

/** How the monitor meets a person: drawn on a screen, or spoken. */
type Face = {
	terminal: ActionContext['terminal'] &
		SuspendEvents &
		Pick<Terminal, 'state' | 'onStateChange' | 'isEscapePending'> &
		Pick<Terminal, 'setTitle' | 'ringBell' | 'notify'>;
	/** Calls a function once a person can see what the latest key has changed. */
	whenFrameShown: (call: () => void) => void;
	/** Absent if it prints lines, which need no forms either. */
	reportMouse?: Terminal['reportMouse'];
};

export function startMonitor(options: MonitorOptions, face: Face) {
	const { sessions, player, clock, memory, lendTerminal, commandRunner } = options;
	const { terminal, reportMouse, whenFrameShown } = face;
	const isDrawn = reportMouse !== undefined;
	const { operations } = sessions;
	const saved = memory?.read() ?? {};
	const { filter, notice: droppedFilterNotice } = restoredFilter(saved.filter);
	const screenStore = createStore<Screen>(() => {
		const initial = initialScreen();
		return {
			...initial,
			columns: saved.columns ?? options.columns,
			defaultColumns: options.columns,
			ownColours: options.ownColours,
			filters: { ...initialFilters, fleet: filter },
			orderings: { ...initialOrderings, fleet: saved.ordering ?? initialOrderings.fleet },
			map: saved.map ?? initial.map,
			grouping: saved.grouping,
			foldedGroups: new Set(saved.foldedGroups),
			pins: new Set(saved.pins),
			lineHistories: saved.lines ?? initial.lineHistories,
			savedFilters: saved.filters ?? initial.savedFilters,
			open: options.opensWithWelcome ? { kind: 'welcome' } : undefined,
		};
	});
	const say: ActionContext['say'] = (said, outcomeOf) => {
		const parts = typeof said === 'string' ? { why: said } : said;
		screenStore.setState({ notice: { ...parts, shownAt: clock.now(), outcomeOf } });
	};
	const passwordRequest = joinPasswordRequests(sessions);
	const monitorData = createMonitorData(options, passwordRequest, isDrawn);
	const openDialog = () => openDialogOf(screenStore.getState(), monitorData.getState());
	const notices = { ...(options.announcementSettings ?? defaultNotices) };
	const liveSettings = startLiveSettings({
		sources: options.settingSources,
		memory,
		screenStore,
		sessions,
		clock,
		say,
		reportMouse,
		notices: player ? undefined : notices,
	});
	const attention = createAttention({ sessions, screenStore, terminal, clock });
	const keys = { onKey: attention.onKey, whenFrameShown, onResume: terminal.onResume };
	const runner = createActionRunner(keys, {
		screenStore,
		sessions,
		tableAccounts: options.tableAccounts,
		passwordRequest,
		lendTerminal,
		chooseSetting: liveSettings.choose,
		player,
		hasForms: isDrawn,
		leaveToSignIn: options.leaveToSignIn,
		commandRunner,
		folder: options.folder ?? (() => '.'),
		say,
		terminal,
		clock,
	});
	if (lendTerminal) commandRunner?.attachTerminal(lendTerminal);
	operations.waitForEscape(terminal.isEscapePending);

	let isSuspended = false;
	let isTooSmall = false;
	function holdCountdowns() {
		const reason = holdReasonOf(openDialog(), screenStore.getState());
		if (isTooSmall && reason !== 'quit') operations.hold('too small');
		else operations.hold(reason ?? (isSuspended ? 'suspended' : undefined));
	}

	function closeFinishedQuitDialog() {
		const isOpen = screenStore.getState().confirmation?.isQuit;
		if (!isOpen || isAnythingUnderWay({ sessions })) return;
		const notice = { why: 'Everything has finished: you can quit now', shownAt: clock.now() };
		screenStore.setState({ confirmation: undefined, notice });
	}

	sessions.follow(({ account }) => () => {
		const { marks } = screenStore.getState();
		const kept = [...marks].filter(id => splitGlobalId(id).account !== account);
		if (kept.length < marks.size) screenStore.setState({ marks: new Set(kept) });
	});
	const unsubscribers = [
		attention.close,
		liveSettings.close,
		operations.subscribe(() => sayCheckedPorts(runner.context, monitorData.getState())),
		options.reread?.subscribe(({ columns, ownColours, settingSources }) => {
			liveSettings.reconfigure(settingSources?.configured);
			screenStore.setState(({ columns: chosen, defaultColumns }) => {
				const isDefault = String(chosen) === String(defaultColumns);
				return { columns: isDefault ? columns : chosen, defaultColumns: columns, ownColours };
			});
		}) ?? (() => {}),
		screenStore.subscribe((screen, before) => {
			holdCountdowns();
			const { lineHistories, savedFilters } = screen;
			if (lineHistories !== before.lineHistories || savedFilters !== before.savedFilters)
				memory?.update(kept => withLines(kept, before, screen));
			if (screen.pins !== before.pins)
				memory?.update(kept => withPins(kept, before.pins, screen.pins));
		}),
		monitorData.subscribe(() => {
			holdCountdowns();
			closeFinishedQuitDialog();
		}),
		// Another process can read while this one is stopped, by a key or within the command that has the terminal.
		terminal.onSuspend(() => {
			isSuspended = true;
			holdCountdowns();
			for (const { sharedWatch } of sessions.all()) sharedWatch?.resign();
		}),
		terminal.onResume(() => {
			isSuspended = false;
			holdCountdowns();
		}),
	];
	holdCountdowns();
	if (player) terminal.setTitle('crowsnest: replay');
	else unsubscribers.push(startAnnouncing(sessions, terminal, notices, clock));

	return {
		screenStore,
		monitorData,
		openDialog,
		openingNotices: [options.greeting, droppedFilterNotice].filter(notice => notice !== undefined),
		say,
		onShown(scene: Scene, visible: readonly GlobalId[], isDetailShown: boolean) {
			isTooSmall = scene.layout.isTooSmall;
			holdCountdowns();
			attention.onShown(scene, visible, isDetailShown);
			noteShownProposal(runner.context, scene);
		},
		runAction: runner.run,
		readScene: createSceneReader(account => sessions.sessionOf(account).platform),
		close() {
			for (const unsubscribe of unsubscribers) unsubscribe();
			const { columns, defaultColumns, filters, map, grouping, foldedGroups, orderings } =
				screenStore.getState();
			const isDefault = String(columns) === String(defaultColumns);
			memory?.update(kept => ({
				...kept,
				filter: filters.fleet,
				ordering: orderings.fleet,
				map,
				grouping,
				foldedGroups: [...foldedGroups],
				columns: isDefault ? undefined : columns,
			}));
		},
	};
}
