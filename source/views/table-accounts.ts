import type { SignInAnswers, SignInField } from '../accounts/sign-in-fields.ts';

export type AccountChoice = {
	name: string;
	isOpen: boolean;
	/** The user and the address of the account, or why the account cannot be opened. */
	description: string;
};

export type SignInResult =
	| { isSignedIn: true; notice: string }
	| { isSignedIn: false; fields: readonly SignInField[]; message: string; advice: string };

export type TableAccounts = {
	/** As the configuration was last read. */
	choices(): readonly AccountChoice[];
	/** Reads the configuration again, because a person may have edited it. */
	refresh(): void;
	subscribe(listener: () => void): () => void;
	/** Resolves with a notice. */
	add(profile: string): Promise<string>;
	/** Also cancels its unsent operations. Resolves with a notice. */
	remove(profile: string): Promise<string>;
	newProfileName(): string;
	/** The demo leaves the table when an account is added. */
	stayingNames(): readonly string[];
	/** Signs in, saves a profile without passwords or tokens, and adds the account to the table. */
	signIn(answers: SignInAnswers, signal: AbortSignal): Promise<SignInResult>;
};
