import type { StoreApi } from 'zustand/vanilla';
import { cursorIndex, type Screen, withCursorFollowing } from '../screen/screen.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Attention } from '../watch/planner-input.ts';
import type { Watch } from '../watch/watch.ts';
import type { VisibleRows } from '../wording/visible-rows.ts';
import type { createHistoryLoader } from './history-loader.ts';

type AttentionDeps = {
	watch: Pick<Watch, 'setAttention'>;
	screens: StoreApi<Screen>;
	history: Pick<ReturnType<typeof createHistoryLoader>, 'show'>;
	terminal: Pick<Terminal, 'state' | 'onStateChange'>;
};

/** Reports to the watch the rows on screen, the open details, and whether the terminal has the focus. */
export function createAttention({ watch, screens, history, terminal }: AttentionDeps) {
	let attention: Attention = { visibleIds: new Set(), isFocused: terminal.state().isFocused };
	let rowIds: readonly string[] = [];

	function reportAttention(next: Attention) {
		attention = next;
		watch.setAttention(attention);
	}

	const stopFollowingFocus = terminal.onStateChange(() => {
		const { isFocused } = terminal.state();
		if (isFocused !== attention.isFocused) reportAttention({ ...attention, isFocused });
	});
	const stopFollowingDetail = screens.subscribe(screen => {
		const { detailId: before, ...rest } = attention;
		const detail = screen.isDetailOpen ? rowIds[cursorIndex(screen, rowIds)] : undefined;
		if (detail === before) return;
		reportAttention(detail === undefined ? rest : { ...rest, detailId: detail });
		history.show(detail);
	});

	return {
		/** Must be called when other rows of the table become visible. */
		onShown(visibleRows: VisibleRows, visible: readonly string[]) {
			rowIds = visibleRows.ids;
			reportAttention({ ...attention, visibleIds: new Set(visible) });
			screens.setState(screen => withCursorFollowing(screen, visibleRows), true);
		},
		close() {
			stopFollowingFocus();
			stopFollowingDetail();
		},
	};
}
