import type { StoreApi } from 'zustand/vanilla';
import type { Preferences } from '../accounts/settings.ts';
import type { Clock } from '../foundation/clock.ts';
import { createListeners } from '../foundation/listeners.ts';
import { memoize } from '../foundation/memoize.ts';
import type { Badge, OwnColours } from '../lines/theme.ts';
import type { CommandRunner } from '../operations/command-runner.ts';
import type { SessionTable } from '../session/session-table.ts';
import type { joinPasswordRequests } from '../session/sign-in-request.ts';
import type { MonitorData } from '../views/read-scene.ts';
import type { AccountChoice, Action, TableAccounts } from '../views/scene.ts';
import { accountActions, actions as allActions, signOutActions } from './actions/table.ts';
import type { LiveSettingSources } from './live-settings.ts';
import type { Memory } from './memory.ts';
import type { ReplayPlayer } from './replay.ts';

/** What the configuration may change while the monitor is open. */
type Configured = {
	actions?: readonly Action[] | undefined;
	announcementSettings?: Preferences['notify'] | undefined;
	settingSources?: LiveSettingSources | undefined;
	columns?: readonly string[] | undefined;
	ownColours?: OwnColours | undefined;
};

export type MonitorContents = Configured & {
	sessions: SessionTable;
	tableAccounts?: TableAccounts | undefined;
	/** Says that what is shown is being recorded, or is a replay. */
	badge?: Watched<Badge> | undefined;
	/** The notice of the demo, shown when it opens and when a person asks to sign in. */
	greeting?: string | undefined;
	/** What is remembered for the next start; undefined if nothing is, such as in a replay. */
	memory?: Memory | undefined;
	commandRunner?: CommandRunner | undefined;
	/** What the configuration says after a change of its file; absent if its file is not read again. */
	reread?: Pick<StoreApi<Configured>, 'getState' | 'subscribe'> | undefined;
	player?: ReplayPlayer | undefined;
};

const noChoices: readonly AccountChoice[] = [];

/** It stays the same object while nothing in it changes. */
export function createMonitorData(
	options: MonitorContents,
	passwordRequest: ReturnType<typeof joinPasswordRequests>,
	isDrawn: boolean,
): Watched<MonitorData> {
	const { sessions, tableAccounts, badge, player, reread } = options;
	const { store, operations } = sessions;
	// The menu of columns chooses what a screen has room for.
	const isSpoken = ({ id, where }: Action) =>
		id !== 'columns' && where.some(place => place !== 'columns');
	const actionsWith = memoize(
		(
			actions: readonly Action[],
			choices: readonly AccountChoice[],
			profiles: ReturnType<typeof sessions.profiles>,
		) => [
			...actions.filter(action => isDrawn || isSpoken(action)),
			...accountActions(choices),
			...signOutActions(profiles),
		],
	);
	const read = (): MonitorData => ({
		accounts: store.getState().accounts,
		profiles: sessions.profiles(),
		operations: operations.state(),
		passwordPrompt: passwordRequest.prompt(),
		canSignIn: sessions.all().some(each => each.passwordRequest !== undefined),
		actions: actionsWith(
			(reread?.getState() ?? options).actions ?? allActions,
			tableAccounts?.choices() ?? noChoices,
			sessions.profiles(),
		),
		badge: badge?.getState(),
		replay: player?.replayState(),
		exitSummary: operations.exitSummary,
	});
	const sources = [
		...[store, sessions, operations, passwordRequest],
		...[tableAccounts, badge, reread, player],
	];
	let data = read();

	return {
		getState() {
			const next = read();
			const names = Object.keys(next) as (keyof MonitorData)[];
			if (names.some(name => next[name] !== data[name])) data = next;
			return data;
		},
		subscribe(listener) {
			const unsubscribers = sources.map(source => source?.subscribe(() => listener()));
			return () => {
				for (const unsubscribe of unsubscribers) unsubscribe?.();
			};
		},
	};
}

/** The shortest time between two frames that show answers. A key is drawn at once. */
export const frameIntervalMs = 33;

type Watched<T> = { getState: () => T; subscribe: (listener: () => void) => () => void };

export type ThrottledStore<T> = Watched<T> & { flush(): void; close(): void };

/** Tells its subscribers of changes at once, but at most once in a frame, so that several answers are drawn together. */
export function createThrottledStore<T>(store: Watched<T>, clock: Clock): ThrottledStore<T> {
	const listeners = createListeners();
	let told = store.getState();
	let toldAt = -Infinity;
	let cancelTimer: (() => void) | undefined;

	function flush() {
		cancelTimer?.();
		cancelTimer = undefined;
		const state = store.getState();
		if (state === told) return;
		told = state;
		toldAt = clock.monotonic();
		listeners.notify();
	}

	const unsubscribe = store.subscribe(() => {
		const leftMs = toldAt + frameIntervalMs - clock.monotonic();
		if (leftMs <= 0) flush();
		else cancelTimer ??= clock.after(leftMs, flush);
	});

	return {
		getState: store.getState,
		subscribe: listeners.subscribe,
		flush,
		close() {
			cancelTimer?.();
			unsubscribe();
		},
	};
}
