import type { DOMElement } from 'ink';
import { createContext, useContext, useLayoutEffect, useRef } from 'react';
import { cellsOf } from '../lines/measure.ts';
import type { Span } from '../lines/span.ts';
import { cellWithin } from './fleet/DrawnTable.ts';
import { useLatest } from './latest-value.ts';
import type { Click } from './look/moves.ts';

type Area = {
	element: () => DOMElement | null;
	clickAt: (x: number, y: number) => Click | undefined;
	/** Such an area covers the ones below it. */
	isInDialog: boolean;
};

export type ClickAreas = {
	/** Returns a function that removes the area. */
	add(area: Area): () => void;
	clickAt(cell: { x: number; y: number }, isInDialog: boolean): Click | undefined;
};

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

export const ClickAreasContext = createContext<ClickAreas | undefined>(undefined);

export function useClickArea(
	lineAt: (y: number) => readonly Span[] | undefined,
	isInDialog = false,
) {
	const areas = useContext(ClickAreasContext);
	const element = useRef<DOMElement>(null);
	const latest = useLatest(lineAt);
	useLayoutEffect(
		() =>
			areas?.add({
				element: () => element.current,
				clickAt: (x, y) => clickIn(latest.current(y) ?? [], x),
				isInDialog,
			}),
		[areas, latest, isInDialog],
	);
	return element;
}

function clickIn(spans: readonly Span[], x: number): Click | undefined {
	let end = 0;
	const span = spans.find(([text]) => {
		end += cellsOf(text);
		return x < end;
	});
	return span?.[2] as Click | undefined;
}
