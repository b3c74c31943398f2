import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { paintSpans } from '../../source/drawing/span.ts';
import type { Fact } from '../../source/fleet/fact.ts';
import { fold } from '../../source/store/fold.ts';
import { createRowsSelector, type FleetRow } from '../../source/store/selectors.ts';
import { emptyAccount, emptyState, type State } from '../../source/store/state.ts';
import { slotCount, slotMs, usageAfter } from '../../source/store/usage-history.ts';
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

const computers = Array.from({ length: 30 }, (_, at) => ({
	id: `sb_${at}`,
	name: `computer-${at}`,
	status: 'active',
	version: '1.4.2',
	startedAt: now - 2 * hour,
}));
const listRead = { account, type: 'listRead', computers } as const;

/** Shows 30 rows, and counts the cells that are composed from then on. */
function shown() {
	let composed = 0;
	for (const column of columns) {
		const compose = column.cellSpans;
		const spy = vi.spyOn(column, 'cellSpans').mockImplementation((...parts) => {
			composed += 1;
			return compose(...parts);
		});
		onTestFinished(() => spy.mockRestore());
	}
	const lineOf = createRowLines();
	const rowsOf = createRowsSelector('test');
	const placed = placedColumns(120, undefined);
	const show = (state: State, at: number, filter = '') => {
		const rows: readonly FleetRow[] = rowsOf(accountOf(state));
		const context = contextOf(state, at, filter);
		for (const row of rows) lineOf(row, { placed, context, isUnderCursor: false, sign: ' ' });
		const count = composed;
		composed = 0;
		return count;
	};
	const state = fold(emptyState, { ...listRead, at: now });
	return { state, show, cellsOfAll: show(state, now) };
}

test('a key does not make any cell of an unchanged row be composed again', () => {
	const { state, show, cellsOfAll } = shown();
	expect(cellsOfAll).toBe(30 * 10);
	expect(show(state, now)).toBe(0);
});

test('a letter that is erased composes no cell again', () => {
	const { state, show } = shown();
	expect(show(state, now, 'm'), 'the names').toBe(30);
	expect(show(state, now, 'mp'), 'the names').toBe(30);
	expect(show(state, now, 'mput'), 'the names').toBe(30);
	expect(show(state, now, 'mp')).toBe(0);
	expect(show(state, now, 'm')).toBe(0);
	expect(show(state, now + 1000, 'mp'), 'what changes with the time').toBe(30 * 3);
	expect(show(state, now + 1000)).toBe(30 * 3);
});

test('a letter of the filter composes only the cells in which it matches or the letters before it did', () => {
	const { state, show } = shown();
	expect(show(state, now, 'comp'), 'the names').toBe(30);
	expect(show(state, now, 'comp')).toBe(0);
	expect(show(state, now, 'compz'), 'the names, in which nothing matches').toBe(30);
	expect(show(state, now, 'compz1')).toBe(0);
	expect(show(state, now, 'status:act'), 'the statuses').toBe(30);
	expect(show(state, now + 1000, 'status:act'), 'what changes with the time').toBe(30 * 3);
});

test('a second composes only the cells that change with the time', () => {
	const { state, show } = shown();
	expect(show(state, now + 1000)).toBe(30 * 3);
});

test('facts about anything but the computers compose no cell', () => {
	const { state, show } = shown();
	const credits = { account, at: now, type: 'creditsRead', credits: { balance: 7 } } as const;
	expect(show(fold(state, credits), now)).toBe(0);
});

test('a list without news composes only the cells that show when it was read', () => {
	const { state, show } = shown();
	expect(show(fold(state, { ...listRead, at: now + 1000 }), now + 1000)).toBe(30 * 3);
});

test('a computer that changes composes its own cells, and no others', () => {
	const { state, show } = shown();
	const [first, ...others] = computers;
	const changed = [{ ...first, id: 'sb_0', version: '1.5.0' }, ...others];
	const next = fold(state, { ...listRead, computers: changed, at: now });
	expect(show(next, now)).toBe(10);
});

test('a sample composes only the cell of its sparkline, and none if the sparkline stays the same', () => {
	const { state, show } = shown();
	const withSample = (cpu: number, slotsAgo: number): State => {
		const test = accountOf(state);
		const at = now - slotsAgo * slotMs;
		const usage = usageAfter(test.usage, [{ id: 'sb_0', cpu }], at, () => true);
		return { accounts: new Map([[account, { ...test, usage }]]) };
	};
	expect(show(withSample(40, 0), now)).toBe(1);
	expect(show(withSample(41, 0), now), 'the same height').toBe(0);
	expect(show(withSample(41, slotCount), now), 'too old').toBe(1);
	expect(show(state, now)).toBe(0);
});

test('a row under the cursor is painted again only when its cells, its mark or the cursor changes', () => {
	const painted = vi.spyOn(theme, 'paintCursorRow');
	onTestFinished(() => painted.mockRestore());
	const lineOf = createRowLines();
	const rowsOf = createRowsSelector('test');
	const placed = placedColumns(120, undefined);
	const state = fold(emptyState, { ...listRead, at: now });
	const paintsOf = (at: number, isUnderCursor: boolean, sign: string) => {
		painted.mockClear();
		const [row] = rowsOf(accountOf(state));
		if (!row) throw new Error('no row');
		lineOf(row, { placed, context: contextOf(state, at), isUnderCursor, sign });
		return painted.mock.calls.length;
	};
	expect(paintsOf(now, true, ' ')).toBe(1);
	expect(paintsOf(now, true, ' '), 'nothing changed').toBe(0);
	expect(paintsOf(now, true, mark), 'marked').toBe(1);
	expect(paintsOf(now, false, mark), 'the cursor left').toBe(0);
	expect(paintsOf(now, true, mark), 'the cursor came back').toBe(1);
	expect(paintsOf(now + 7000, true, mark), 'the data is older').toBe(1);
});
