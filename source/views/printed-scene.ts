import { initialOperationsState } from '../operations/operations.ts';
import {
	createJointRunwaySelector,
	type Happenings,
	happeningsIn,
	oldestAnswering,
} from '../store/opened-accounts.ts';
import { createCountsSelector, type FleetRow } from '../store/selectors.ts';
import { layoutFor } from './layout.ts';
import type { VisibleRows } from './look/cursor.ts';
import { initialScreen } from './look/screen.ts';
import type { Scene } from './scene.ts';

const noRows: VisibleRows = {
	allRows: [],
	orderedRows: [],
	rows: [],
	ids: [],
	keptIds: new Set(),
	filterCompletions: () => ({ from: 0, to: 0, completions: [] }),
	maxRows: 0,
	maxScroll: () => 0,
	orderableFields: [],
};

type Known = 'accounts' | 'now' | 'theme' | 'width';

const nothingShown: Omit<Scene, Known | 'account' | keyof Happenings | 'runway' | 'times'> = {
	profiles: [],
	badge: undefined,
	addressesOf: () => ({ publicAddress: () => '', shareAddress: () => '' }),
	replay: undefined,
	operationsState: { ...initialOperationsState, isReadOnly: true },
	waitingFor: () => undefined,
	canSignIn: false,
	isPasswordWanted: false,
	canChange: false,
	screen: initialScreen(),
	shown: noRows,
	firstRow: 0,
	counts: createCountsSelector()([]),
	statusAges: undefined,
	actions: [],
	exitSummary: () => ({ sent: [], running: [], unknown: [], dropped: [] }),
	place: 'fleet',
	dialog: undefined,
	height: Number.POSITIVE_INFINITY,
	layout: layoutFor(0, 0),
	hasUnicode: false,
	hasColours: false,
	isLowBandwidth: false,
};

export const sceneOfRows = (scene: Scene, rows: readonly FleetRow[]): Scene => ({
	...scene,
	shown: { ...noRows, allRows: rows, rows, ids: rows.map(({ id }) => id) },
});

/** A command prints for nobody who moves a cursor or presses a key. */
export const printedScene = (known: Pick<Scene, Known>): Scene => ({
	...nothingShown,
	...known,
	account: oldestAnswering(known.accounts),
	...happeningsIn(known.accounts),
	runway: createJointRunwaySelector(0)(known.accounts),
	times: known.theme.times,
});
