import type { Span } from '../../drawing/span.ts';
import type { PasswordPrompt } from '../../foundation/sign-in.ts';
import type { Binding } from '../../keys/binding.ts';
import type { OpenDialog } from '../../keys/open-dialog.ts';
import type { ExitSummary } from '../../operations/operations-state.ts';
import type { TypedLine } from '../../screen/typed-line.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import { attemptText } from '../phrases/attempt-text.ts';
import { capitalized } from '../phrases/words.ts';
import { confirmationDialog } from './confirmation-text.ts';
import type { Dialog } from './dialog-text.ts';
import { dialogHints, keyHints } from './key-line.ts';
import { questionDialog, type TableView } from './question-text.ts';

export type DialogTextOptions = {
	accounts: readonly OpenedAccount[];
	tableView: TableView;
	exitSummary: (account?: string) => ExitSummary;
	bindings: readonly Binding[];
};

/** Words the open dialog. Returns undefined for text fields, menus and the help, which look different. */
export function dialogTextOf(
	dialog: OpenDialog,
	{ accounts, tableView, exitSummary, bindings }: DialogTextOptions,
): Dialog | undefined {
	switch (dialog.kind) {
		case 'confirmation':
			return confirmationDialog(
				dialog.confirmation,
				exitSummary(dialog.confirmation.account?.key),
				bindings,
			);
		case 'password':
			return passwordDialog(dialog.prompt, dialog.entry.line, bindings, tableView.now);
		case 'question':
			return questionDialog(dialog, accounts, tableView, bindings);
		case 'welcome':
			return welcomeDialog(bindings);
		default:
			return undefined;
	}
}

/** Builds the dialog that asks for a password. The typed line has a dot for each letter. */
export function passwordDialog(
	prompt: PasswordPrompt,
	line: TypedLine,
	bindings: readonly Binding[],
	now: number,
): Dialog {
	const { profile, email, host, hasCommand } = prompt;
	const problem = problemText(prompt, now);
	const commandHints = hasCommand
		? keyHints(bindings, [['passwordCommand', 'runs the password command.']])
		: [];
	return {
		title: `Sign in to ${profile ?? host}`,
		tone: 'accent',
		lines: [
			[`${email} at ${host}. The password is sent there once and never stored.`],
			...(problem === undefined ? [] : [[problem, 'bad'] as const]),
			...commandHints.map(hint => [hint] as const),
		],
		prompt: [['Password: ']],
		typed: [line],
		hints: dialogHints(bindings, {
			answeredBy: 'typing',
			accept: 'signs in',
			refuse: 'stays signed out',
		}),
	};
}

function problemText(prompt: PasswordPrompt, now: number): string | undefined {
	const { problem, refusedCount = 0, refusedAt = now } = prompt;
	return problem && `${capitalized(attemptText(problem, refusedCount, refusedAt, now))}.`;
}

/** Builds the dialog that greets a person who has not set up an account yet. */
export const welcomeDialog = (bindings: readonly Binding[]): Dialog => ({
	title: 'Welcome to crowsnest',
	tone: 'accent',
	lines: [
		[
			'Watch a fleet of cloud computers: what each one is doing, how old the data is, ' +
				'and one key for every operation.',
		],
		['No account is set up yet. This is a demo: break whatever you like.', 'faint'],
		...keyHints(bindings, [
			// In the demo, the cursor begins on a computer in error, which only a restart may help.
			['restart', 'restarts the computer under the cursor; it asks first'],
			['filter', 'filters the table, as in status:error'],
			['open', 'shows what happened to that computer'],
		]).map((hint): Span => [`· ${hint}`]),
	],
	prompt: [],
	hints: [...keyHints(bindings, [['signIn', 'signs in']]), 'any other key closes this and acts'],
});
