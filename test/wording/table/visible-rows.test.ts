import { describe, expect, test } from 'vitest';
import { layoutFor } from '../../../source/drawing/layout.ts';
import type { Reading } from '../../../source/fleet/computers/computer.ts';
import type { GlobalId } from '../../../source/fleet/computers/global-id.ts';
import type { Ordering } from '../../../source/fleet/computers/order-fields.ts';
import type { Fact } from '../../../source/fleet/fact.ts';
import { initialScreen, type Screen } from '../../../source/screen/screen.ts';
import { initialOrderings } from '../../../source/screen/view-table.ts';
import { type AccountState, emptyAccount } from '../../../source/store/state.ts';
import { createStore } from '../../../source/store/store.ts';
import { createVisibleRows } from '../../../source/wording/table/visible-rows.ts';
import { accountAfter, fact, operationChanged } from '../../arbitraries/sample-facts.ts';
import { now } from '../../arbitraries/values.ts';
import { onlyAccount, rowId } from '../../opened-account.ts';

const account = 'test';
const layout = layoutFor(120, 36);

function knownOf(computers: readonly Reading[]) {
	const store = createStore();
	store.receive([{ account, at: now, type: 'listRead', computers }]);
	return store.getState().accounts.get(account) ?? emptyAccount;
}

const fleet = knownOf(
	['atlas', 'atlas-2', 'borealis', 'a b', 'or', 'sb:x'].map((name, at) => ({
		id: `sb_${at}`,
		name,
		status: at % 2 ? 'active' : 'stopped',
		cpu: at * 10,
	})),
);

const idsWith = (
	shownOf: ReturnType<typeof createVisibleRows>,
	filter: string,
	isReversed = false,
) => {
	const screen = {
		...initialScreen(),
		filters: { fleet: filter, models: '', log: '' },
		orderings: { ...initialOrderings, fleet: { by: 'name' as const, isReversed } },
	};
	return shownOf({ accounts: onlyAccount(fleet), screen, layout, now }).ids;
};

test('a term that is not understood hides no row, whether its field, its value or its status is unknown', () => {
	const all = idsWith(createVisibleRows(), '');
	for (const wrong of ['cpu:>x', 'colour:red', 'status:foo:bar', '-status:foo'])
		expect(idsWith(createVisibleRows(), wrong), wrong).toEqual(all);
	const two = idsWith(createVisibleRows(), 'atlas');
	expect(two).toHaveLength(2);
	expect(idsWith(createVisibleRows(), 'atlas status:foo')).toEqual(two);
});

describe('the rows of a batch', () => {
	const inBatch = (step: 'queued' | 'failed' | 'seen') =>
		['k1', 'k2'].map(key =>
			fact(0, operationChanged({ key, operation: 'stop', computer: key, batch: 'b1' }, step)),
		);
	const withOperations = (...facts: readonly Fact[]): AccountState => {
		const { operations, endedOperations } = accountAfter(...facts);
		return { ...fleet, operations, endedOperations };
	};
	const captured = { asked: 'b1', filter: 'status:active', ids: [rowId('sb_0'), rowId('sb_1')] };
	const shown = (filter: string, account: AccountState) => {
		const screen = {
			...initialScreen(),
			filters: { fleet: filter, models: '', log: '' },
			capturedRows: [captured],
		};
		const { ids, keptIds } = createVisibleRows()({
			accounts: onlyAccount(account),
			screen,
			layout,
			now,
		});
		return { ids: ids.length, kept: [...keptIds] };
	};
	const running = withOperations(...inBatch('queued'));

	test('stay in the table while the filter would hide them, until the batch is dismissed', () => {
		const { ids: matching } = shown('status:active', fleet);
		expect(shown('status:active', running)).toEqual({ ids: matching + 1, kept: [rowId('sb_0')] });
		const failed = withOperations(...inBatch('failed'));
		expect(shown('status:active', failed).kept).toEqual([rowId('sb_0')]);
		const dismissed = withOperations(...inBatch('failed'), ...inBatch('seen'));
		expect(shown('status:active', dismissed)).toEqual({ ids: matching, kept: [] });
	});

	test('add no rows under another filter, and none to the unfiltered table', () => {
		for (const filter of ['status:stopped', 'status:active atlas', ''])
			expect(shown(filter, running)).toEqual(shown(filter, fleet));
	});
});

