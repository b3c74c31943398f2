import { expect, test } from 'vitest';
import type { Fact } from '../../source/fleet/fact.ts';
import { happeningsIn } from '../../source/store/opened-accounts.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { profileOf } from '../opened-account.ts';

const list = (account: string, at: number, status: string): Fact => ({
	account,
	at,
	type: 'listRead',
	computers: [{ id: 'sb_0', name: 'box 0', status }],
});
const stop = { key: 'k', operation: 'stop', computer: 'sb_0' };

test('several accounts name their computers with the account', () => {
	const store = createStore();
	store.receive([
		...[list('work', 1, 'active'), list('lab', 1, 'active'), list('lab', 2, 'stopped')],
		{ account: 'lab', at: 3, ...operationChanged(stop, 'sent', { sent: 3 }) },
	]);
	const opened = ['work', 'lab'].map(name => {
		const state = store.getState().accounts.get(name) ?? emptyAccount;
		return { profile: profileOf(name), state };
	});
	const { changes, operations } = happeningsIn(opened);
	expect(operations.get('k')?.spec.name).toBe('lab/sb_0');
	expect(changes.at(-1)).toMatchObject({ wish: { name: 'lab/sb_0' } });
	expect(changes.at(-2)).toMatchObject({ id: 'sb_0', name: 'lab/box 0' });
});
