import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paintSpans } from '../../source/drawing/span.ts';
import type { Fact } from '../../source/fleet/fact.ts';
import { fold } from '../../source/store/fold.ts';
import { createRowsSelector } from '../../source/store/selectors.ts';
import { emptyAccount, emptyState, type State } from '../../source/store/state.ts';
import { cellContextOf } from '../../source/wording/table/cell-context.ts';
import { columns } from '../../source/wording/table/columns.ts';
import {
	joinedCells,
	placedColumns,
	rowCells,
} from '../../source/wording/table/fleet-table-text.ts';
import { createRowLines } from '../../source/wording/table/row-texts.ts';
import { factBody } from '../arbitraries/facts.ts';
import { hour, now } from '../arbitraries/values.ts';
import { runs } from '../properties/runs.ts';
import { theme } from '../sample-theme.ts';

const account = 'test';
const operationsState = {
	question: undefined,
	isLocked: false,
	isReadOnly: false,
	commandRuns: [],
	portChecks: [],
	holdReason: undefined,
};

const accountOf = (state: State) => state.accounts.get(account) ?? emptyAccount;

const contextOf = (state: State, at: number, filter = '') =>
	cellContextOf({
		account: accountOf(state),
		operationsState,
		waitingFor: () => undefined,
		filter,
		now: at,
		theme,
	});

const allColumns = placedColumns(
	404,
	columns.map(({ name }) => name),
);

const mark = theme.paint('mark', theme.glyphs.mark);
const cursor = theme.paint('accent', theme.glyphs.cursor);

test('the kept line of a row always has the text that its cells have now', () => {
	const typed = ['', 'a', 'at', 'sb', 's', 'status:active', 'act', '-a', 'cpu:>5 OR name:a', '1'];
	const filter = fc.constantFrom(...typed);
	const step = fc.oneof(
		fc.record({ facts: fc.array(factBody, { maxLength: 4 }), passed: fc.constant(0), filter }),
		fc.record({
			facts: fc.constant([]),
			passed: fc.oneof(fc.nat(2000), fc.nat(100_000), fc.nat(3 * hour)),
			filter,
		}),
		fc.record({ facts: fc.constant([]), passed: fc.constant(0), filter }),
	);
	let rowCount = 0;
	fc.assert(
		fc.property(
			fc.array(factBody, { minLength: 1, maxLength: 12 }),
			fc.array(step, { maxLength: 8 }),
			(first, steps) => {
				const lineOf = createRowLines();
				const rowsOf = createRowsSelector('test');
				let state = emptyState;
				let at = now;
				for (const { facts, passed, filter } of [
					{ facts: first, passed: 0, filter: '' },
					...steps,
				]) {
					at += passed;
					state = facts.reduce(
						(before, each) => fold(before, { account, at, ...each } as Fact),
						state,
					);
					const context = contextOf(state, at, filter);
					for (const row of rowsOf(accountOf(state))) {
						rowCount += 1;
						const cells = joinedCells(rowCells(row, allColumns, context), allColumns, theme);
						const text = paintSpans(cells, theme);
						for (const isUnderCursor of [false, true, false]) {
							const line = `${mark}${isUnderCursor ? cursor : ' '} ${text} `;
							const options = { placed: allColumns, context, isUnderCursor, sign: mark };
							expect(lineOf(row, options)).toBe(isUnderCursor ? theme.paintCursorRow(line) : line);
						}
					}
				}
			},
		),
		runs(150),
	);
	expect(rowCount).toBeGreaterThan(200);
});
