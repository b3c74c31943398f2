import type { StoreApi } from 'zustand/vanilla';
import { type GlobalId, idsWithin } from '../fleet/computers/global-id.ts';
import type { Clock } from '../foundation/clock.ts';
import type { SessionTable } from '../session/session-table.ts';
import type { TerminalState } from '../terminal/features/terminal-state.ts';
import type { VisibleRows } from '../views/fleet/rows.ts';
import { cursorIndex, withCursorFollowing, withTopKept } from '../views/look/cursor.ts';
import type { Screen } from '../views/look/screen.ts';
import type { ScreenAndTerminal } from '../views/monitor-data.ts';
import type { Attention } from '../watch/planner-input.ts';
import { unattendedAfterMs } from '../watch/polling-mode.ts';
import type { JoinedStore } from './joined-store.ts';

type AttentionDeps = {
	setAttention: (attention: GlobalAttention) => void;
	screenStore: StoreApi<Screen>;
	screenAndTerminal: JoinedStore<ScreenAndTerminal>;
	isDetailShown: (screen: Screen) => boolean;
	history: Pick<ReturnType<typeof createHistoryLoader>, 'show'>;
	clock: Clock;
};

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

export function createAttention(deps: AttentionDeps) {
	const { setAttention, screenStore, screenAndTerminal, isDetailShown, history, clock } = deps;
	let lastKeyAt = clock.now();
	const attendedUntilNow = () => attendedUntilOf(screenAndTerminal.getState().terminal, lastKeyAt);
	let attention: GlobalAttention = { visibleIds: new Set(), attendedUntil: attendedUntilNow() };
	let rowIds: readonly GlobalId[] = [];
	let cursor: { id: GlobalId | undefined; since: number } = { id: undefined, since: 0 };

	function reportAttention(next: GlobalAttention) {
		attention = next;
		setAttention(attention);
	}

	function cursorNow(screen: Screen) {
		const id = rowIds[cursorIndex(screen, rowIds)];
		// The cursor counts as having rested on the first computer from the beginning, so the details of that
		// computer are read at once.
		if (id !== cursor.id) cursor = { id, since: cursor.id === undefined ? 0 : clock.now() };
		return cursor;
	}

	function update() {
		const { screen } = screenAndTerminal.getState();
		const { detailId: earlierDetail, restingSince: _, ...rest } = attention;
		const { id, since } = cursorNow(screen);
		const detailId = isDetailShown(screen) ? id : undefined;
		const attendedUntil = attendedUntilNow();
		const isSameDetail = detailId === earlierDetail;
		if (isSameDetail && !isWorthReporting(attendedUntil, rest.attendedUntil, clock.now())) return;
		const detail = detailId === undefined ? {} : { detailId, restingSince: since };
		reportAttention({ ...rest, attendedUntil, ...detail });
		if (!isSameDetail) history.show(detailId);
	}

	const close = screenAndTerminal.subscribe(update);
	update();

	return {
		onKey() {
			lastKeyAt = clock.now();
			update();
		},
		onShown(visibleRows: VisibleRows, visible: readonly GlobalId[]) {
			rowIds = visibleRows.ids;
			reportAttention({ ...attention, visibleIds: new Set(visible) });
			const isWatched = clock.now() < attendedUntilNow();
			screenStore.setState(screen => {
				const kept = isWatched ? screen : withTopKept(screen, visibleRows);
				return withCursorFollowing(kept, visibleRows);
			}, true);
			update();
		},
		close,
	};
}

/** The time until which a person counts as watching. Keys count only where the terminal does not report its focus. */
export function attendedUntilOf(
	{ reportsFocus, isFocused }: Pick<TerminalState, 'reportsFocus' | 'isFocused'>,
	lastKeyAt: number,
): number {
	if (!reportsFocus) return lastKeyAt + unattendedAfterMs;
	return isFocused ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}

// A key is reported to the watch at most this often, because each report makes a new plan.
const minReportDistanceMs = 30_000;

export const isWorthReporting = (attendedUntil: number, reportedUntil: number, now: number) =>
	attendedUntil !== reportedUntil &&
	(now >= reportedUntil || Math.abs(attendedUntil - reportedUntil) >= minReportDistanceMs);

type HistoryLoaderDeps = {
	clock: Clock;
	loadHistory: (id: GlobalId) => void;
};

/** The time for which the cursor must rest on a computer before its history is loaded. */
const cursorRestMs = 300;

export function createHistoryLoader({ clock, loadHistory }: HistoryLoaderDeps) {
	let requestedId: GlobalId | undefined;
	let cancelLoad: (() => void) | undefined;

	return {
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
