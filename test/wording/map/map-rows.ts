import { layoutFor } from '../../../source/drawing/layout.ts';
import type { Reading } from '../../../source/fleet/computers/computer.ts';
import { initialScreen, type Screen } from '../../../source/screen/screen.ts';
import { initialOrderings } from '../../../source/screen/view-table.ts';
import { emptyAccount } from '../../../source/store/state.ts';
import { createStore } from '../../../source/store/store.ts';
import { createVisibleRows } from '../../../source/wording/table/visible-rows.ts';
import { onlyAccount, testAccount } from '../../opened-account.ts';

export const noon = Date.UTC(2026, 10, 21, 12);

const locations = ['ap-south', 'eu-north', 'us-east'];

/** Returns computers `c-0`, `c-1` … that are divided among three locations. */
export const fleetOf = (count: number): readonly Reading[] =>
	Array.from({ length: count }, (_, index) => ({
		id: `sb_${index}`,
		name: `c-${index}`,
		status: index % 5 === 4 ? 'stopped' : 'active',
		location: locations[index % 3] ?? '',
		version: index % 7 === 0 ? '1.3.9' : '1.4.2',
		cpu: index % 100,
	}));

/** Creates a fleet that can read another list, and that returns the values from which the map is drawn. */
export function createFleet(first: readonly Reading[]) {
	const store = createStore();
	const visibleRows = createVisibleRows();
	let now = noon;
	const read = (computers: readonly Reading[]) => {
		store.fold({ account: testAccount, at: now, type: 'listRead', computers });
	};
	read(first);
	return {
		read,
		pass(milliseconds: number) {
			now += milliseconds;
		},
		/** Returns the inputs of the map in a terminal of this size. */
		inputs(change: Partial<Screen> = {}, columns = 100, rows = 30) {
			const accounts = onlyAccount(store.getState().accounts.get(testAccount) ?? emptyAccount);
			const byName = { by: 'name', isReversed: false } as const;
			const orderings = { ...initialOrderings, fleet: byName };
			const screen = { ...initialScreen(), orderings, ...change };
			const layout = layoutFor(columns, rows);
			const shown = visibleRows({ accounts, screen, layout, now });
			return { accounts, screen, shown, now, width: columns, lines: rows };
		},
	};
}
