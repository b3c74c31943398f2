import { fitted, type Span, widthOf } from '../drawing/span.ts';
import { createTheme } from '../drawing/theme.ts';
import { sortComputers } from '../fleet/ordering.ts';
import type { Host } from '../session/host.ts';
import type { AccountSession } from '../session/session.ts';
import { exitCodes } from '../shell/command.ts';
import { errorFromFailure, errorText } from '../shell/errors.ts';
import { createRowAge } from '../store/age.ts';
import { statusAnswerOf } from '../store/answer-times.ts';
import { createRowsSelector } from '../store/selectors.ts';
import { type AccountState, type ComputerState, emptyAccount } from '../store/state.ts';
import { cleanForTerminal } from '../terminal/escape-sequences.ts';
import type { CellContext } from '../wording/cell-context.ts';
import { columnGap, columnsNamed, columnsThatFit } from '../wording/column-layout.ts';
import { unreadableText } from '../wording/table-rules.ts';
import { cannotReadText } from '../wording/trouble-text.ts';
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
export function unreadableLine({ unreadable }: AccountState): string {
	if (unreadable === 0) return '';
	const unreadableNote = `${unreadableText(unreadable)} and ${unreadable === 1 ? 'is' : 'are'} not listed`;
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
	const ageOf = createRowAge(account, now);
	return {
		now,
		latestVersion: account.release?.version,
		lastReadAtOf: ({ computer }) => statusAnswerOf(account, computer)?.at,
		ageOf: ({ computer }) => ageOf(computer),
		waitingFor: () => undefined,
		canChange: false,
		changes: [],
		theme: createTheme({ colourBits: 0, background: 'dark', hasUnicode }),
	};
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
	const rows = ordered.flatMap(computer => {
		const row = rowOf.get(computer);
		return row
			? [placed.map(({ column, width: cells }) => column.cellSpans(row, cells, context))]
			: [];
	});
	const table = [placed.map(({ column }): readonly Span[] => [[column.title]]), ...rows];
	const sizes = table.map(row => placed.map((_, at) => widthOf(row[at] ?? [], theme)));
	const widths = placed.map(({ width: cells }, at) =>
		sizes.reduce((most, row) => Math.max(most, Math.min(row[at] ?? 0, maxCellWidth)), cells),
	);
	return table.map((row, line) => {
		const cells = placed.map(({ column, width: cells }, at) => {
			const size = sizes[line]?.[at] ?? 0;
			const room = Number.isFinite(width) ? cells : Math.max(widths[at] ?? cells, size);
			return fitted(row[at] ?? [], room, theme, column.align);
		});
		const text = cells.map(spans => spans.map(([part]) => part).join('')).join(columnGap);
		return cleanForTerminal(text).trimEnd();
	});
}
