export type AccessToken = {
	accessToken: string;
	endsAt?: number;
};

export type TokenCache = {
	load(): AccessToken | undefined;
	save(token: AccessToken): void;
	remove(accessToken: string): void;
	forget(): void;
};

export type PasswordPrompt = {
	/** Absent if the account comes from the environment. */
	profile?: string | undefined;
	email: string;
	host: string;
	problem?: string;
	refusedCount?: number;
	refusedAt?: number;
	hasCommand?: boolean;
};
