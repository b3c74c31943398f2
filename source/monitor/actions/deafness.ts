import type { OpenDialog } from '../../views/dialogs/dialog-table.ts';
import type { ActionContext } from '../../views/scene.ts';

// What confirms is deaf until a person can have read what it confirms.

export const readingTimeMs = 300;

export function isTooNew({ screenStore, clock }: ActionContext, { entry }: OpenDialog): boolean {
	const { seenDialog } = screenStore.getState();
	const now = clock.now();
	if (seenDialog?.id !== entry.id || seenDialog.step !== entry.answers.length) return true;
	const { visibleSince } = seenDialog;
	// If the clock was set back, the dialog counts as visible only from this moment.
	if (now < visibleSince)
		screenStore.setState({ seenDialog: { ...seenDialog, visibleSince: now } });
	return now - visibleSince < readingTimeMs;
}

/** The first letter needs a pause before it, so that what was typed too early is ignored as a whole. */
export function takesKey(context: ActionContext, dialog: OpenDialog): boolean {
	const { screenStore, clock } = context;
	const now = clock.now();
	const isUnread = isTooNew(context, dialog);
	const { seenDialog: seen } = screenStore.getState();
	if (!isUnread && seen?.takesLetters) return true;
	const isTooSoon = isUnread || Math.abs(now - (seen?.ignoredKeyAt ?? -Infinity)) < readingTimeMs;
	if (seen)
		screenStore.setState({
			seenDialog: isTooSoon ? { ...seen, ignoredKeyAt: now } : { ...seen, takesLetters: true },
		});
	return !isTooSoon;
}
