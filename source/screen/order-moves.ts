import {
	isReversible,
	type OrderField,
	orderFieldFrom,
	showsLargestFirst,
} from '../fleet/computers/order-fields.ts';
import { withFirstRowShown } from './cursor.ts';
import { currentOrdering, type Screen, type Viewport } from './screen.ts';
import { viewRows } from './view-table.ts';

/** A move that changes the order of the lines. */
export type OrderMove =
	/** Orders by the next visible column in this direction. */
	| { type: 'orderBy'; direction: 1 | -1 }
	| { type: 'reverse' }
	/** Opens the menu of orders, in which a letter chooses one. */
	| { type: 'openOrderMenu' }
	/** Orders the table by this field. The field that orders it already reverses it. */
	| { type: 'orderByField'; field: OrderField };

export function withOrderMove(screen: Screen, move: OrderMove, viewport: Viewport): Screen {
	const ordering = currentOrdering(screen);
	switch (move.type) {
		case 'orderBy':
			return withAdjacentOrdering(screen, move.direction, viewport);
		case 'reverse':
			return ordering && isReversible(ordering.by)
				? withOrdering(screen, ordering.by, !ordering.isReversed, viewport)
				: screen;
		case 'openOrderMenu':
			return { ...screen, isOrderMenuOpen: true, entry: undefined };
		case 'orderByField': {
			const { field } = move;
			const isAgain = ordering?.by === field && isReversible(field);
			const isReversed = isAgain ? !ordering.isReversed : isFirstReversed(field);
			return withOrdering({ ...screen, isOrderMenuOpen: false }, field, isReversed, viewport);
		}
	}
}

function withAdjacentOrdering(screen: Screen, direction: 1 | -1, viewport: Viewport): Screen {
	const { orderableFields } = viewport;
	const { orderFields } = viewRows[screen.view];
	const hasColumns = orderFields === 'columns';
	const fields: readonly string[] = hasColumns ? orderableFields : orderFields;
	const at = fields.indexOf(currentOrdering(screen)?.by ?? '');
	const next = fields[(Math.max(0, at) + direction + fields.length) % fields.length];
	if (next === undefined) return screen;
	return withOrdering(screen, next, hasColumns && isFirstReversed(next), viewport);
}

function isFirstReversed(by: string): boolean {
	const field = orderFieldFrom(by);
	return field !== undefined && showsLargestFirst(field);
}

function withOrdering(screen: Screen, by: string, isReversed: boolean, viewport: Viewport): Screen {
	const { cursor, orderings, view } = screen;
	const isFleet = viewRows[view].orderFields === 'columns';
	const ordered = {
		...screen,
		...(cursor && { cursor: { ...cursor, isAtTop: false } }),
		orderings: { ...orderings, [view]: { by, isReversed } },
	};
	return isFleet ? withFirstRowShown(ordered, viewport) : ordered;
}
