import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../foundation/clock.ts';
import { cursorIndex, type Screen, withCursorFollowing } from '../screen/screen.ts';
import type { ScreenAndTerminal } from '../views/App.tsx';
import type { Attention } from '../watch/planner-input.ts';
import type { Watch } from '../watch/watch.ts';
import type { VisibleRows } from '../wording/table/visible-rows.ts';
import { createAttendance, isWorthReporting } from './attendance.ts';
import type { JoinedStore } from './joined-store.ts';

type AttentionDeps = {
	watch: Pick<Watch, 'setAttention'>;
	screenStore: StoreApi<Screen>;
	screenAndTerminal: JoinedStore<ScreenAndTerminal>;
	history: Pick<ReturnType<typeof createHistoryLoader>, 'show'>;
	clock: Clock;
};

/** Reports to the watch the rows on screen, the open details, and whether a person watches. */
export function createAttention({
	watch,
	screenStore,
	screenAndTerminal,
	history,
	clock,
}: AttentionDeps) {
	const attendance = createAttendance(clock);
	let attention: Attention = {
		visibleIds: new Set(),
		attendedUntil: attendance.attendedUntil(),
	};
	let rowIds: readonly string[] = [];
	let cursor: { id: string | undefined; since: number } = { id: undefined, since: 0 };

	function reportAttention(next: Attention) {
		attention = next;
		watch.setAttention(attention);
	}

	/** Returns the computer under the cursor and when the cursor came to it. */
	function cursorNow(screen: Screen) {
		const id = rowIds[cursorIndex(screen, rowIds)];
		// The cursor rests on its first computer from the start.
		if (id !== cursor.id) cursor = { id, since: cursor.id === undefined ? 0 : clock.now() };
		return cursor;
	}

	function update() {
		const { screen, terminal } = screenAndTerminal.getState();
		const { detailId: earlierDetail, restingSince: _, ...rest } = attention;
		if (terminal.reportsFocus) attendance.noteFocus(terminal.isFocused);
		const { id, since } = cursorNow(screen);
		const detailId = screen.isDetailOpen ? id : undefined;
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
		onShown(visibleRows: VisibleRows, visible: readonly string[]) {
			rowIds = visibleRows.ids;
			reportAttention({ ...attention, visibleIds: new Set(visible) });
			screenStore.setState(screen => withCursorFollowing(screen, visibleRows), true);
		},
		close,
	};
}

type HistoryLoaderDeps = {
	clock: Clock;
	/** Loads the recorded changes of a computer from the journal into the store. */
	loadHistory: (id: string) => void;
};

/** The time for which the cursor must rest on a computer before its history is loaded. */
const cursorRestMs = 300;

/** Loads the history of the computer whose details are open. */
export function createHistoryLoader({ clock, loadHistory }: HistoryLoaderDeps) {
	let requestedId: string | undefined;
	let cancelLoad: (() => void) | undefined;

	return {
		/** Selects the computer whose details are open; undefined when no details are open. */
		show(id: string | undefined) {
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
