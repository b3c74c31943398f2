import { type RefObject, useState } from 'react';
import type { GlobalId } from '../fleet/computers/global-id.ts';
import type { Ticker } from '../foundation/clock.ts';
import type { Intent, KeyContext } from '../keys/binding.ts';
import type { Dispatcher } from '../keys/dispatcher.ts';
import { useLatest } from '../keys/latest-value.ts';
import { keyContextOf, openDialogOf } from '../keys/open-dialog.ts';
import { maxScrollOf } from '../lines/window.ts';
import type { Move } from '../screen/move.ts';
import type { Screen } from '../screen/screen.ts';
import type { TypedLine } from '../screen/typed-line.ts';
import { withMoveInMap } from './fleet/map-moves.ts';
import type { VisibleRows } from './fleet/rows.ts';
import { layoutFor } from './layout.ts';
import type { MonitorData, ScreenAndTerminal, Store } from './monitor-data.ts';
import { openText } from './open-text.ts';
import type { createSceneReader } from './read-scene.ts';

/** What the next key or click reads the state with. */
type Drawn = {
	monitorData: Store<MonitorData>;
	screenAndTerminal: Store<ScreenAndTerminal>;
	clock: Ticker;
	dispatcher: Dispatcher;
	onIntent: (intent: Intent, shown: VisibleRows) => void;
	readScene: ReturnType<typeof createSceneReader>;
	size: { columns: number; rows: number };
	/** When the last key was pressed. */
	lastKeyAt: RefObject<number>;
};

/** What keys and clicks use. All are functions, and not values, because the previous event may have changed the state. */
export type InputHandlers = {
	getContext: () => KeyContext;
	getScreen: () => Screen;
	getRowIds: () => readonly GlobalId[];
	/** Acts as if this key were pressed now. */
	press: (key: string) => void;
	perform: (intent: Intent) => void;
};

/**
 * Returns what keys and clicks do. The functions stay the same from frame to frame, so that a frame draws neither the
 * keyboard nor the pointer again.
 */
export function useInputHandlers(drawn: Drawn): InputHandlers {
	const latest = useLatest(drawn);
	const [handlers] = useState(() => createHandlers(latest));
	return handlers;
}

function createHandlers(latest: Readonly<RefObject<Drawn>>): InputHandlers {
	const getScreen = () => latest.current.screenAndTerminal.getState().screen;
	const getContext = () => {
		const { size, monitorData } = latest.current;
		if (layoutFor(size.columns, size.rows).isTooSmall) return 'tooSmall';
		const screen = getScreen();
		return keyContextOf(openDialogOf(screen, monitorData.getState()), screen);
	};
	const perform = (intent: Intent) => {
		const { lastKeyAt, clock, onIntent } = latest.current;
		lastKeyAt.current = clock.now();
		onIntent(intent, readVisibleRows(latest.current));
	};
	return {
		getContext,
		getScreen,
		getRowIds: () => readVisibleRows(latest.current).ids,
		press(key) {
			const intent = latest.current.dispatcher(key, getContext());
			if (intent) perform(intent);
		},
		perform,
	};
}

/**
 * Returns the rows of the current state, which the last frame may not show yet. When several keys arrive together,
 * each acts on the result of the previous key, and on the rows in the order in which the person saw them.
 */
function readVisibleRows({ readScene, monitorData, screenAndTerminal, clock, size }: Drawn) {
	const now = clock.now();
	const sceneOf = (state: ScreenAndTerminal) =>
		readScene({ ...state, ...size, data: monitorData.getState(), now, lastKeyAt: now });
	const state = screenAndTerminal.getState();
	const scene = sceneOf(state);
	const { shown, layout } = scene;
	if (layout.isTooSmall) return shown;
	return {
		...shown,
		filterCompletions: (line: TypedLine) =>
			(openText(scene)?.filterCompletions ?? shown.filterCompletions)(line),
		idsFor: (screen: Screen) => sceneOf({ ...state, screen }).shown.ids,
		moveInMap: (screen: Screen, move: Move) => withMoveInMap(screen, move, scene),
		maxScroll: () => maxScrollOf(openText(scene)?.lines ?? [], scene.height - 1),
		choiceList: () => openText(scene)?.choiceList,
	};
}
