import type { PasswordPrompt } from '../fleet/password-prompt.ts';
import type { Dialog } from './dialog-text.ts';

/** Builds the dialog that asks for a password and shows a dot for each typed letter. */
export function passwordDialog(
	{ profile, email, host, problem, hasCommand }: PasswordPrompt,
	letterCount: number,
): Dialog {
	return {
		title: `Sign in to ${profile ?? host}`,
		token: 'accent',
		lines: [
			[`${email} at ${host}. The password is sent there once and never stored.`],
			...(problem === undefined ? [] : [[problem, 'bad'] as const]),
			...(hasCommand ? [['Ctrl-R runs the password command.'] as const] : []),
		],
		prompt: [['Password: ']],
		typed: ['•'.repeat(letterCount)],
		hints: ['Enter signs in', 'Esc: stay signed out'],
	};
}

/** The dialog that greets a person who has not set up an account yet. */
export const welcomeDialog: Dialog = {
	title: 'Welcome to crowsnest',
	token: 'accent',
	lines: [
		[
			'Watch a fleet of cloud computers: what each one is doing, how old the data is, ' +
				'and one key for every operation.',
		],
		['No account is set up yet. This is a demo: break whatever you like.', 'faint'],
	],
	prompt: [
		['l', 'accent'],
		[' sign in to your account   '],
		['Enter', 'accent'],
		[' look around the demo'],
	],
	hints: [],
};
