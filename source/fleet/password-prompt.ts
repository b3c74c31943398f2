/** The values that a dialog shows while it asks for a password. */
export type PasswordPrompt = {
	/** The name of the profile; absent if the account comes from the environment. */
	profile?: string;
	email: string;
	/** The host of the identity provider, to which the password is sent. */
	host: string;
	/** Why the last password was refused, or why the password command failed. */
	problem?: string;
	/** Whether a password command is configured. If so, a key runs the command in the terminal. */
	hasCommand?: boolean;
};

/** Has the prompt while the password dialog is open. */
export type PasswordPromptSource = {
	/** The same object until something changes; undefined while the dialog is closed. */
	prompt(): PasswordPrompt | undefined;
	subscribe(listener: () => void): () => void;
};
