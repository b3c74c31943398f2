import { expect, test } from 'vitest';
import { createDispatcher } from '../../../source/views/actions/dispatcher.ts';
import { actions } from '../../../source/views/actions/table.ts';
import { withTopClosed } from '../../../source/views/look/going-back.ts';
import {
	applyMove,
	orderBy,
	setFilter,
	showView,
	startFilter,
} from '../../../source/views/look/moves.ts';
import {
	currentFilter,
	currentOrdering,
	initialScreen,
} from '../../../source/views/look/screen.ts';
import {
	filterableViews,
	orderableViews,
	type View,
	viewRows,
	views,
} from '../../../source/views/look/view-table.ts';

const shown = {
	ids: [],
	maxRows: 10,
	maxScroll: () => 0,
	orderableFields: ['name', 'cpu'] as const,
};

const dispatch = createDispatcher(actions);

test.each(views)('the key of the view “%s” opens that view from every other view', view => {
	for (const from of views) {
		expect(dispatch(viewRows[view].key, from)?.id).toBe(view);
	}
});

test.each(views)(
	'the view “%s” opens its filter, or else that of the fleet, and accepts the keys for orders only if it has an order',
	view => {
		const screen = { ...initialScreen(), view };
		expect(dispatch('/', view)).toBeDefined();
		expect(dispatch('>', view) !== undefined).toBe(orderableViews.includes(view));
		const filtering = applyMove(screen, startFilter, shown);
		expect(filtering.isFiltering).toBe(true);
		expect(filtering.view).toBe(filterableViews.includes(view) ? view : 'fleet');
		expect(currentOrdering(screen) !== undefined).toBe(orderableViews.includes(view));
	},
);

test('the field after the last one of a view is the first one, and a new field is not reversed', () => {
	const orderingAfter = (view: View, by: string, step: 1 | -1) => {
		const screen = { ...initialScreen(), view };
		const orderings = { ...screen.orderings, [view]: { by, isReversed: true } };
		const moved = applyMove({ ...screen, orderings }, orderBy(step), shown);
		return currentOrdering(moved);
	};
	expect(orderingAfter('models', 'id', 1)).toEqual({ by: 'owner', isReversed: false });
	expect(orderingAfter('models', 'id', -1)?.by).toBe('outputPrice');
	expect(orderingAfter('models', 'outputPrice', 1)?.by).toBe('id');
	expect(orderingAfter('fleet', 'cpu', 1)?.by).toBe('name');
});

test('each view keeps its own filter, and going back clears the filter before it leaves the view', () => {
	const log = { ...initialScreen(), view: 'log' as const };
	const filtered = applyMove(log, setFilter('you'), shown);
	expect(currentFilter(filtered)).toBe('you');
	expect(currentFilter(applyMove(filtered, showView('fleet'), shown))).toBe('');
	const cleared = applyMove(filtered, withTopClosed, shown);
	expect([cleared.view, currentFilter(cleared)]).toEqual(['log', '']);
	expect(applyMove(cleared, withTopClosed, shown).view).toBe('fleet');
});
