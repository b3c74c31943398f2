import type { PasswordPrompt } from '../fleet/password-prompt.ts';
import type { Dialog } from './dialog-text.ts';

/** Shows a dot for each letter of the password. */
export function passwordDialog(
	{ profile, email, host, why, hasCommand }: PasswordPrompt,
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

/** What somebody sees first who has no account here yet. */
export const welcomeDialog: Dialog = {
	title: 'Welcome to crowsnest',
	token: 'accent',
	lines: [
		[
			'A lookout over a fleet of cloud computers: what each of them is doing, how old that news is, ' +
				'and a key for everything that can be done with it.',
		],
		['There is no account here yet. What is shown is a demo in which nothing is real.', 'faint'],
	],
	prompt: [
		['l', 'accent'],
		[' sign in to your account   '],
		['Enter', 'accent'],
		[' look around the demo'],
	],
	hints: [],
};
