import { inOrder } from '../fleet/ordering.ts';
import { createRowsOf } from '../store/rows.ts';
import { statusSightOf } from '../store/sight.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import { cleanForTerminal } from '../terminal/say.ts';
import { type Context, columnGap, columns, columnsWithin } from '../views/columns.ts';
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
	for (const line of plainLines(account, host.clock.now(), hasUnicode)) {
		stdout.write(`${cleanForTerminal(line).trimEnd()}\n`);
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

function plainLines(account: AccountState, now: number, hasUnicode: boolean): readonly string[] {
	const theme = createTheme({ colours: 0, background: 'dark', hasUnicode });
	const context: Context = {
		now,
		latest: account.release?.version,
		seenAt: ({ computer }) => statusSightOf(account, computer)?.at,
		waitingFor: () => undefined,
		changes: [],
		theme,
	};
	const rows = createRowsOf()(account);
	const byComputer = new Map(rows.map(row => [row.computer, row]));
	const ordered = inOrder(byComputer.keys(), { by: 'name', isReversed: false }, now);
	const placed = columnsWithin(width).filter(({ column }) => column !== columns.at(-1));
	const line = (cell: (at: (typeof placed)[number]) => readonly (readonly [string])[]) =>
		placed
			.map(at => fitted(cell(at), at.width, theme, at.column.align))
			.map(spans => spans.map(([text]) => text).join(''))
			.join(columnGap);
	return [
		line(({ column }) => [[column.title]]),
		...ordered.flatMap(computer => {
			const row = byComputer.get(computer);
			if (!row) return [];
			return line(({ column, width: cells }) =>
				column.cell(row, cells, context).map(([text]) => [text] as const),
			);
		}),
	];
}
