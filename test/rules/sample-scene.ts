import { actions } from '../../source/monitor/actions/table.ts';
import { initialOperationsState } from '../../source/operations/operations.ts';
import { countsOf } from '../../source/store/selectors.ts';
import { type AccountState, emptyAccount } from '../../source/store/state.ts';
import { mapOf } from '../../source/views/fleet/map.ts';
import { createVisibleRows } from '../../source/views/fleet/rows.ts';
import { layoutFor } from '../../source/views/layout.ts';
import { initialScreen, type Screen } from '../../source/views/look/screen.ts';
import { openText } from '../../source/views/open-text.ts';
import { printedScene } from '../../source/views/read-scene.ts';
import type { Scene } from '../../source/views/scene.ts';
import { now } from '../arbitraries/values.ts';
import { onlyAccount } from '../opened-account.ts';
import { theme } from '../sample-theme.ts';

/** The scene of a fleet in the monitor, without anything under way, except for the given values. */
export function sampleScene(
	state: AccountState = emptyAccount,
	[columns, rows]: readonly [columns: number, rows: number] = [120, 36],
	changes: Partial<Scene> = {},
): Scene {
	const accounts = onlyAccount(state);
	const screen: Screen = changes.screen ?? initialScreen();
	const layout = layoutFor(columns, rows);
	if (layout.isTooSmall) throw new Error('The screen is too small.');
	const at = changes.now ?? now;
	const rowsShown = createVisibleRows()({ accounts, screen, layout, isOrderHeld: false, now: at });
	const scene: Scene = {
		...printedScene({ accounts, now: at, theme, width: columns }),
		profiles: accounts.map(({ profile }) => profile),
		runway: null,
		operationsState: initialOperationsState,
		canSignIn: true,
		canChange: true,
		screen,
		shown: {
			...rowsShown,
			maxScroll: () => 0,
			choiceList: () => openText(scene)?.choiceList,
			linesFor: () => rowsShown.lines,
			mapCells: other => mapOf({ ...scene, screen: other }).groups.map(({ cells }) => cells),
		},
		counts: countsOf(rowsShown.allRows),
		actions,
		height: layout.tableRowCount + 1,
		layout,
		hasUnicode: true,
		...changes,
	};
	return scene;
}
