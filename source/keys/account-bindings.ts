import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import { type Binding, viewContexts } from './binding.ts';

/** A profile of the configuration, whose account can be in the table. */
export type AccountChoice = {
	name: string;
	/** Whether the table has the account. */
	isOpen: boolean;
	/** The user and the address of the account, or why the account cannot be opened. */
	description: string;
};

/** Returns a binding without a key for each profile, so that the palette lists the profiles among its commands. */
export function accountBindings(choices: readonly AccountChoice[]): readonly Binding[] {
	return choices.map(({ name, isOpen, description }) => ({
		action: `account ${name}`,
		keys: [],
		contexts: ['fleet'],
		intent: { type: 'account', profile: name, key: '' },
		help: `account ${name}: ${isOpen ? 'take it out of the table' : 'add it to the table'} (${description})`,
	}));
}

/** Returns a binding without a key for each of several accounts, so that a person can choose the one to sign out of. */
export function signOutBindings(profiles: readonly AccountProfile[]): readonly Binding[] {
	if (profiles.length < 2) return [];
	return profiles.map(({ account, name }) => ({
		action: `signOut ${name}`,
		keys: [],
		contexts: viewContexts,
		intent: { type: 'signOut', account, key: '' },
		help: `sign out of ${name}`,
		words: 'logout log off',
	}));
}
