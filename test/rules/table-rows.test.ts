import { describe, expect, test } from 'vitest';
import type { Reading } from '../../source/fleet/computers/computer.ts';
import type { Ordering } from '../../source/fleet/computers/order-fields.ts';
import type { Fact, FactBody } from '../../source/fleet/fact.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import { createVisibleRows } from '../../source/views/fleet/rows.ts';
import { layoutFor } from '../../source/views/layout.ts';
import { initialScreen, type Screen } from '../../source/views/look/screen.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { now } from '../arbitraries/values.ts';
import { testAccount as account, onlyAccount, rowId } from '../opened-account.ts';

/** A table in which facts arrive, a person looks around, and a key was pressed a moment ago or not. */
function openTable() {
	const store = createStore();
	const shownOf = createVisibleRows();
	const layout = layoutFor(120, 36);
	let screen = initialScreen();
	const shown = (isOrderHeld = false, at = now) => {
		const state = store.getState().accounts.get(account) ?? emptyAccount;
		return shownOf({ accounts: onlyAccount(state), screen, layout, isOrderHeld, now: at });
	};
	return {
		shown,
		names: (isOrderHeld = false, at = now) =>
			shown(isOrderHeld, at)
				.rows.map(({ computer }) => computer.reading.name)
				.join(' '),
		fold: (body: FactBody, at = now) => store.receive([{ ...body, account, at } as Fact]),
		list(...computers: readonly Reading[]) {
			store.receive([{ account, at: now, type: 'listRead', computers }]);
		},
		listStatuses(...statuses: readonly string[]) {
			const computers = statuses.map((status, n) => ({ id: `sb_${n}`, name: `c${n}`, status }));
			store.receive([{ account, at: now, type: 'listRead', computers }]);
		},
		look(change: Partial<Screen>) {
			screen = { ...screen, ...change };
		},
		filter: (fleet: string) => ({ filters: { ...screen.filters, fleet } }),
		order: (fleet: Ordering) => ({ orderings: { ...screen.orderings, fleet } }),
		cursorOn: (n: number) => ({ cursor: { id: rowId(`sb_${n}`), index: 0, line: 0 } }),
	};
}

const byName: Ordering = { by: 'name', isReversed: false };

test.each([
	['', 'a-b atlas atlas-2 borealis'],
	['atlas', 'atlas atlas-2'],
	['name:=atlas', 'atlas'],
	['cpu:>5', 'a-b atlas-2 borealis'],
	['-atlas', 'a-b borealis'],
	['status:stopped OR bor', 'atlas borealis'],
	['nothing-of-the-kind', ''],
	// What is not understood hides no row: an unknown field, value or status.
	['cpu:>x', 'a-b atlas atlas-2 borealis'],
	['colour:red', 'a-b atlas atlas-2 borealis'],
	['status:foo', 'a-b atlas atlas-2 borealis'],
	['-status:foo', 'a-b atlas atlas-2 borealis'],
	['atlas status:foo', 'atlas atlas-2'],
])('the filter “%s” leaves “%s”', (filter, left) => {
	const table = openTable();
	table.list(
		{ id: 'sb_1', name: 'atlas', status: 'stopped', cpu: 0 },
		{ id: 'sb_2', name: 'borealis', status: 'active', cpu: 10 },
		{ id: 'sb_3', name: 'atlas-2', status: 'active', cpu: 20 },
		{ id: 'sb_4', name: 'a-b', status: 'active', cpu: 30 },
	);
	table.look({ ...table.order(byName), ...table.filter(filter) });
	expect(table.names()).toBe(left);
	expect(table.shown().allRows).toHaveLength(4);
});

test('a status that nobody knew counts as soon as a computer has it', () => {
	const table = openTable();
	table.listStatuses('active', 'active');
	table.look(table.filter('status:frozen'));
	expect(table.names()).toBe('c0 c1');
	table.listStatuses('active', 'frozen');
	expect(table.names()).toBe('c1');
});

describe('while the order is held', () => {
	test('rows stay in their places, new ones stand at the end, and then all take theirs', () => {
		const table = openTable();
		table.listStatuses('active', 'active', 'active');
		expect(table.names()).toBe('c0 c1 c2');
		table.listStatuses('active', 'active', 'error');
		expect(table.names(true)).toBe('c0 c1 c2');
		table.listStatuses('active', 'active', 'error', 'error');
		expect(table.names(true)).toBe('c0 c1 c2 c3');
		expect(table.names()).toBe('c2 c3 c0 c1');
	});

	test('a row that is gone leaves, and the first rows of all are in their order', () => {
		const table = openTable();
		table.listStatuses('active', 'error');
		expect(table.names(true)).toBe('c1 c0');
		table.list({ id: 'sb_0', name: 'c0', status: 'active' });
		expect(table.names(true)).toBe('c0');
	});

	test('another order that a person chooses is shown at once', () => {
		const table = openTable();
		table.listStatuses('active', 'error');
		expect(table.names()).toBe('c1 c0');
		table.look(table.order(byName));
		expect(table.names(true)).toBe('c0 c1');
	});
});

