import { stripVTControlCharacters } from 'node:util';
import type { Layout } from '../../drawing/layout.ts';
import { paintSpans } from '../../drawing/span.ts';
import type { OperationsState } from '../../operations/operations-state.ts';
import type { WaitReasonOf } from '../../operations/waiting.ts';
import type { Screen } from '../../screen/screen.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { cellContextsOf } from '../table/cell-context.ts';
import { tableWidth } from '../table/detail-placement.ts';
import { joinedCells, placedColumns, rowCells, titleCells } from '../table/fleet-table-text.ts';
import { type CountsOptions, countsLine } from './counts-line.ts';
import { type TitleOptions, titleLine } from './title-line.ts';
import { viewRule } from './view-rule.ts';

type PictureOptions = TitleOptions &
	CountsOptions & {
		accounts: readonly OpenedAccount[];
		screen: Screen;
		/** The rows at the top of the table. */
		rows: readonly FleetRow[];
		/** The number of rows that match the filter. */
		matchCount: number;
		layout: Extract<Layout, { isTooSmall: false }>;
		operationsState: Pick<OperationsState, 'isReadOnly'>;
		waitingFor: WaitReasonOf;
	};

/**
 * Returns the header and the rows at the top of the table as plain text, for the picture that the next start shows first.
 * It says of when it is. It has no cursor and no keys, because it answers none. It also leaves out the details, whose
 * addresses can contain secrets.
 */
export function pictureLines(options: PictureOptions): readonly string[] {
	const { accounts, screen, rows, matchCount, counts, layout, now, theme } = options;
	const { columns } = layout;
	// A start has not signed in yet, so its title does not name the user.
	const { signIn: _, ...account } = options.account;
	const several = accounts.length > 1;
	const ordering = screen.orderings.fleet;
	const width = tableWidth(screen, columns, accounts.length);
	const placed = placedColumns(width, screen.columns, several, ordering.by);
	const contextOf = cellContextsOf(options);
	const rule = viewRule({
		...{ screen, matchCount, computerCount: counts.total, width: columns, theme },
	});
	const lines = [
		titleLine({ ...options, account }).text,
		...(layout.hasCounts ? [countsLine({ ...options, asOf: now }).text] : []),
		...(layout.hasRuleAbove ? [rule] : []),
		...[titleCells(placed, ordering, theme), ...rows.map(cellsOf)].map(
			cells => `   ${paintSpans(joinedCells(cells, placed, theme), theme)}`,
		),
	];
	return lines.map(line => stripVTControlCharacters(line).trimEnd());

	function cellsOf(row: FleetRow) {
		return rowCells(row, placed, contextOf(row));
	}
}
