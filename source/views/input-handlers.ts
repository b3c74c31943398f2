import { type RefObject, useState } from 'react';
import type { GlobalId } from '../fleet/computers/global-id.ts';
import type { Ticker } from '../foundation/clock.ts';
import type { Intent, KeyContext } from '../keys/binding.ts';
import type { Dispatcher } from '../keys/dispatcher.ts';
import { useLatest } from '../keys/latest-value.ts';
import { keyContextOf, openDialogOf } from '../keys/open-dialog.ts';
import type { Theme } from '../lines/theme.ts';
import type { Screen } from '../screen/screen.ts';
import { mapSizeOf } from '../wording/map/fleet-map.ts';
import type { VisibleRows } from '../wording/table/visible-rows.ts';
import { maxTextScroll, openText } from '../wording/views/open-text.ts';
import type { AddressesOf } from '../wording/views/ports-table.ts';
import type { Selectors } from './app-selectors.ts';
import type { Layout } from './layout.ts';
import type { MonitorData, ScreenAndTerminal, Store } from './monitor-data.ts';

/** What the last frame was drawn from, as far as the next key or click needs it. */
type Drawn = {
	monitorData: Store<MonitorData>;
	screenAndTerminal: Store<ScreenAndTerminal>;
	clock: Ticker;
	addressesOf: AddressesOf;
	dispatcher: Dispatcher;
	onIntent: (intent: Intent, shown: VisibleRows) => void;
	selectors: Selectors;
	layout: Layout;
	theme: Theme;
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
		const { layout, monitorData } = latest.current;
		if (layout.isTooSmall) return 'tooSmall';
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
 * each acts on the result of the previous key.
 */
function readVisibleRows({
	monitorData,
	screenAndTerminal,
	clock,
	addressesOf,
	selectors,
	layout,
	theme,
}: Drawn): VisibleRows {
	const { screen } = screenAndTerminal.getState();
	const data = monitorData.getState();
	const { operations, waitReasonsAt, estimateTimeLeft, bindings } = data;
	const accounts = selectors.accountsOf(data.accounts, data.profiles);
	const now = clock.now();
	// A key acts on the rows in the order in which the person saw them.
	const rowsOf = (screen: Screen) =>
		selectors.visibleRows({ accounts, screen, layout, isOrderHeld: true, now });
	const shown = rowsOf(screen);
	if (layout.isTooSmall) return shown;
	const drawnNow = { accounts, screen, shown, now, theme };
	const textOptions = () => ({
		...drawnNow,
		bindings,
		addressesOf,
		account: selectors.jointAccount(accounts),
		viewSelectors: selectors.viewSelectors,
		runway: selectors.runwayOf(accounts),
		operationsState: operations,
		waitingFor: waitReasonsAt(now),
		estimateTimeLeft: (batch: string) => estimateTimeLeft(batch, now),
		width: layout.columns,
		lines: layout.tableRowCount + 1,
	});
	const { fleetMap } = selectors.viewSelectors;
	return {
		...shown,
		filterCompletions: line =>
			(openText(textOptions())?.filterCompletions ?? shown.filterCompletions)(line),
		idsFor: changed => rowsOf(changed).ids,
		cellMap: () => fleetMap.cellMapOf({ ...drawnNow, ...mapSizeOf(layout) }),
		maxScroll: () => maxTextScroll(textOptions()),
		choiceList: () => openText(textOptions())?.choiceList,
	};
}
