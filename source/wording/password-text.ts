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
