import type { AccountProfile } from '../source/fleet/computers/account.ts';
import { globalIdOf } from '../source/fleet/computers/global-id.ts';
import type { OpenedAccount } from '../source/store/selectors.ts';
import type { AccountState } from '../source/store/state.ts';

/** The account of tests that have only one. */
export const testAccount = 'test';

export const profileOf = (name: string, more: Partial<AccountProfile> = {}): AccountProfile => ({
	account: name,
	name,
	shortName: name,
	isReadOnly: false,
	isProduction: false,
	lowCreditsMs: 86_400_000,
	...more,
});

/** Returns the account of a table with a single account. */
export const onlyAccount = (state: AccountState): readonly OpenedAccount[] => [
	{ profile: profileOf('environment', { account: testAccount }), state },
];

/** Returns the id that a computer of the only account has in the table. */
export const rowId = (id: string) => globalIdOf(testAccount, id);
