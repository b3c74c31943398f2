import type { Ordering } from '../fleet/computers/order-fields.ts';
import type { CommandError } from '../foundation/error.ts';
import { withAsciiSigns } from '../lines/ascii.ts';
import { createTheme, type Theme } from '../lines/theme.ts';
import type { Host } from '../session/host.ts';
import type { AccountSession } from '../session/session.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import { type CellContext, cellContextOf } from '../views/fleet/cell-context.ts';
import { columnsNamed, columnsThatFit } from '../views/fleet/column-widths.ts';
import type { Column } from '../views/fleet/columns.ts';
import { repeatedText, unreadableText } from '../views/frame/rules.ts';
import { cannotReadText } from '../views/phrases/reads.ts';
import { errorFromFailure, errorText } from './command.ts';
import { type ListedAccount, orderedRows } from './list-order.ts';
import { pipeTableLines, type TableRow } from './pipe-table.ts';
import { defaultWidth, outputWidth } from './plain-sections.ts';
import { exitCodeOf } from './read-accounts.ts';
import { terminalTableLines } from './terminal-table.ts';

/**
 * Reads accounts side by side and prints the table of each once, for a pipe or for a terminal that cannot show the monitor.
 * Resolves with the exit code.
 */
export async function printFleetsOnce(
	host: Host,
	sessions: readonly AccountSession[],
	hasUnicode: boolean,
): Promise<number> {
	const { stdout, stderr } = host.program;
	const outputForm = { hasUnicode, width: outputWidth(stdout) };
	const failures: CommandError[] = [];
	const readings = sessions.map(accountAfterListRead);
	for (const [index, { profile }] of sessions.entries()) {
		const name = sessions.length > 1 ? profile.name : undefined;
		const account = (await readings[index]) ?? emptyAccount;
		const failing = account.reads.list?.failing;
		if (failing) {
			const error = errorFromFailure(cannotReadText('list'), failing.failure);
			failures.push(error);
			stderr.write(errorText(error, false, name));
			continue;
		}
		stderr.write(unreadableLine(account, name));
		if (name !== undefined) stdout.write(`${name}:\n`);
		const computers = account.computers.values();
		for (const line of plainTableLines([{ account, computers }], host.clock.now(), outputForm)) {
			stdout.write(`${line}\n`);
		}
	}
	return exitCodeOf(failures, sessions.length - failures.length);
}

/**
 * Returns lines that say how many records of the list could not be read or hid each other; an empty string if all are
 * listed.
 */
export function unreadableLine(
	{ unreadableCount, repeatedCount }: AccountState,
	accountName?: string,
): string {
	const subject = accountName === undefined ? '' : `${accountName}: `;
	const note = (text: string, count: number, advice = '') =>
		count === 0
			? ''
			: `crowsnest: ${subject}${text} and ${count === 1 ? 'is' : 'are'} not listed${advice}\n`;
	const advice = '. Run `crowsnest doctor` to see why.';
	return (
		note(unreadableText(unreadableCount), unreadableCount, advice) +
		note(repeatedText(repeatedCount), repeatedCount)
	);
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
export function plainContext(
	account: AccountState,
	now: number,
	hasUnicode: boolean,
): CellContext & { theme: Theme } {
	const theme = plainTheme(hasUnicode);
	const scene = { now, times: theme.times, waitingFor: () => undefined, canChange: false };
	return { ...cellContextOf(account, scene), hasWholeErrors: true, theme };
}

type TableAccount = ListedAccount & {
	/** The cell of the column ACCOUNT, if the table has one. */
	accountCell?: string;
};

type TableForm = {
	hasUnicode: boolean;
	width: number;
	/** The title of the column ACCOUNT, which is empty if the table has no such column. */
	accountTitle?: string;
	columns?: readonly Column[] | undefined;
	ordering?: Ordering | undefined;
	/** The number of rows to print; absent for all rows. */
	limit?: number | undefined;
};

/** The columns of a list, unless a person names others. */
export const listColumns: readonly Column[] = columnsNamed(undefined).filter(
	({ needsHistory }) => !needsHistory,
);

/** Returns the columns that fit into the width of the output, each with its own width. */
export function placedColumns({ width, accountTitle = '', columns = listColumns }: TableForm) {
	const room = columns === listColumns ? Math.min(width, defaultWidth) : width;
	return columnsThatFit(room - accountTitle.length, columns);
}

/**
 * Formats computers as a table. The rows are in the order of the form, or otherwise by account and name. On a
 * terminal, which has a finite width, cells are cut to their columns, and long reasons go on in the next line.
 */
export function plainTableLines(
	listed: readonly TableAccount[],
	now: number,
	form: TableForm,
): readonly string[] {
	const { hasUnicode, width, accountTitle = '', ordering, limit } = form;
	const theme = plainTheme(hasUnicode);
	const contexts = new Map(
		listed.map(each => [each, plainContext(each.account, now, hasUnicode)] as const),
	);
	const rows: TableRow[] = [];
	for (const { row, listed: account } of orderedRows(listed, ordering, now).slice(0, limit)) {
		const context = contexts.get(account);
		if (context) rows.push({ before: account.accountCell ?? '', row, context });
	}
	const table = { placed: placedColumns(form), titleBefore: accountTitle, theme };
	const lines = Number.isFinite(width)
		? terminalTableLines(rows, { ...table, width })
		: pipeTableLines(rows, table);
	return hasUnicode ? lines : lines.map(withAsciiSigns);
}

function plainTheme(hasUnicode: boolean): Theme {
	return createTheme({ colourBits: 0, background: 'dark', hasUnicode });
}
