import { widthOf } from '../drawing/span.ts';
import { createTheme, type Theme } from '../drawing/theme.ts';
import { sortComputers } from '../fleet/computers/ordering.ts';
import type { Host } from '../session/host.ts';
import type { AccountSession } from '../session/session.ts';
import { exitCodes } from '../shell/command.ts';
import { errorFromFailure, errorText } from '../shell/errors.ts';
import { createRowsSelector } from '../store/selectors.ts';
import { type AccountState, type ComputerState, emptyAccount } from '../store/state.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import { cannotReadText } from '../wording/phrases/trouble-text.ts';
import { type CellContext, cellContextOf } from '../wording/table/cell-context.ts';
import {
	columnsNamed,
	columnsThatFit,
	joinedCells,
	rowCells,
	titleCells,
} from '../wording/table/fleet-table-text.ts';
import { unreadableText } from '../wording/table/table-rules.ts';
import { defaultWidth, outputWidth } from './plain-sections.ts';

// Output to a pipe has no cut cells. Cells are padded to at most this width, so that a very long name
// shifts only the rest of its own line.
const maxCellWidth = 40;

/** Prints the table of computers once, for a pipe or for a terminal that cannot show the monitor. */
export async function printFleetOnce(host: Host, session: AccountSession, hasUnicode: boolean) {
	const { stdout, stderr } = host.program;
	const account = await accountAfterListRead(session);
	const failing = account.reads.list?.failing;
	if (failing) {
		const error = errorFromFailure(cannotReadText('list'), failing.failure);
		stderr.write(errorText(error, false));
		return error.code;
	}
	stderr.write(unreadableLine(account));
	const computers = account.computers.values();
	const outputForm = { hasUnicode, width: outputWidth(stdout) };
	for (const line of plainTableLines([{ account, computers }], host.clock.now(), outputForm)) {
		stdout.write(`${line}\n`);
	}
	return exitCodes.done;
}

/**
 * Returns a line that says how many records of the list could not be read, or an empty string if all could.
 */
export function unreadableLine({ unreadableCount }: AccountState, accountName?: string): string {
	if (unreadableCount === 0) return '';
	const unreadableNote = `${unreadableText(unreadableCount)} and ${unreadableCount === 1 ? 'is' : 'are'} not listed`;
	const subject = accountName === undefined ? '' : `${accountName}: `;
	return `crowsnest: ${subject}${unreadableNote}. Run \`crowsnest doctor\` to see why.\n`;
}

function accountAfterListRead({
	store,
	watch,
	account: name,
}: AccountSession): Promise<AccountState> {
	watch.start();
	return new Promise(resolve => {
		const check = () => {
			const account = store.getState().accounts.get(name) ?? emptyAccount;
			const { answer, failing } = account.reads.list ?? {};
			if (!answer && !failing) return;
			end();
			watch.stop();
			resolve(account);
		};
		const end = store.subscribe(check);
		check();
	});
}

/** Creates the context for cells that are printed without colours. */
export function plainContext(account: AccountState, now: number, hasUnicode: boolean): CellContext {
	const theme = plainTheme(hasUnicode);
	const waitingFor = () => undefined;
	return cellContextOf({ account, operationsState: { isReadOnly: true }, waitingFor, now, theme });
}

/** Computers of one account, as lines of a table. */
type ListedAccount = {
	account: AccountState;
	computers: Iterable<ComputerState>;
	/** The cell of the column ACCOUNT, if the table has one. */
	accountCell?: string;
};

/** The title and the width of the column ACCOUNT, both empty if the table has no such column. */
type TableForm = { hasUnicode: boolean; width: number; accountTitle?: string };

/**
 * Formats computers as a table: one account after the other, and ordered by name. Cells are cut only if the output
 * is a terminal, which has a finite width.
 */
export function plainTableLines(
	listed: readonly ListedAccount[],
	now: number,
	{ hasUnicode, width, accountTitle = '' }: TableForm,
): readonly string[] {
	const shown = columnsNamed(undefined).filter(({ isMonitorOnly }) => !isMonitorOnly);
	const placed = columnsThatFit(Math.min(width, defaultWidth) - accountTitle.length, shown);
	const theme = plainTheme(hasUnicode);
	const table = [
		{ accountCell: accountTitle, cells: titleCells(placed, undefined, theme) },
		...listed.flatMap(({ account, computers, accountCell = '' }) => {
			const context = plainContext(account, now, hasUnicode);
			const rowOf = new Map(createRowsSelector('')(account).map(row => [row.computer, row]));
			return sortComputers(computers, { by: 'name', isReversed: false }, now)
				.flatMap(computer => rowOf.get(computer) ?? [])
				.map(row => ({ accountCell, cells: rowCells(row, placed, context) }));
		}),
	];
	const isCut = Number.isFinite(width);
	const widened = placed.map(({ column, gap, width: minWidth }, at) => ({
		column,
		gap,
		width: table.reduce(
			(most, { cells }) => Math.max(most, Math.min(widthOf(cells[at] ?? [], theme), maxCellWidth)),
			minWidth,
		),
	}));
	return table.map(({ accountCell, cells }) => {
		const spans = joinedCells(cells, isCut ? placed : widened, theme, isCut);
		const text = spans.map(([part]) => part).join('');
		return cleanForTerminal(accountCell + text).trimEnd();
	});
}

function plainTheme(hasUnicode: boolean): Theme {
	return createTheme({ colourBits: 0, background: 'dark', hasUnicode });
}
