/** The token that the identity provider issues for a password. Each request to the platform carries it. */
export type AccessToken = {
	accessToken: string;
	/** When the token expires; absent if the provider does not say. */
	endsAt?: number;
};

/** Stores an account's token on disk, so that later and parallel runs of the program can use it. */
export type TokenCache = {
	load(): AccessToken | undefined;
	save(token: AccessToken): void;
	/** Removes this token from the cache, unless another run has stored a newer one. */
	remove(accessToken: string): void;
	/** Removes the stored token, because a person signs out. */
	forget(): void;
};

/** The values that a dialog shows while it asks for a password. */
export type PasswordPrompt = {
	/** The name of the profile; absent if the account comes from the environment. */
	profile?: string | undefined;
	email: string;
	/** The host of the identity provider, to which the password is sent. */
	host: string;
	/** Why the last password was refused, or why the password command failed. */
	problem?: string;
	/** How many passwords were entered here and refused since the last sign-in; absent if none was. */
	refusedCount?: number;
	/** When the last password was refused. */
	refusedAt?: number;
	/** Whether a password command is configured. The dialog then has a key that runs it in the terminal. */
	hasCommand?: boolean;
};
