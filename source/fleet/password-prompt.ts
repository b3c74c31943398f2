/** What a dialog shows while it asks for a password. */
export type PasswordPrompt = {
	/** Absent if the account comes from the environment. */
	profile?: string;
	email: string;
	/** The host of the identity provider, to which the password is sent. */
	host: string;
	/** Why the last password was refused, or why the password command failed. */
	why?: string;
	/** A password command is configured, and a key runs it in the terminal. */
	hasCommand?: boolean;
};
