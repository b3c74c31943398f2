import { type Ordering, sortComputers } from '../fleet/computers/fields.ts';
import type { Line } from '../lines/line.ts';
import { placedColumns, type Column as TableColumn, table } from '../lines/table.ts';
import { createRowMaker, type FleetRow, troubleOrderOf } from '../store/selectors.ts';
import type { AccountState, ComputerState } from '../store/state.ts';
import { type Column, columnsNamed, widthsOf } from '../views/fleet/columns.ts';
import { cutListText, repeatedText, unreadableText } from '../views/frame/rules.ts';
import { sceneOfRows } from '../views/read-scene.ts';
import type { Fleet } from './fleet.ts';
import { type Printer, sceneOf } from './print.ts';

// NAME      STATUS    STAGE                       CPU  MEM  VERSION
// atlas     ● Active                              36%  60%  1.4.2
// draco     ✖ Error   image pull failed: disk               1.4.2       a long reason goes on in the next line
//                     quota exceeded

export type Listed = { fleet: Fleet; computers: readonly ComputerState[] };

type ListedRow = { row: FleetRow; fleet: Fleet };

/** Without an order, by account and name. */
export function orderedRows(
	all: readonly Listed[],
	ordering: Ordering | undefined,
	now: number,
): readonly ListedRow[] {
	const rows = all.flatMap(({ fleet, computers }, at) => {
		const rowOf = createRowMaker(fleet.session.account, fleet.accountNow());
		const place = String(at).padStart(6, '0');
		return computers.map(computer => ({ row: rowOf(computer), fleet, place }));
	});
	return sortComputers(rows, ordering ?? { by: 'account', isReversed: false }, now, {
		computerOf: ({ row }) => row.computer,
		accountOf: ({ place }) => place,
		troubleOrderOf: ({ row }) => troubleOrderOf(row),
	});
}

const listColumns = columnsNamed(undefined).filter(({ needsHistory }) => !needsHistory);

/** A list whose columns are not named finds room for them in this width. */
const usualWidth = 120;

/** As in the monitor; in a pipe, all that a person names have room. */
export function columnsIn(width: number, columns: readonly Column[] = listColumns) {
	const room = columns === listColumns ? Math.min(width, usualWidth) : width;
	return placedColumns(columns, room, widthsOf);
}

/** A reason may take this number of lines of a terminal. `crowsnest show` prints all of it. */
const maxLines = 4;

/** The first line has the titles. `accountWidth` is 0 for one account. */
export function listTable(
	rows: readonly ListedRow[],
	chosen: readonly Column[] | undefined,
	accountWidth: number,
	printer: Printer,
): readonly Line[] {
	const { width } = printer;
	const scene = sceneOfRows(
		sceneOf([...new Set(rows.map(({ fleet }) => fleet))], printer),
		rows.map(({ row }) => row),
	);
	const accounts: TableColumn<ListedRow> = {
		title: 'ACCOUNT',
		cell: ({ fleet }) => [[fleet.shortName.padEnd(accountWidth)]],
	};
	const columns = columnsIn(width - accountWidth, chosen).map(
		({ column, cells: min }): TableColumn<ListedRow> => ({
			title: column.title,
			min,
			align: column.align,
			maxLines: column.flows ? maxLines : 1,
			cell: ({ row }, cells) => column.cell(row, scene, column.flows ? Infinity : cells),
		}),
	);
	return table(accountWidth > 0 ? [accounts, ...columns] : columns, rows, width, () => ({}));
}

export function unreadableLine(
	{ listNotes: { unreadable = 0, repeated = 0, isCut } }: AccountState,
	accountName?: string,
): string {
	const subject = accountName === undefined ? '' : `${accountName}: `;
	const unlisted = (count: number) => `and ${count === 1 ? 'is' : 'are'} not listed`;
	const notes = [
		unreadable > 0 &&
			`${unreadableText(unreadable)} ${unlisted(unreadable)}. Run \`crowsnest doctor\` to see why.`,
		repeated > 0 && `${repeatedText(repeated)} ${unlisted(repeated)}`,
		isCut && cutListText,
	];
	return notes.map(note => (note ? `crowsnest: ${subject}${note}\n` : '')).join('');
}
