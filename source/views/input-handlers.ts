import { type RefObject, useState } from 'react';
import type { GlobalId } from '../fleet/computers/global-id.ts';
import type { Ticker } from '../foundation/clock.ts';
import { maxScrollOf } from '../lines/window.ts';
import type { TerminalInput } from '../terminal/process/streams.ts';
import { type Dispatcher, effectOfKey, effectOfPaste } from './actions/dispatcher.ts';
import type { Place } from './actions/places.ts';
import { openDialogOf, placeOf } from './dialogs/dialog-table.ts';
import { mapCells } from './fleet/map.ts';
import type { VisibleRows } from './fleet/rows.ts';
import { useLatest } from './latest-value.ts';
import { layoutFor } from './layout.ts';
import type { Screen } from './look/screen.ts';
import type { TypedLine } from './look/typed-line.ts';
import type { MonitorData, ScreenAndTerminal, Store } from './monitor-data.ts';
import { openText } from './open-text.ts';
import type { createSceneReader } from './read-scene.ts';
import type { Effect } from './scene.ts';

type Drawn = {
	monitorData: Store<MonitorData>;
	screenAndTerminal: Store<ScreenAndTerminal>;
	clock: Ticker;
	dispatcher: Dispatcher;
	runAction: (effect: Effect, key: string, shown: VisibleRows) => void;
	readScene: ReturnType<typeof createSceneReader>;
	size: { columns: number; rows: number };
	lastKeyAt: RefObject<number>;
};

/** All are functions, and not values, because the previous event may have changed the state. */
export type InputHandlers = {
	getPlace: () => Place;
	getScreen: () => Screen;
	getRowIds: () => readonly GlobalId[];
	press: (key: string) => void;
	/** The only place where keys and pastes arrive. */
	receive: (input: TerminalInput) => void;
	perform: (effect: Effect) => void;
};

/** The functions stay the same from frame to frame, so that a frame does not draw the pointer again. */
export function useInputHandlers(drawn: Drawn): InputHandlers {
	const latest = useLatest(drawn);
	const [handlers] = useState(() => createHandlers(latest));
	return handlers;
}

function createHandlers(latest: Readonly<RefObject<Drawn>>): InputHandlers {
	const getScreen = () => latest.current.screenAndTerminal.getState().screen;
	const getPlace = () => {
		const { size, monitorData } = latest.current;
		if (layoutFor(size.columns, size.rows).isTooSmall) return 'tooSmall';
		const screen = getScreen();
		return placeOf(openDialogOf(screen, monitorData.getState()), screen);
	};
	const perform = (effect: Effect | undefined, key = '') => {
		if (!effect) return;
		const { lastKeyAt, clock, runAction } = latest.current;
		lastKeyAt.current = clock.now();
		runAction(effect, key, readVisibleRows(latest.current));
	};
	const press = (key: string) =>
		perform(effectOfKey(latest.current.dispatcher, key, getPlace()), key);
	return {
		getPlace,
		getScreen,
		getRowIds: () => readVisibleRows(latest.current).ids,
		press,
		receive(input) {
			if ('key' in input) press(input.key);
			else perform(effectOfPaste(input.paste, getPlace()));
		},
		perform,
	};
}

/** When several keys arrive together, each acts on the result of the one before, in the order that the person saw. */
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
		mapCells: (screen: Screen) => mapCells({ ...scene, screen }),
		maxScroll: () => maxScrollOf(openText(scene)?.lines ?? [], scene.height - 1),
		choiceList: () => openText(scene)?.choiceList,
	};
}
