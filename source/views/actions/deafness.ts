import { ignoresEarlyKeys, type OpenDialog } from '../dialogs/dialog-table.ts';
import { isTooNewToConfirm, readingTimeMs } from '../look/dialogs.ts';
import type { ActionContext } from '../scene.ts';

// What confirms is deaf until a person can have read what it confirms.

/** Whether a person cannot have read yet what the dialog asks. */
export function isTooNew({ screenStore, clock }: ActionContext, { entry }: OpenDialog): boolean {
	const { seenDialog } = screenStore.getState();
	const now = clock.now();
	// If the clock was set back, the dialog counts as visible only from this moment.
	if (seenDialog?.id === entry.id && now < seenDialog.visibleSince) {
		screenStore.setState({ seenDialog: { ...seenDialog, visibleSince: now } });
		return true;
	}
	return isTooNewToConfirm(seenDialog, entry, now);
}

/** Whether this key may confirm the dialog: a person has been able to read it, and the key came alone. */
export const mayConfirm = (context: ActionContext, dialog: OpenDialog) =>
	!ignoresEarlyKeys(dialog) || (!isTooNew(context, dialog) && context.terminal.isKeyAlone());

/**
 * Whether a typed confirmation takes a key now. It takes the first one only after a pause, so that letters which were
 * typed before a person could read it are ignored as a whole, and never only in part.
 */
export function takesKey(context: ActionContext, dialog: OpenDialog): boolean {
	const { screenStore, clock } = context;
	const now = clock.now();
	const isUnread = isTooNew(context, dialog);
	const { seenDialog: seen } = screenStore.getState();
	if (!isUnread && seen?.takesLetters) return true;
	const isTooSoon =
		isUnread || Math.abs(now - (seen?.ignoredKeyAt ?? Number.NEGATIVE_INFINITY)) < readingTimeMs;
	if (seen)
		screenStore.setState({
			seenDialog: isTooSoon ? { ...seen, ignoredKeyAt: now } : { ...seen, takesLetters: true },
		});
	return !isTooSoon;
}
