import type { DOMElement } from 'ink';
import { createContext, useContext, useLayoutEffect, useRef } from 'react';
import { useLatest } from '../keys/latest-value.ts';
import { cellsOf } from '../lines/measure.ts';
import type { Span } from '../lines/span.ts';
import type { Click } from '../screen/click.ts';
import { cellWithin } from './fleet/DrawnTable.ts';

type Area = {
	element: () => DOMElement | null;
	/** Returns what stands in a line of the area. */
	lineAt: (y: number) => readonly Span[] | undefined;
	/** Whether the area belongs to a dialog. Such an area covers the ones below it. */
	isInDialog: boolean;
};

export type ClickAreas = {
	/** Adds an area, and returns a function that removes it. */
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
				const click = place && clickIn(area.lineAt(place.y) ?? [], place.x);
				if (click) return click as Click;
			}
			return undefined;
		},
	};
}

/** Returns what a click on a cell of a line does. */
function clickIn(spans: readonly Span[], x: number) {
	let end = 0;
	return spans.find(([text]) => {
		end += cellsOf(text);
		return x < end;
	})?.[2];
}

/** The set to which the lines of the screen add themselves; undefined where nothing can be clicked. */
export const ClickAreasContext = createContext<ClickAreas | undefined>(undefined);

/** Returns a reference for the box whose lines react to clicks. */
export function useClickArea(lineAt: Area['lineAt'], isInDialog = false) {
	const areas = useContext(ClickAreasContext);
	const element = useRef<DOMElement>(null);
	const latest = useLatest(lineAt);
	useLayoutEffect(
		() =>
			areas?.add({
				element: () => element.current,
				lineAt: y => latest.current(y),
				isInDialog,
			}),
		[areas, latest, isInDialog],
	);
	return element;
}
