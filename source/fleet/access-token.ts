/** What the identity provider gives for a password, and the platform takes with each request. */
export type AccessToken = {
	accessToken: string;
	/** When it expires; absent if the provider does not say. */
	endsAt?: number;
};

/** Keeps an account's token from run to run, and shares it among runs at the same time. */
export type TokenCache = {
	load(): AccessToken | undefined;
	keep(token: AccessToken): void;
	/** Forgets this token, unless another run has stored a newer one. */
	drop(accessToken: string): void;
};
