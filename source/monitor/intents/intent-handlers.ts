import type { Intent } from '../../keys/binding.ts';
import type { Screen } from '../../screen/screen.ts';
import type { VisibleRows } from '../../wording/table/visible-rows.ts';

export type IntentOf<T extends Intent['type']> = Extract<Intent, { type: T }>;

/** A function for each type of intent. */
export type IntentHandlers = {
	[T in Intent['type']]: (intent: IntentOf<T>, screen: Screen, visibleRows: VisibleRows) => void;
};
