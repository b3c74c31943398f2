import type { StoreApi } from 'zustand/vanilla';
import { type GlobalId, idsWithin } from '../fleet/computers/global-id.ts';
import type { Clock } from '../foundation/clock.ts';
import type { SessionTable } from '../session/session-table.ts';
import type { VisibleRows } from '../views/fleet/rows.ts';
import { cursorIndex, withCursorFollowing, withTopKept } from '../views/look/cursor.ts';
import type { Screen } from '../views/look/screen.ts';
import type { ScreenAndTerminal } from '../views/monitor-data.ts';
import type { Attention } from '../watch/planner-input.ts';
import { createAttendance, isWorthReporting } from './attendance.ts';
import type { JoinedStore } from './joined-store.ts';

type AttentionDeps = {
	setAttention: (attention: GlobalAttention) => void;
	screenStore: StoreApi<Screen>;
	screenAndTerminal: JoinedStore<ScreenAndTerminal>;
	/** Whether the details of the computer under the cursor are in sight. */
	isDetailShown: (screen: Screen) => boolean;
	history: Pick<ReturnType<typeof createHistoryLoader>, 'show'>;
	clock: Clock;
};

/** The computers that a person looks at, in all accounts. */
type GlobalAttention = Omit<Attention, 'visibleIds' | 'detailId'> & {
	visibleIds: ReadonlySet<GlobalId>;
	detailId?: GlobalId | undefined;
};

const lastAttentions = new WeakMap<object, Attention>();

/**
 * Reports to the watch of each account which of its computers a person looks at. A watch plans its reads again after
 * each report. So a watch gets a report only if something has changed for its account, although the answers of other
 * accounts draw the table again.
 */
export function setAttentionOfSessions(
	sessions: Pick<SessionTable, 'all'>,
	{ visibleIds, detailId, restingSince, attendedUntil }: GlobalAttention,
): void {
	for (const { account, watch } of sessions.all()) {
		const [detail] = detailId === undefined ? [] : idsWithin(account, [detailId]);
		const attention = {
			attendedUntil,
			visibleIds: new Set(idsWithin(account, visibleIds)),
			...(detail !== undefined && { detailId: detail, restingSince }),
		};
		const last = lastAttentions.get(watch);
		if (last && isSameAttention(last, attention)) continue;
		lastAttentions.set(watch, attention);
		watch.setAttention(attention);
	}
}

function isSameAttention(one: Attention, other: Attention): boolean {
	return (
		one.attendedUntil === other.attendedUntil &&
		one.detailId === other.detailId &&
		one.restingSince === other.restingSince &&
		one.visibleIds.size === other.visibleIds.size &&
		[...one.visibleIds].every(id => other.visibleIds.has(id))
	);
}

/** Reports the rows on screen, the open details, and whether a person watches. */
export function createAttention(deps: AttentionDeps) {
	const { setAttention, screenStore, screenAndTerminal, isDetailShown, history, clock } = deps;
	const attendance = createAttendance(clock);
	let attention: GlobalAttention = {
		visibleIds: new Set(),
		attendedUntil: attendance.attendedUntil(),
	};
	let rowIds: readonly GlobalId[] = [];
	let cursor: { id: GlobalId | undefined; since: number } = { id: undefined, since: 0 };

	function reportAttention(next: GlobalAttention) {
		attention = next;
		setAttention(attention);
	}

	/** Returns the computer under the cursor and when the cursor came to it. */
	function cursorNow(screen: Screen) {
		const id = rowIds[cursorIndex(screen, rowIds)];
		// The cursor counts as having rested on the first computer from the beginning, so the details of that
		// computer are read at once.
		if (id !== cursor.id) cursor = { id, since: cursor.id === undefined ? 0 : clock.now() };
		return cursor;
	}

	function update() {
		const { screen, terminal } = screenAndTerminal.getState();
		const { detailId: earlierDetail, restingSince: _, ...rest } = attention;
		if (terminal.reportsFocus) attendance.noteFocus(terminal.isFocused);
		const { id, since } = cursorNow(screen);
		const detailId = isDetailShown(screen) ? id : undefined;
		const attendedUntil = attendance.attendedUntil();
		const isSameDetail = detailId === earlierDetail;
		if (isSameDetail && !isWorthReporting(attendedUntil, rest.attendedUntil, clock.now())) return;
		const detail = detailId === undefined ? {} : { detailId, restingSince: since };
		reportAttention({ ...rest, attendedUntil, ...detail });
		if (!isSameDetail) history.show(detailId);
	}

	const close = screenAndTerminal.subscribe(update);
	update();

	return {
		/** Must be called for every key that a person presses. */
		onKey() {
			attendance.noteKey();
			update();
		},
		/** Must be called when other rows of the table become visible. */
		onShown(visibleRows: VisibleRows, visible: readonly GlobalId[]) {
			rowIds = visibleRows.ids;
			reportAttention({ ...attention, visibleIds: new Set(visible) });
			const isWatched = clock.now() < attendance.attendedUntil();
			screenStore.setState(screen => {
				const kept = isWatched ? screen : withTopKept(screen, visibleRows);
				return withCursorFollowing(kept, visibleRows);
			}, true);
			update();
		},
		close,
	};
}

type HistoryLoaderDeps = {
	clock: Clock;
	/** Loads the recorded changes of a computer from the journal into the store. */
	loadHistory: (id: GlobalId) => void;
};

/** The time for which the cursor must rest on a computer before its history is loaded. */
const cursorRestMs = 300;

/** Loads the history of the computer whose details are open. */
export function createHistoryLoader({ clock, loadHistory }: HistoryLoaderDeps) {
	let requestedId: GlobalId | undefined;
	let cancelLoad: (() => void) | undefined;

	return {
		/** Selects the computer whose details are open; undefined when no details are open. */
		show(id: GlobalId | undefined) {
			if (id === requestedId) return;
			requestedId = id;
			cancelLoad?.();
			cancelLoad = id === undefined ? undefined : clock.after(cursorRestMs, () => loadHistory(id));
		},
		close() {
			cancelLoad?.();
		},
	};
}
