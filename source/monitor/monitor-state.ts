import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Preferences } from '../accounts/settings.ts';
import { type GlobalId, splitGlobalId } from '../fleet/computers/global-id.ts';
import type { Clock } from '../foundation/clock.ts';
import { memoize } from '../foundation/memoize.ts';
import type { Badge } from '../lines/theme.ts';
import type { CommandRunner, LendTerminal } from '../operations/command-runner.ts';
import type { SessionTable } from '../session/session-table.ts';
import { joinPasswordRequests } from '../session/sign-in-request.ts';
import { accountActions, actions as allActions, signOutActions } from '../views/actions/table.ts';
import { openDialogOf } from '../views/dialogs/dialog-table.ts';
import { initialScreen, type Screen } from '../views/look/screen.ts';
import { initialFilters, initialOrderings } from '../views/look/view-table.ts';
import type { MonitorData } from '../views/read-scene.ts';
import type { Action } from '../views/scene.ts';
import type { AccountChoice, TableAccounts } from '../views/table-accounts.ts';
import { joinStores } from './joined-store.ts';
import type { LiveSettingSources } from './live-settings.ts';
import { type Memory, restoredFilter, withLines } from './memory.ts';
import type { ReplayPlayer } from './replay.ts';

export type BadgeStore = Pick<StoreApi<Badge | undefined>, 'getState' | 'subscribe'>;

const noChoices: readonly AccountChoice[] = [];

/** What a monitor shows: accounts, the demo or a recording, with everything that belongs to them. */
export type MonitorContents = {
	sessions: SessionTable;
	tableAccounts?: TableAccounts | undefined;
	badge?: BadgeStore | undefined;
	/** The notice of the demo, shown when it opens and when a person asks to sign in. */
	greeting?: string | undefined;
	/** What is remembered for the next start; undefined if nothing is, such as in a replay. */
	memory?: Memory | undefined;
	loadHistory?: ((id: GlobalId) => void) | undefined;
	actions?: readonly Action[] | undefined;
	commandRunner?: CommandRunner | undefined;
	announcementSettings?: Preferences['notify'] | undefined;
	/** The values that the changeable settings start with; the defaults if absent. */
	settingSources?: LiveSettingSources | undefined;
	columns?: readonly string[] | undefined;
	player?: ReplayPlayer | undefined;
};

export type MonitorOptions = MonitorContents & {
	lendTerminal?: LendTerminal;
	opensWithWelcome?: boolean;
	/** Leaves the demo for the sign-in to an account; absent if the monitor shows an account. */
	leaveToSignIn?: (() => void) | undefined;
	clock: Clock;
};

export type MonitorState = ReturnType<typeof createMonitorState>;

export function createMonitorState(options: MonitorOptions) {
	const { sessions, memory, player } = options;
	const { opensWithWelcome = false, badge, tableAccounts, columns: defaultColumns } = options;
	const { operations, store } = sessions;
	const passwordRequest = joinPasswordRequests(sessions);
	const saved = memory?.read() ?? {};
	const { filter, notice: droppedFilterNotice } = restoredFilter(saved.filter);
	const screenStore = createStore<Screen>(() => {
		const initial = initialScreen();
		return {
			...initial,
			columns: saved.columns ?? defaultColumns,
			filters: { ...initialFilters, fleet: filter },
			orderings: { ...initialOrderings, fleet: saved.ordering ?? initialOrderings.fleet },
			map: saved.map ?? initial.map,
			lineHistories: saved.lines ?? initial.lineHistories,
			savedFilters: saved.filters ?? initial.savedFilters,
			open: opensWithWelcome ? { kind: 'welcome' } : undefined,
		};
	});
	sessions.follow(({ account }) => () => {
		const { marks } = screenStore.getState();
		const kept = [...marks].filter(id => splitGlobalId(id).account !== account);
		if (kept.length < marks.size) screenStore.setState({ marks: new Set(kept) });
	});
	const stopSaving = screenStore.subscribe((screen, before) => {
		const { lineHistories, savedFilters } = screen;
		if (lineHistories === before.lineHistories && savedFilters === before.savedFilters) return;
		memory?.update(saved => withLines(saved, before, screen));
	});
	const actionsWith = memoize(
		(choices: readonly AccountChoice[], profiles: ReturnType<typeof sessions.profiles>) => [
			...(options.actions ?? allActions),
			...accountActions(choices),
			...signOutActions(profiles),
		],
	);
	const actions = () => actionsWith(tableAccounts?.choices() ?? noChoices, sessions.profiles());
	const monitorData = joinStores<MonitorData>(
		() => ({
			accounts: store.getState().accounts,
			profiles: sessions.profiles(),
			operations: operations.state(),
			passwordPrompt: passwordRequest.prompt(),
			canSignIn: sessions.all().some(each => each.passwordRequest !== undefined),
			actions: actions(),
			badge: badge?.getState(),
			replay: player?.replayState(),
			exitSummary: operations.exitSummary,
		}),
		[
			store.subscribe,
			sessions.subscribe,
			operations.subscribe,
			tableAccounts?.subscribe,
			passwordRequest.subscribe,
			badge?.subscribe,
			player?.subscribe,
		],
	);

	return {
		screenStore,
		monitorData,
		actions,
		passwordRequest,
		openDialog: () => openDialogOf(screenStore.getState(), monitorData.getState()),
		droppedFilterNotice,
		saveScreen() {
			stopSaving();
			const { columns, filters, map, orderings } = screenStore.getState();
			const isDefault = String(columns) === String(defaultColumns);
			memory?.update(saved => ({
				...saved,
				filter: filters.fleet,
				ordering: orderings.fleet,
				map,
				columns: isDefault ? undefined : columns,
			}));
		},
	};
}
