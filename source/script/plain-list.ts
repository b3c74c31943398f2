import { widthOf } from '../drawing/span.ts';
import { createTheme } from '../drawing/theme.ts';
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
	for (const line of plainTableLines(account, computers, host.clock.now(), outputForm)) {
		stdout.write(`${line}\n`);
	}
	return exitCodes.done;
}

/**
 * Returns a line that says how many records of the list could not be read, or an empty string if all could.
 */
export function unreadableLine({ unreadableCount }: AccountState): string {
	if (unreadableCount === 0) return '';
	const unreadableNote = `${unreadableText(unreadableCount)} and ${unreadableCount === 1 ? 'is' : 'are'} not listed`;
	return `crowsnest: ${unreadableNote}. Run \`crowsnest doctor\` to see why.\n`;
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
	const theme = createTheme({ colourBits: 0, background: 'dark', hasUnicode });
	const waitingFor = () => undefined;
	return cellContextOf({ account, operationsState: { isReadOnly: true }, waitingFor, now, theme });
}

/**
 * Formats these computers as a table, ordered by name. Cells are cut only if the output is a terminal,
 * which has a finite width.
 */
export function plainTableLines(
	account: AccountState,
	computers: Iterable<ComputerState>,
	now: number,
	{ hasUnicode, width }: { hasUnicode: boolean; width: number },
): readonly string[] {
	const context = plainContext(account, now, hasUnicode);
	const { theme } = context;
	const rowOf = new Map(createRowsSelector()(account).map(row => [row.computer, row]));
	const ordered = sortComputers(computers, { by: 'name', isReversed: false }, now);
	const shown = columnsNamed(undefined).filter(({ name }) => name !== 'seen');
	const placed = columnsThatFit(Math.min(width, defaultWidth), shown);
	const rows = ordered.flatMap(computer => rowOf.get(computer) ?? []);
	const table = [
		titleCells(placed, undefined, theme),
		...rows.map(row => rowCells(row, placed, context)),
	];
	const isCut = Number.isFinite(width);
	const widened = placed.map(({ column, width: cells }, at) => ({
		column,
		width: table.reduce(
			(most, row) => Math.max(most, Math.min(widthOf(row[at] ?? [], theme), maxCellWidth)),
			cells,
		),
	}));
	return table.map(cells => {
		const spans = joinedCells(cells, isCut ? placed : widened, theme, isCut);
		return cleanForTerminal(spans.map(([text]) => text).join('')).trimEnd();
	});
}
