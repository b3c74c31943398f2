import type { Binding } from '../../keys/binding.ts';
import type { OpenDialog } from '../../keys/open-dialog.ts';
import type { ExitSummary } from '../../operations/exit-summary.ts';
import type { AccountState } from '../../store/state.ts';
import type { Dialog } from './dialog-text.ts';
import { confirmationDialog, questionDialog, type TableView } from './question-text.ts';
import { passwordDialog, welcomeDialog } from './sign-in-text.ts';

export type DialogTextOptions = {
	account: AccountState;
	tableView: TableView;
	exitSummary: () => ExitSummary;
	bindings: readonly Binding[];
};

/** Words the open dialog. Returns undefined for text fields, menus and the help, which look different. */
export function dialogTextOf(
	dialog: OpenDialog,
	{ account, tableView, exitSummary, bindings }: DialogTextOptions,
): Dialog | undefined {
	switch (dialog.kind) {
		case 'confirmation':
			return confirmationDialog(dialog.confirmation, exitSummary(), bindings);
		case 'password':
			return passwordDialog(dialog.prompt, dialog.entry.line, bindings);
		case 'question':
			return questionDialog(dialog, account, tableView, bindings);
		case 'welcome':
			return welcomeDialog(bindings);
		default:
			return undefined;
	}
}
