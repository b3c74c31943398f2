import { expect, test } from 'vitest';
import { globalIdOf, idsWithin, splitGlobalId } from '../../source/fleet/computers/global-id.ts';
import type { Fact } from '../../source/fleet/fact.ts';
import {
	createJointAccountSelector,
	createJointRowsSelector,
	createOpenedAccountsSelector,
} from '../../source/store/opened-accounts.ts';
import { type AccountState, emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import { profileOf } from '../opened-account.ts';

const profiles = [profileOf('work'), profileOf('lab')];
const count = 2_000;

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
	const jointOf = createJointAccountSelector();
	const accounts = () => accountsOf(store.getState().accounts, profiles);
	return { store, accounts, rows: () => rowsOf(accounts()), joint: () => jointOf(accounts()) };
}

test('a global id contains the account and the id of a computer', () => {
	const id = globalIdOf('work', 'sb_1');
	expect(splitGlobalId(id)).toEqual({ account: 'work', id: 'sb_1' });
	expect(id).not.toBe(globalIdOf('lab', 'sb_1'));
	expect(idsWithin('lab', [id, globalIdOf('lab', 'sb_2')])).toEqual(['sb_2']);
});

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

test('accounts together have the sum of their credits, and name computers with their account', () => {
	const { store, joint } = openTable();
	store.receive([
		listRead('work', 1),
		listRead('lab', 1),
		listRead('lab', 2, 'stopped'),
		{ account: 'work', at: 3, type: 'answered', read: 'credits', answer: { balance: 5 } },
		{ account: 'lab', at: 3, type: 'answered', read: 'credits', answer: { balance: 7 } },
	]);
	expect(joint().credits).toEqual({ balance: 12 });
	expect(joint().samples).toEqual([{ at: 3, balance: 12 }]);
	expect(joint().changes.at(-1)).toMatchObject({ id: 'sb_0', name: 'lab/box 0' });
});

test('the balances of several accounts are added up from the time at which all of them are known', () => {
	const state = (...samples: readonly (readonly [at: number, balance: number])[]) => ({
		...emptyAccount,
		samples: samples.map(([at, balance]) => ({ at, balance })),
	});
	const jointOf = createJointAccountSelector();
	const sumOf = (...states: readonly AccountState[]) =>
		jointOf(states.map((each, at) => ({ profile: profileOf(`${at}`), state: each }))).samples;
	const work = state([1, 10], [3, 9], [6, 8]);
	const lab = state([2, 5], [3, 4], [7, 3]);
	expect(sumOf(work, lab)).toEqual(state([2, 15], [3, 13], [6, 12], [7, 11]).samples);
	expect(sumOf(work, emptyAccount), 'an account without balances').toEqual(work.samples);
});
