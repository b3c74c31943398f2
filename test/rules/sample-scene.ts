import { createOperationsState } from '../../source/operations/operations-state.ts';
import { createJointAccountSelector } from '../../source/store/joint-account.ts';
import { createCountsSelector } from '../../source/store/selectors.ts';
import { type AccountState, emptyAccount } from '../../source/store/state.ts';
import { actions } from '../../source/views/actions/table.ts';
import { createVisibleRows } from '../../source/views/fleet/rows.ts';
import { layoutFor } from '../../source/views/layout.ts';
import { initialScreen, type Screen } from '../../source/views/look/screen.ts';
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
	const shown = createVisibleRows()({ accounts, screen, layout, isOrderHeld: false, now: at });
	return {
		accounts,
		account: createJointAccountSelector()(accounts),
		profiles: accounts.map(({ profile }) => profile),
		badge: undefined,
		runway: null,
		addressesOf: () => ({ publicAddress: () => '', shareAddress: () => '' }),
		replay: undefined,
		operationsState: createOperationsState().getState(),
		waitingFor: () => undefined,
		exitSummary: () => ({ dropped: [], sent: [], running: [], unknown: [] }),
		canSignIn: true,
		isPasswordWanted: false,
		canChange: true,
		screen,
		shown,
		firstRow: 0,
		counts: createCountsSelector()(shown.allRows),
		statusAges: undefined,
		actions,
		place: 'fleet',
		dialog: undefined,
		width: columns,
		height: layout.tableRowCount + 1,
		layout,
		hasUnicode: true,
		hasColours: theme.hasColours,
		isLowBandwidth: false,
		times: theme.times,
		now: at,
		theme,
		...changes,
	};
}
