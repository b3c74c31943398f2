import type { DOMElement } from 'ink';
import { createContext } from 'react';
import type { Click } from '../screen/click.ts';
import { cellWithin } from './DrawnTable.ts';

type Area = {
	element: () => DOMElement | null;
	/** Returns what a click on a cell of the area does. */
	clickAt: (x: number, y: number) => Click | undefined;
	/** Whether the area belongs to a dialog. Such an area covers the ones below it. */
	isInDialog: boolean;
};

export type ClickAreas = {
	/** Adds an area that reacts to clicks, and returns a function that removes it. */
	add(area: Area): () => void;
	/** Returns what a click on this cell of the screen does. */
	clickAt(cell: { x: number; y: number }, isInDialog: boolean): Click | undefined;
};

/** Creates the set of areas that react to clicks. An area is in the set only while it is drawn. */
export function createClickAreas(): ClickAreas {
	const areas = new Set<Area>();
	return {
		add(area) {
			areas.add(area);
			return () => void areas.delete(area);
		},
		clickAt(cell, isInDialog) {
			for (const area of areas) {
				const place = area.isInDialog === isInDialog && cellWithin(area.element(), cell);
				const click = place && area.clickAt(place.x, place.y);
				if (click) return click;
			}
			return undefined;
		},
	};
}

/** The set to which the lines of the screen add themselves; undefined where nothing can be clicked. */
export const ClickAreasContext = createContext<ClickAreas | undefined>(undefined);
