import { isDeepStrictEqual } from 'node:util';
import type { StoreApi } from 'zustand/vanilla';
import { type GlobalId, idsWithin, splitGlobalId } from '../fleet/computers/global-id.ts';
import type { Clock } from '../foundation/clock.ts';
import type { SessionTable } from '../session/session-table.ts';
import type { TerminalState } from '../terminal/features/environment.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { rowUnderCursor, withCursorFollowing, withTopKept } from '../views/look/cursor.ts';
import type { Screen } from '../views/look/screen.ts';
import type { Scene } from '../views/scene.ts';
import type { Attention } from '../watch/plan.ts';
import { unattendedAfterMs } from '../watch/plan.ts';

type AttentionDeps = {
	sessions: Pick<SessionTable, 'all'>;
	screenStore: StoreApi<Screen>;
	terminal: Pick<Terminal, 'state'>;
	clock: Clock;
};

type ShownScene = Pick<Scene, 'screen' | 'shown'>;

/** The history of a computer is loaded when its details have been open for this time. */
const cursorRestMs = 300;

export function createAttention({ sessions, screenStore, terminal, clock }: AttentionDeps) {
	const reported = new WeakMap<object, Attention>();
	let lastKeyAt = clock.now();
	let shown: ShownScene | undefined;
	let visibleIds: readonly GlobalId[] = [];
	let hasDetail = false;
	let cursor: { id: GlobalId | undefined; since: number } = { id: undefined, since: 0 };
	let shownDetail: GlobalId | undefined;
	let cancelLoad = () => {};
	const attendedUntilNow = () => attendedUntilOf(terminal.state(), lastKeyAt);

	function loadHistory(globalId: GlobalId) {
		const { account, id } = splitGlobalId(globalId);
		const session = sessions.all().find(each => each.account === account);
		session?.journal?.loadHistory(id);
	}

	function update() {
		const id = shown && rowUnderCursor(shown)?.id;
		// The details of the first computer are read at once.
		if (id !== cursor.id) cursor = { id, since: cursor.id === undefined ? 0 : clock.now() };
		const detail = hasDetail ? id : undefined;
		if (detail !== shownDetail) {
			cancelLoad();
			cancelLoad = detail ? clock.after(cursorRestMs, () => loadHistory(detail)) : () => {};
		}
		shownDetail = detail;
		for (const { account, watch, profile } of sessions.all()) {
			const [detailId] = detail === undefined ? [] : idsWithin(account, [detail]);
			const attention: Attention = {
				attendedUntil: attendedUntilNow(),
				visibleIds: idsWithin(account, visibleIds),
				views: [screenStore.getState().view],
				detailId,
				restingSince: detailId === undefined ? undefined : cursor.since,
				isReadOnly: profile.isReadOnly,
			};
			if (isDeepStrictEqual(reported.get(watch), attention)) continue;
			reported.set(watch, attention);
			watch.setAttention(attention);
		}
	}

	update();

	return {
		onKey() {
			lastKeyAt = clock.now();
			update();
		},
		onShown(scene: ShownScene, visible: readonly GlobalId[], isDetailShown: boolean) {
			shown = scene;
			visibleIds = visible;
			hasDetail = isDetailShown;
			const isWatched = clock.now() < attendedUntilNow();
			screenStore.setState(screen => {
				const kept = isWatched ? screen : withTopKept(screen, scene.shown);
				// Who comes back from the past finds the cursor on the same computer, also if it did not exist then.
				const isTableOfPast = scene.screen.pastAt !== undefined && !scene.screen.isDetailOpen;
				return isTableOfPast ? kept : withCursorFollowing(kept, scene.shown);
			}, true);
			update();
		},
		close: () => cancelLoad(),
	};
}

/** A report makes a watch plan again, so that keys are reported at most twice a minute. */
const reportEveryMs = 30_000;

/** The largest time of a `Date`: other processes get it as JSON, which has no `Infinity`. */
const endOfTime = 8.64e15;

/** Keys count only where the terminal does not report its focus. */
export function attendedUntilOf(
	{ reportsFocus, isFocused }: Pick<TerminalState, 'reportsFocus' | 'isFocused'>,
	lastKeyAt: number,
): number {
	if (reportsFocus) return isFocused ? endOfTime : 0;
	return Math.ceil(lastKeyAt / reportEveryMs) * reportEveryMs + unattendedAfterMs;
}
