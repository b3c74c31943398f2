import type { Intent } from '../keys/binding.ts';
import type { Screen } from '../screen/screen.ts';
import type { VisibleRows } from '../wording/visible-rows.ts';

export type IntentOf<T extends Intent['type']> = Extract<Intent, { type: T }>;

/** One function for each intent, named by it. */
export type IntentHandlers = {
	[T in Intent['type']]: (intent: IntentOf<T>, screen: Screen, visibleRows: VisibleRows) => void;
};
