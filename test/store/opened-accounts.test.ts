import { expect, test } from 'vitest';
import type { Fact } from '../../source/fleet/fact.ts';
import {
	createJointRowsSelector,
	createOpenedAccountsSelector,
	happeningsIn,
} from '../../source/store/opened-accounts.ts';
import { createStore } from '../../source/store/store.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { profileOf } from '../opened-account.ts';

const profiles = [profileOf('work'), profileOf('lab')];
const count = 2_000;
const stop = { key: 'k', operation: 'stop', computer: 'sb_0' };

const listRead = (account: string, at: number, firstStatus = 'active'): Fact => ({
	account,
	at,
	type: 'listRead',
	computers: Array.from({ length: count }, (_, index) => ({
		id: `sb_${index}`,
		name: `box ${index}`,
		status: index === 0 ? firstStatus : 'active',
	})),
});

function openTable() {
	const store = createStore();
	const accountsOf = createOpenedAccountsSelector();
	const rowsOf = createJointRowsSelector();
	const accounts = () => accountsOf(store.getState().accounts, profiles);
	return { store, accounts, rows: () => rowsOf(accounts()) };
}

test('an answer of one account leaves the computers of another as they are', () => {
	const { store, rows } = openTable();
	store.receive([listRead('work', 1), listRead('lab', 1)]);
	const before = rows();
	expect(new Set(before.map(({ id }) => id)).size).toBe(2 * count);
	store.receive([listRead('lab', 2, 'stopped')]);
	const after = rows();
	expect(after.filter(({ computer }, at) => computer !== before[at]?.computer)).toMatchObject([
		{ account: 'lab', computer: { id: 'sb_0' } },
	]);
	store.receive([
		{ account: 'work', at: 3, type: 'answered', read: 'credits', answer: { balance: 5 } },
	]);
	expect(rows()).toBe(after);
});

test('several accounts name their computers with the account', () => {
	const { store, accounts } = openTable();
	store.receive([listRead('work', 1), listRead('lab', 1), listRead('lab', 2, 'stopped')]);
	store.receive([{ account: 'lab', at: 3, ...operationChanged(stop, 'sent', { sent: 3 }) }]);
	const { changes, operations } = happeningsIn(accounts());
	expect(operations.get('k')?.spec.name).toBe('lab/sb_0');
	expect(changes.at(-1)).toMatchObject({ wish: { name: 'lab/sb_0' } });
	expect(changes.at(-2)).toMatchObject({ id: 'sb_0', name: 'lab/box 0' });
});
