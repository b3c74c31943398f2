import type { PasswordPrompt } from '../../foundation/sign-in.ts';
import type { Span } from '../../lines/span.ts';
import { maskedLine, type TypedLine } from '../look/typed-line.ts';
import { capitalized, signInAttemptText } from '../phrases/words.ts';
import type { Scene } from '../scene.ts';
import { columnsBox } from './columns.ts';
import { confirmationDialog } from './confirmation.ts';
import { type Box, type Dialog, dialogBox, keyHints } from './dialog.ts';
import type { OpenDialog } from './dialog-table.ts';
import { paletteBox } from './palette.ts';
import { questionDialog } from './question.ts';
import { signInBox } from './sign-in-form.ts';

/** Undefined for a menu or a field without a box of its own, and for the help. */
export function openBox(open: OpenDialog, scene: Scene): Box | undefined {
	if (open.kind === 'signIn') return signInBox(open.form, scene);
	if (open.kind === 'palette') return paletteBox(open.entry, scene);
	if (open.kind === 'columns') return columnsBox(open, scene);
	const dialog = openDialogText(open, scene);
	return dialog && dialogBox(dialog, scene.layout);
}

/** Undefined for what is not made of sentences. */
export function openDialogText(open: OpenDialog, scene: Scene): Dialog | undefined {
	switch (open.kind) {
		case 'confirmation':
			return confirmationDialog(open.confirmation, scene);
		case 'password':
			return passwordDialog(open.prompt, open.entry.line, scene);
		case 'question':
			return questionDialog(open, scene);
		case 'welcome':
			return welcomeDialog(scene);
		default:
			return undefined;
	}
}

function passwordDialog(prompt: PasswordPrompt, typed: TypedLine, { actions, now }: Scene): Dialog {
	const { profile, email, host, hasCommand, problem, refusedCount = 0, refusedAt = now } = prompt;
	const attempt = problem && signInAttemptText(problem, refusedCount, refusedAt, now);
	const runsCommand = ['passwordCommand', 'runs the password command.'] as const;
	return {
		title: `Sign in to ${profile ?? host}`,
		tone: 'accent',
		lines: [
			[`${email} at ${host}. The password is sent there once and never stored.`],
			...(attempt ? [[`${capitalized(attempt)}.`, 'bad'] as const] : []),
			...keyHints(actions, hasCommand ? [runsCommand] : []).map((hint): Span => [hint]),
		],
		prompt: [['Password: ']],
		typed: maskedLine(typed),
		hints: keyHints(actions, [
			['submit', 'signs in'],
			['closeDialog', 'stays signed out'],
		]),
	};
}

const welcomeDialog = ({ actions }: Scene): Dialog => ({
	title: 'Welcome to crowsnest',
	tone: 'accent',
	lines: [
		[
			'Watch a fleet of cloud computers: what each one is doing, how old the data is, ' +
				'and one key for every operation.',
		],
		['No account is set up yet. This is a demo: break whatever you like.', 'faint'],
		...keyHints(actions, [
			// In the demo, the cursor begins on a computer in error, which only a restart may help.
			['restart', 'restarts the computer under the cursor; it asks first'],
			['filter', 'filters the table, as in status:error'],
			['open', 'shows what happened to that computer'],
		]).map((hint): Span => [`· ${hint}`]),
	],
	hints: [...keyHints(actions, [['signIn', 'signs in']]), 'any other key closes this and acts'],
});