test('the row of a single operation stays until ten seconds after its end, and longer while the cursor is on it', () => {
	const [stoppedId, otherId] = [rowId('sb_0'), rowId('sb_1')];
	const filter = 'status:active';
	const screen: Screen = {
		...initialScreen(),
		filters: { fleet: filter, models: '', log: '' },
		capturedRows: [{ asked: 'k1', filter, ids: [stoppedId] }],
	};
	const wish = { key: 'k1', operation: 'stop', computer: 'sb_0' };
	const asked = fact(0, operationChanged(wish, 'queued'));
	const settled = fact(1000, operationChanged(wish, 'done', { ended: 1000 }));
	const keptIn = (account: AccountState, at: number, cursorId: GlobalId) => {
		const { operations, endedOperations } = account;
		const cursor = { id: cursorId, index: 0, line: 0, isAtTop: false };
		const { keptIds } = createVisibleRows()({
			accounts: onlyAccount({ ...fleet, operations, endedOperations }),
			screen: { ...screen, cursor },
			layout,
			now: at,
		});
		return [...keptIds];
	};
	const ended = accountAfter(asked, settled);
	expect(keptIn(accountAfter(asked), settled.at + 60_000, otherId)).toEqual([stoppedId]);
	expect(keptIn(ended, settled.at + 9_999, otherId)).toEqual([stoppedId]);
	expect(keptIn(ended, settled.at + 10_000, otherId)).toEqual([]);
	expect(keptIn(ended, settled.at + 10_000, stoppedId)).toEqual([stoppedId]);
});

test('the rows keep their order while it is held, and take their places when it is not', () => {
	const readAt = (at: number, statuses: readonly string[]): Fact => ({
		account,
		at,
		type: 'listRead',
		computers: statuses.map((status, n) => ({ id: `sb_${n}`, name: `box-${n}`, status })),
	});
	const store = createStore();
	const shownOf = createVisibleRows();
	const idsAfter = (fact: Fact, isOrderHeld: boolean) => {
		store.receive([fact]);
		const state = store.getState().accounts.get(account) ?? emptyAccount;
		const options = { accounts: onlyAccount(state), screen: initialScreen(), layout, isOrderHeld };
		return shownOf({ ...options, now }).ids;
	};
	const inOrder = (...numbers: readonly number[]) => numbers.map(n => rowId(`sb_${n}`));
	expect(idsAfter(readAt(now, ['active', 'active', 'active']), false)).toEqual(inOrder(0, 1, 2));
	expect(idsAfter(readAt(now + 1, ['active', 'active', 'error']), true)).toEqual(inOrder(0, 1, 2));
	const more = readAt(now + 2, ['active', 'active', 'error', 'error']);
	expect(idsAfter(more, true)).toEqual(inOrder(0, 1, 2, 3));
	expect(idsAfter({ ...more, at: now + 3 }, false)).toEqual(inOrder(2, 3, 0, 1));
});

test('the rows keep their order while a computer is marked, which counts as unsorted once the sorted order differs', () => {
	const store = createStore();
	const shownOf = createVisibleRows();
	const shownAfter = (statuses: readonly string[], marked: readonly number[]) => {
		const computers = statuses.map((status, n) => ({ id: `sb_${n}`, name: `c${n}`, status }));
		store.receive([{ account, at: now, type: 'listRead', computers }]);
		const state = store.getState().accounts.get(account) ?? emptyAccount;
		const marks = new Set(marked.map(n => rowId(`sb_${n}`)));
		const screen = { ...initialScreen(), marks };
		const { rows, isUnsorted } = shownOf({ accounts: onlyAccount(state), screen, layout, now });
		return [rows.map(({ computer }) => computer.reading.name).join(' '), isUnsorted];
	};
	expect(shownAfter(['active', 'active', 'active'], [])).toEqual(['c0 c1 c2', false]);
	expect(shownAfter(['active', 'active', 'active'], [0])).toEqual(['c0 c1 c2', false]);
	expect(shownAfter(['active', 'active', 'error'], [0])).toEqual(['c0 c1 c2', true]);
	expect(shownAfter(['active', 'active', 'active'], [0])).toEqual(['c0 c1 c2', false]);
	expect(shownAfter(['active', 'active', 'error'], [0])).toEqual(['c0 c1 c2', true]);
	expect(shownAfter(['active', 'active', 'error'], [])).toEqual(['c2 c0 c1', false]);
});

