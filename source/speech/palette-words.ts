import { findPaletteItems } from '../views/palette/find.ts';
import type { FoundItem } from '../views/palette/item.ts';
import type { Action } from '../views/scene.ts';
import type { SpokenScene } from './scene.ts';

export type PaletteDeps = { actions: readonly Action[] };

/** Says which line of the palette is chosen. */
export function paletteWords(scene: SpokenScene, deps: PaletteDeps): string {
	const { items, index } = foundIn(scene, deps);
	const item = items[index];
	if (!item) return noMatchText(scene.screen);
	const note = item.note ? `, ${item.note}` : '';
	return `${index + 1} of ${items.length}: ${item.label}${note}.`;
}

/** Returns the line that Enter runs; undefined if there is none. */
export function chosenItem(scene: SpokenScene, deps: PaletteDeps): FoundItem | undefined {
	const { items, index } = foundIn(scene, deps);
	return items[index];
}

const foundIn = (scene: SpokenScene, { actions }: PaletteDeps) =>
	findPaletteItems({ ...scene, actions });

export const noMatchText = ({ entry }: SpokenScene['screen']) =>
	`Nothing matches “${entry?.line.text ?? ''}”.`;