describe('the computer under the cursor', () => {
	test('keeps the place at which the cursor found it while the order was held', () => {
		const table = openTable();
		table.look(table.cursorOn(0));
		table.listStatuses('active', 'active', 'error');
		table.names();
		table.listStatuses('active', 'active', 'active');
		table.names(true);
		table.look(table.cursorOn(2));
		table.names(true);
		expect(table.names()).toBe('c2 c0 c1');
	});

	test('moves for other computers, and when a person chooses an order', () => {
		const table = openTable();
		table.look(table.cursorOn(1));
		table.listStatuses('active', 'active', 'active');
		table.names();
		table.listStatuses('active', 'error', 'error');
		expect(table.names()).toBe('c2 c0 c1');
		table.look(table.order({ by: 'status', isReversed: false }));
		expect(table.names()).toBe('c1 c2 c0');
	});

	test('moves with the others of an operation on many, so that the view does not jump', () => {
		const table = openTable();
		table.look(table.cursorOn(1));
		const all = (first: string) => [...Array(40).fill(first), ...Array(3).fill('error')];
		table.listStatuses(...all('active'));
		expect(table.names()).toMatch(/^c40 c41 c42 c0 c1 /);
		table.listStatuses(...all('stopping'));
		expect(table.names()).toMatch(/^c40 c41 c42 c0 c1 /);
		table.listStatuses('stopped', 'stopped', ...all('stopping').slice(2));
		expect(table.names().split(' ').indexOf('c1')).toBeLessThan(5);
	});

	test('keeps no place in the order of a number, which would soon contradict its row', () => {
		const table = openTable();
		table.look({ ...table.cursorOn(0), ...table.order({ by: 'cpu', isReversed: true }) });
		const listBusy = (busy: number) =>
			table.list(...[0, 1].map(n => ({ id: `sb_${n}`, name: `c${n}`, cpu: n === busy ? 90 : 5 })));
		listBusy(0);
		expect(table.names()).toBe('c0 c1');
		listBusy(1);
		expect(table.names()).toBe('c1 c0');
	});
});

describe('the rows of an operation that was asked for under a filter', () => {
	const filter = 'status:active';
	const shownIn = (table: ReturnType<typeof openTable>, at = now) => {
		const { keptIds } = table.shown(false, at);
		return [table.names(false, at), keptIds.size];
	};
	function openFiltered(asked: string) {
		const table = openTable();
		table.listStatuses('stopped', 'active', 'stopped');
		const ids = [rowId('sb_0'), rowId('sb_1')];
		table.look({
			...table.filter(filter),
			...table.order(byName),
			capturedRows: [{ asked, filter, ids }],
		});
		return table;
	}

	test('stay although the filter would hide them, until the batch is dismissed', () => {
		const table = openFiltered('b1');
		expect(shownIn(table)).toEqual(['c1', 0]);
		table.fold(
			operationChanged({ key: 'k1', operation: 'stop', computer: 'sb_0', batch: 'b1' }, 'queued'),
		);
		expect(shownIn(table)).toEqual(['c0 c1', 1]);
		for (const step of ['failed', 'seen'] as const)
			table.fold(
				operationChanged({ key: 'k1', operation: 'stop', computer: 'sb_0', batch: 'b1' }, step),
			);
		expect(shownIn(table)).toEqual(['c1', 0]);
	});

	test.each([
		['status:stopped', 'c0 c2'],
		['', 'c0 c1 c2'],
	])('add nothing under the filter “%s”', (other, names) => {
		const table = openFiltered('b1');
		table.fold(
			operationChanged({ key: 'k1', operation: 'stop', computer: 'sb_0', batch: 'b1' }, 'queued'),
		);
		table.look(table.filter(other));
		expect(shownIn(table)).toEqual([names, 0]);
	});

	test('stay until ten seconds after the end, and longer under the cursor', () => {
		const table = openFiltered('k1');
		const wish = { key: 'k1', operation: 'stop', computer: 'sb_0' };
		table.fold(operationChanged(wish, 'queued'));
		table.look(table.cursorOn(1));
		expect(shownIn(table, now + 60_000)).toEqual(['c0 c1', 1]);
		const at = now + 60_000;
		table.fold(operationChanged(wish, 'done', { ended: at }), at);
		expect(shownIn(table, at + 9_999)).toEqual(['c0 c1', 1]);
		expect(shownIn(table, at + 10_000)).toEqual(['c1', 0]);
		table.look(table.cursorOn(0));
		expect(shownIn(table, at + 10_000)).toEqual(['c0 c1', 1]);
	});
});
