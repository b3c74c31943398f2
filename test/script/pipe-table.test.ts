import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutWithEllipsis, textOf, widthOf } from '../../source/drawing/span.ts';
import type { Fact } from '../../source/fleet/fact.ts';
import { pipeTableLines, type TableRow } from '../../source/script/pipe-table.ts';
import { plainContext, plainTableLines } from '../../source/script/plain-list.ts';
import { fold } from '../../source/store/fold.ts';
import { createRowsSelector } from '../../source/store/selectors.ts';
import { emptyAccount, emptyState } from '../../source/store/state.ts';
import { cleanForTerminal } from '../../source/terminal/features/escape-sequences.ts';
import { columns } from '../../source/wording/table/columns.ts';
import {
	cellTextOf,
	columnsNamed,
	columnsThatFit,
	rowCells,
	type TableCells,
	titleCells,
} from '../../source/wording/table/fleet-table-text.ts';
import { factBody } from '../arbitraries/facts.ts';
import { accountAfter, listRead } from '../arbitraries/sample-facts.ts';
import { now } from '../arbitraries/values.ts';
import { runs } from '../properties/runs.ts';

const name = 'test';

/** Any rows of a fleet, in any columns. */
const anyTable = fc
	.record({
		bodies: fc.array(factBody, { minLength: 1, maxLength: 8 }),
		passed: fc.nat(3_600_000),
		names: fc.subarray(columns.map(each => each.name)),
		hasUnicode: fc.boolean(),
	})
	.map(({ bodies, passed, names, hasUnicode }) => {
		const state = bodies
			.map(body => ({ account: name, at: now, ...body }) as Fact)
			.reduce(fold, emptyState);
		const account = state.accounts.get(name) ?? emptyAccount;
		const context = plainContext(account, now + passed, hasUnicode);
		const placed = columnsThatFit(400, columnsNamed(names), true);
		const rows = createRowsSelector(name)(account).map(row => ({ before: '', row, context }));
		return { rows, placed, theme: context.theme };
	});

test('a cell without colours has the text of its spans', () => {
	let cellCount = 0;
	fc.assert(
		fc.property(anyTable, ({ rows, placed }) => {
			for (const { row, context } of rows) {
				const cells = rowCells(row, placed, context, false);
				for (const [at, column] of placed.entries()) {
					cellCount += 1;
					const text = cellTextOf(row, column, context);
					expect(text, column.column.name).toBe(textOf(cells[at] ?? []));
				}
			}
		}),
		runs(200),
	);
	expect(cellCount).toBeGreaterThan(500);
});

/** Composes the same table from spans, cell by cell. */
function tableFromSpans(
	rows: readonly TableRow[],
	{ placed, theme }: Pick<Parameters<typeof pipeTableLines>[1], 'placed' | 'theme'>,
): readonly string[] {
	const textsOf = (cells: TableCells, row?: TableRow['row']) =>
		placed.map(({ column }, at) => {
			const spans = cells[at] ?? [];
			const isCut = widthOf(spans, theme) > 200 && !(row && column.flowsOver?.(row));
			const text = textOf(isCut ? cutWithEllipsis(spans, 200, theme) : spans);
			return /[\p{Control}\p{Surrogate}]/u.test(text) ? cleanForTerminal(text) : text;
		});
	const lines = [
		textsOf(titleCells(placed, undefined, theme)),
		...rows.map(({ row, context }) => textsOf(rowCells(row, placed, context, false), row)),
	];
	const widths = placed.map(({ width }, at) => {
		const longest = Math.max(...lines.map(texts => theme.ruler.width(texts[at] ?? '')));
		return Math.max(width, Math.min(40, longest));
	});
	return lines.map(texts =>
		texts
			.map((text, at) => {
				const blanks = ' '.repeat(Math.max(0, (widths[at] ?? 0) - theme.ruler.width(text)));
				const gap = ' '.repeat(placed[at]?.gap ?? 0);
				return gap + (placed[at]?.column.align === 'right' ? blanks + text : text + blanks);
			})
			.join('')
			.trimEnd(),
	);
}

test('a table in a pipe is the same as one that is composed from spans', () => {
	let rowCount = 0;
	fc.assert(
		fc.property(anyTable, ({ rows, ...table }) => {
			rowCount += rows.length;
			const lines = pipeTableLines(rows, { ...table, titleBefore: '' });
			expect(lines.map(line => line.trimEnd())).toEqual(tableFromSpans(rows, table));
		}),
		runs(200),
	);
	expect(rowCount).toBeGreaterThan(100);
});

test('the titles of a table in a pipe stand above their cells, whichever column is the first', () => {
	const account = accountAfter(
		listRead(now, [
			{ id: 'sb_1', name: 'atlas', status: 'active', cpu: 5 },
			{ id: 'sb_2', name: '流星群', status: 'stopped', cpu: 81 },
		]),
	);
	const form = {
		hasUnicode: true,
		width: Number.POSITIVE_INFINITY,
		columns: columnsNamed(['cpu', 'status', 'name', 'memory']),
	};
	const listed = [{ account, computers: account.computers.values() }];
	expect(plainTableLines(listed, now, form)).toEqual([
		' CPU  STATUS             NAME                   MEM',
		'  5%  ● Active           atlas                    …',
		'▲81%  ○ Stopped          流星群',
	]);
});
