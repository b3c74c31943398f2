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
};
