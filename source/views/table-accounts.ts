import type { SignInAnswers, SignInField } from '../accounts/sign-in-fields.ts';

/** A profile of the configuration, whose account can be in the table. */
export type AccountChoice = {
	name: string;
	/** Whether the table has the account. */
	isOpen: boolean;
	/** The user and the address of the account, or why the account cannot be opened. */
	description: string;
};

/** How a sign-in ended: with a notice, or with the fields to correct. */
export type SignInResult =
	| { isSignedIn: true; notice: string }
	| { isSignedIn: false; fields: readonly SignInField[]; message: string; advice: string };

/** Adds accounts to the table and takes them away while the monitor runs. */
export type TableAccounts = {
	/** Returns the profiles of the configuration as it was last read. */
	choices(): readonly AccountChoice[];
	/** Reads the configuration again, because a person may have edited it. */
	refresh(): void;
	subscribe(listener: () => void): () => void;
	/** Adds the account of a profile to the table. Resolves with a notice. */
	add(profile: string): Promise<string>;
	/** Removes the account of a profile from the table, and cancels its unsent operations. Resolves with a notice. */
	remove(profile: string): Promise<string>;
	/** Returns a name for a new profile that no profile has yet. */
	newProfileName(): string;
	/** Returns the names of the accounts that stay in the table when another one is added. The demo leaves it. */
	stayingNames(): readonly string[];
	/** Signs in, saves a profile without passwords or tokens, and adds the account to the table. */
	signIn(answers: SignInAnswers, signal: AbortSignal): Promise<SignInResult>;
};
