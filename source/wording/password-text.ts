import type { Dialog } from './dialog-text.ts';

/** What a dialog needs to ask for a password. */
export type PasswordWanted = {
	/** Absent where the environment tells all of the account. */
	profile?: string;
	email: string;
	/** Whom it will be told to. */
	host: string;
	/** Why it is asked for again. */
	why?: string;
	/** There is a password command, which a key runs at the terminal. */
	hasCommand?: boolean;
};

/** Shows a dot for each letter of the password. */
export function passwordDialog(
	{ profile, email, host, why, hasCommand }: PasswordWanted,
	letters: number,
): Dialog {
	return {
		title: `Sign in to ${profile ?? host}`,
		token: 'accent',
		lines: [
			[`${email} at ${host}. The password is sent there once and never stored.`],
			...(why === undefined ? [] : [[why, 'bad'] as const]),
			...(hasCommand ? [['Ctrl-R hands the terminal to the password command.'] as const] : []),
		],
		prompt: [['Password: ']],
		typed: ['•'.repeat(letters)],
		hints: ['Enter signs in', 'Esc: stay signed out'],
	};
}