describe('the computer under the cursor', () => {
	const shownOver = (cursorAt: number | undefined) => {
		const store = createStore();
		const shownOf = createVisibleRows();
		let screen: Screen = initialScreen();
		const namesWith = (isOrderHeld: boolean) => {
			const state = store.getState().accounts.get(account) ?? emptyAccount;
			const options = { accounts: onlyAccount(state), screen, layout, isOrderHeld, now };
			return shownOf(options).rows.map(({ computer }) => computer.reading.name);
		};
		const moveTo = (at: number | undefined) => {
			const id = at === undefined ? undefined : rowId(`sb_${at}`);
			screen = { ...screen, cursor: id && { id, index: 0, line: 0 } };
		};
		moveTo(cursorAt);
		const listed = (statuses: readonly string[], isOrderHeld = false) => {
			const computers = statuses.map((status, n) => ({ id: `sb_${n}`, name: `c${n}`, status }));
			store.receive([{ account, at: now, type: 'listRead', computers }]);
			return namesWith(isOrderHeld);
		};
		const order = (ordering: Ordering) => {
			screen = { ...screen, orderings: { ...screen.orderings, fleet: ordering } };
			return namesWith(false);
		};
		return { listed, moveTo, order, namesWith };
	};

	test('keeps its place when it recovers, until the cursor leaves it and no key was pressed for a while', () => {
		const { listed, moveTo, namesWith } = shownOver(2);
		expect(listed(['active', 'active', 'error'])).toEqual(['c2', 'c0', 'c1']);
		expect(listed(['active', 'active', 'restarting'])).toEqual(['c2', 'c0', 'c1']);
		expect(listed(['active', 'active', 'active'])).toEqual(['c2', 'c0', 'c1']);
		moveTo(0);
		expect(namesWith(true)).toEqual(['c2', 'c0', 'c1']);
		expect(namesWith(false)).toEqual(['c0', 'c1', 'c2']);
	});

	test('keeps the place at which the cursor found it, while the order of all rows was held', () => {
		const { listed, moveTo, namesWith } = shownOver(0);
		listed(['active', 'active', 'error']);
		listed(['active', 'active', 'active'], true);
		moveTo(2);
		namesWith(true);
		expect(namesWith(false)).toEqual(['c2', 'c0', 'c1']);
	});

	test('moves for other computers, and when a person chooses an order', () => {
		const { listed, order } = shownOver(1);
		listed(['active', 'active', 'active']);
		expect(listed(['active', 'error', 'error'])).toEqual(['c2', 'c0', 'c1']);
		expect(order({ by: 'status', isReversed: false })).toEqual(['c1', 'c2', 'c0']);
	});

	test('keeps no place in the order of a number that changes with every read', () => {
		const busyAt = (computer: number) =>
			Array.from({ length: 3 }, (_, n) => ({ id: `sb_${n}`, cpu: n === computer ? 90 : 5 }));
		const store = createStore();
		const shownOf = createVisibleRows();
		const cursor = { id: rowId('sb_2'), index: 0, line: 0 };
		const byCpu = { by: 'cpu', isReversed: true } as const;
		const screen = { ...initialScreen(), cursor, orderings: { ...initialOrderings, fleet: byCpu } };
		const firstAfter = (computer: number) => {
			store.receive([{ account, at: now, type: 'listRead', computers: busyAt(computer) }]);
			const state = store.getState().accounts.get(account) ?? emptyAccount;
			return shownOf({ accounts: onlyAccount(state), screen, layout, now }).ids[0];
		};
		expect(firstAfter(2)).toBe(rowId('sb_2'));
		expect(firstAfter(0)).toBe(rowId('sb_0'));
	});

	test('moves with the other computers of an operation on many, so that the view does not jump', () => {
		const { listed, namesWith } = shownOver(1);
		const all = (first: string, last: string) => [...Array(40).fill(first), ...Array(3).fill(last)];
		expect(listed(all('active', 'error')).slice(0, 5)).toEqual(['c40', 'c41', 'c42', 'c0', 'c1']);
		const stopping = listed(all('stopping', 'error'));
		expect(stopping.slice(0, 5)).toEqual(['c40', 'c41', 'c42', 'c0', 'c1']);
		// The computers that are stopped already leave the others, and the computer under the cursor stays near its place.
		const rest = listed(['stopped', 'stopped', ...all('stopping', 'error').slice(2)]);
		expect(rest.indexOf('c1')).toBeLessThan(5);
		expect(namesWith(false)).toEqual(rest);
	});

	test('keeps no place before a person has pressed a key', () => {
		const { listed } = shownOver(undefined);
		listed(['error', 'active']);
		expect(listed(['active', 'error'])).toEqual(['c1', 'c0']);
	});
});
