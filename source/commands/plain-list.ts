import { inOrder } from '../fleet/ordering.ts';
import { createRowsOf } from '../store/rows.ts';
import { statusSightOf } from '../store/sight.ts';
import { type AccountState, type ComputerState, emptyAccount } from '../store/state.ts';
import { cleanForTerminal } from '../terminal/say.ts';
import { columnGap, columnsWithin } from '../views/column-layout.ts';
import type { Context } from '../views/columns.ts';
import { fitted } from '../views/span.ts';
import { createTheme } from '../views/theme.ts';
import { exitCodes } from './command.ts';
import type { Host } from './host.ts';
import type { Lookout } from './lookout.ts';

const width = 120;

/** The fleet once, in plain lines: for a pipe, or a terminal that can do nothing but that. */
export async function listPlainly(host: Host, lookout: Lookout, hasUnicode: boolean) {
	const { stdout, stderr } = host.program;
	const account = await firstAnswer(lookout);
	const failing = account.reads.list?.failing;
	if (failing) {
		const { message, advice } = failing.failure;
		stderr.write(`crowsnest: the list of computers cannot be read: ${message}\n${advice}\n`);
		return failing.failure.kind === 'auth' ? exitCodes.notSignedIn : exitCodes.failed;
	}
	const computers = account.computers.values();
	for (const line of plainLines(account, computers, host.clock.now(), hasUnicode)) {
		stdout.write(`${line}\n`);
	}
	return exitCodes.done;
}

function firstAnswer({ store, watch, account: name }: Lookout): Promise<AccountState> {
	watch.start();
	return new Promise(resolve => {
		const look = () => {
			const account = store.getState().accounts.get(name) ?? emptyAccount;
			const { told, failing } = account.reads.list ?? {};
			if (!told && !failing) return;
			end();
			watch.stop();
			resolve(account);
		};
		const end = store.subscribe(look);
		look();
	});
}

/** What a table or a text about the fleet is made with where there are no colours. */
export function plainContext(account: AccountState, now: number, hasUnicode: boolean): Context {
	return {
		now,
		latest: account.release?.version,
		seenAt: ({ computer }) => statusSightOf(account, computer)?.at,
		waitingFor: () => undefined,
		changes: [],
		theme: createTheme({ colours: 0, background: 'dark', hasUnicode }),
	};
}

/** These computers as a table, a line each, by name. */
export function plainLines(
	account: AccountState,
	computers: Iterable<ComputerState>,
	now: number,
	hasUnicode: boolean,
): readonly string[] {
	const context = plainContext(account, now, hasUnicode);
	const { theme } = context;
	const byComputer = new Map(createRowsOf()(account).map(row => [row.computer, row]));
	const ordered = inOrder(computers, { by: 'name', isReversed: false }, now);
	const placed = columnsWithin(width).filter(({ column }) => column.name !== 'seen');
	const line = (cell: (at: (typeof placed)[number]) => readonly (readonly [string])[]) =>
		placed
			.map(at => fitted(cell(at), at.width, theme, at.column.align))
			.map(spans => spans.map(([text]) => text).join(''))
			.join(columnGap);
	const lines = [
		line(({ column }) => [[column.title]]),
		...ordered.flatMap(computer => {
			const row = byComputer.get(computer);
			if (!row) return [];
			return line(({ column, width: cells }) =>
				column.cell(row, cells, context).map(([text]) => [text] as const),
			);
		}),
	];
	return lines.map(each => cleanForTerminal(each).trimEnd());
}
