import type { MapField } from '../screen/map-look.ts';
import type { OpenedAccount } from '../store/opened-accounts.ts';
import { createRowsSelector } from '../store/selectors.ts';
import type { ComputerState } from '../store/state.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import { summarizeMap } from '../views/fleet/map.ts';

/** The groupings that `list` offers. The plan is not among them, because `list` does not read the subscription. */
export const listGroupings = [
	'location',
	'status',
	'version',
	'account',
] as const satisfies readonly MapField[];

/** Returns the grouping that an option names; undefined without the option. */
export function groupingFrom(option: string | undefined): MapField | undefined {
	return listGroupings.find(each => each === option);
}

//  ap-south    6  2 stopped, 4 active
//  eu-north    7  1 error, 6 active

/** Writes a line for each group with its computers by status. The map of the monitor shows the same. */
export function plainGroupLines(
	accounts: readonly OpenedAccount[],
	computers: ReadonlySet<ComputerState>,
	grouping: MapField,
	now: number,
): readonly string[] {
	const allRows = accounts.flatMap(({ profile, state }) =>
		createRowsSelector(profile.account)(state),
	);
	const rows = allRows.filter(({ computer }) => computers.has(computer));
	const look = { grouping, colouring: 'status' as const };
	const groups = summarizeMap(accounts, allRows, rows, look, now);
	const labelWidth = Math.max(0, ...groups.map(({ label }) => label.length));
	return groups.map(({ label, total, levels }) => {
		const count = String(total).padStart(6);
		return cleanForTerminal(`${label.padEnd(labelWidth)}${count}  ${levels.join(', ')}`);
	});
}
