/** The values that a dialog shows while it asks for a password. */
export type PasswordPrompt = {
	/** The name of the profile; absent if the account comes from the environment. */
	profile?: string | undefined;
	email: string;
	/** The host of the identity provider, to which the password is sent. */
	host: string;
	/** Why the last password was refused, or why the password command failed. */
	problem?: string;
	/** Whether a password command is configured. The dialog then has a key that runs it in the terminal. */
	hasCommand?: boolean;
};
