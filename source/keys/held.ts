import type { Held } from '../operations/held.ts';
import type { Screen } from '../screen/screen.ts';
import type { Place } from './binding.ts';

// Help, palette, filter and menus leave the line in sight that tells of a countdown.
const dialogs: ReadonlySet<Place> = new Set(['question', 'confirmation', 'welcome']);

/** Why countdowns are out of sight in that place; undefined where they are seen. */
export function heldIn(place: Place, { confirmation }: Screen): Held | undefined {
	if (confirmation?.about === 'leave') return 'quit';
	if (place === 'unseen') return 'too small';
	return dialogs.has(place) ? 'dialog' : undefined;
}
