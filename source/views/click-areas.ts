import type { DOMElement } from 'ink';
import { createContext } from 'react';
import type { DrawnLine } from '../drawing/drawn-line.ts';
import type { Click } from '../screen/click.ts';
import { cellWithin } from './fleet/DrawnTable.ts';

type Area = {
	element: () => DOMElement | null;
	zones: DrawnLine['zones'];
	/** Whether the area belongs to a dialog. Such an area covers the ones below it. */
	isInDialog: boolean;
};

export type ClickAreas = {
	/** Adds the zones of a drawn line, and returns a function that removes them. */
	add(area: Area): () => void;
	/** Returns what a click on this cell of the screen does. */
	clickAt(cell: { x: number; y: number }, isInDialog: boolean): Click | undefined;
};

/** Creates the set of lines that react to clicks. A line is in the set only while it is drawn. */
export function createClickAreas(): ClickAreas {
	const areas = new Set<Area>();
	return {
		add(area) {
			areas.add(area);
			return () => void areas.delete(area);
		},
		clickAt(cell, isInDialog) {
			for (const area of areas) {
				if (area.isInDialog !== isInDialog) continue;
				const place = cellWithin(area.element(), cell);
				const zone = place && area.zones.find(({ from, to }) => place.x >= from && place.x < to);
				if (zone) return zone.click;
			}
			return undefined;
		},
	};
}

/** The set to which the lines of the screen add themselves; undefined where nothing can be clicked. */
export const ClickAreasContext = createContext<ClickAreas | undefined>(undefined);
