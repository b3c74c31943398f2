import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../foundation/clock.ts';
import { cursorIndex, type Screen, withCursorFollowing } from '../screen/screen.ts';
import type { ScreenAndTerminal } from '../views/App.tsx';
import type { Attention } from '../watch/planner-input.ts';
import type { Watch } from '../watch/watch.ts';
import type { VisibleRows } from '../wording/table/visible-rows.ts';
import type { JoinedStore } from './joined-store.ts';

type AttentionDeps = {
	watch: Pick<Watch, 'setAttention'>;
	screenStore: StoreApi<Screen>;
	screenAndTerminal: JoinedStore<ScreenAndTerminal>;
	history: Pick<ReturnType<typeof createHistoryLoader>, 'show'>;
};

/** Reports to the watch the rows on screen, the open details, and whether the terminal has the focus. */
export function createAttention({ watch, screenStore, screenAndTerminal, history }: AttentionDeps) {
	const { isFocused: isFocusedAtFirst } = screenAndTerminal.getState().terminal;
	let attention: Attention = { visibleIds: new Set(), isFocused: isFocusedAtFirst };
	let rowIds: readonly string[] = [];

	function reportAttention(next: Attention) {
		attention = next;
		watch.setAttention(attention);
	}

	const close = screenAndTerminal.subscribe(() => {
		const { screen, terminal } = screenAndTerminal.getState();
		const { detailId: earlierDetail, ...rest } = attention;
		const { isFocused } = terminal;
		const detailId = screen.isDetailOpen ? rowIds[cursorIndex(screen, rowIds)] : undefined;
		if (isFocused === attention.isFocused && detailId === earlierDetail) return;
		reportAttention({ ...rest, isFocused, ...(detailId !== undefined && { detailId }) });
		history.show(detailId);
	});

	return {
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
