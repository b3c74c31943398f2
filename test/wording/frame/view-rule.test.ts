import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { initialScreen, type Screen } from '../../../source/screen/screen.ts';
import { viewRule } from '../../../source/wording/frame/view-rule.ts';
import { theme } from '../../sample-theme.ts';

const byStatus = { by: 'status', isReversed: false } as const;

function ruleOf(width: number, fleet: Screen['orderings']['fleet'] = byStatus, filter = '') {
	const initial = initialScreen();
	const screen: Screen = {
		...initial,
		filters: { ...initial.filters, fleet: filter },
		orderings: { ...initial.orderings, fleet },
	};
	return stripVTControlCharacters(
		viewRule({ screen, matchCount: 3, computerCount: 24, width, theme }),
	);
}

describe('the rule above the table', () => {
	test('says that a filter is not understood instead of counting as if it were applied', () => {
		const initial = initialScreen();
		const screen = { ...initial, filters: { ...initial.filters, fleet: 'cpu:>>80' } };
		const problem = 'cpu takes a number such as 80, not >80';
		const options = { screen, matchCount: 24, computerCount: 24, problem, width: 60, theme };
		expect(stripVTControlCharacters(viewRule(options))).toMatch(/ \/cpu:>>80 {2}not understood ─$/);
	});

	test('shows the number of computers instead of a filter that lists their ids', () => {
		expect(ruleOf(60, byStatus, 'id:=sb_12 OR id:=sb_13 OR id:=sb_14')).toMatch(
			/ \/3 computers by id {2}3 of 24 ─$/,
		);
	});

	test('names the order and its direction', () => {
		expect(ruleOf(60)).toMatch(/^─ by status ─+ 24 computers ─$/);
		expect(ruleOf(60, { by: 'cpu', isReversed: true })).toMatch(/^─ by CPU ▼ ─/);
		expect(ruleOf(60, { by: 'trouble', isReversed: false })).toMatch(/^─ trouble first ─/);
	});

	test('names no order above the map, in which each computer keeps its place', () => {
		const initial = initialScreen();
		const screen = { ...initial, map: { ...initial.map, isOpen: true } };
		const options = { screen, matchCount: 24, computerCount: 24, width: 60, theme };
		expect(stripVTControlCharacters(viewRule(options))).toMatch(/^─+ 24 computers ─$/);
	});
});
