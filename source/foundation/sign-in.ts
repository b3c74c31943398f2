export type AccessToken = {
	accessToken: string;
	endsAt?: number;
};

export type TokenCache = {
	load(): AccessToken | undefined;
	save(token: AccessToken): void;
	/** Unless another run has stored a newer one. */
	remove(accessToken: string): void;
	forget(): void;
};

export type PasswordPrompt = {
	/** Absent if the account comes from the environment. */
	profile?: string | undefined;
	email: string;
	/** The host of the identity provider, to which the password is sent. */
	host: string;
	problem?: string;
	refusedCount?: number;
	refusedAt?: number;
	/** Whether a key of the dialog runs the password command in the terminal. */
	hasCommand?: boolean;
};
