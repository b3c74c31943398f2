import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { orderFields, orderRows } from '../../../source/fleet/computers/order-fields.ts';
import { unknownNameProblem } from '../../../source/foundation/unknown-name.ts';
import { bindings } from '../../../source/keys/bindings.ts';
import { initialScreen, type Screen } from '../../../source/screen/screen.ts';
import { filterLine } from '../../../source/wording/frame/filter-line.ts';
import { orderMenuLines } from '../../../source/wording/frame/order-menu-text.ts';
import { overflowLine } from '../../../source/wording/frame/overflow-line.ts';
import { plainLine, type WaitLine } from '../../../source/wording/phrases/waiting-text.ts';
import { theme } from '../../sample-theme.ts';

const menuIn = (width: number, hasLineAbove: boolean) => {
	const menu = orderMenuLines({ current: 'trouble', bindings, hasLineAbove, width, theme });
	return [menu.above ?? '', menu.keys].map(line => stripVTControlCharacters(line));
};

test('the menu of orders shows every order in two lines, or in one where all fit', () => {
	const [above = '', keys = ''] = menuIn(120, true);
	for (const field of orderFields) expect(above + keys).toContain(` ${orderRows[field].label}`);
	expect(above + keys).not.toContain('…');
	expect(keys).toMatch(/Esc closes$/);
	expect(menuIn(200, true)[0]).toBe('');
	for (const width of [120, 80, 60, 40, 30])
		for (const line of menuIn(width, true)) expect(stringWidth(line)).toBe(width);
});

test('on a narrow screen, the menu of orders shows every key in two lines, with short names', () => {
	for (const width of [80, 60]) {
		const menu = orderMenuLines({
			...{ current: 'trouble', bindings, hasLineAbove: true, width, theme },
			hasSeveralAccounts: false,
		});
		const text = stripVTControlCharacters(`${menu.above} ${menu.keys}`);
		for (const field of orderFields) {
			const { key, label, short = label } = orderRows[field];
			if (field === 'account') expect(text).not.toMatch(/ w a/);
			else expect(text).toMatch(new RegExp(` ${key} (${label}|${short})`));
		}
		expect(text).not.toContain('…');
		expect(text).toMatch(/Esc( closes)?$/);
	}
});

test('the menu of orders has all orders in one line where they fit, or says that it leaves some out', () => {
	const [above, keys] = menuIn(120, false);
	expect(above).toBe('');
	expect(keys).toMatch(/^ t trouble n name .* r addr +Esc$/);
	expect(menuIn(80, false)[1]).toMatch(/^ t trouble n name .* p port … +Esc$/);
});

const typing = (text: string): Screen => {
	const screen = initialScreen();
	return { ...screen, isFiltering: true, filters: { ...screen.filters, fleet: text } };
};

const fieldNames = ['name', 'id', 'address', 'status', 'stage', 'version', 'location', 'uptime'];
const unknownField = unknownNameProblem('field', 'zzz', fieldNames);
const { problem } = unknownField;
const state = {
	...{ matchCount: 3, totalCount: 7, hiddenMarkCount: 0, countdown: undefined },
	...unknownField,
};
const noCompletions = () => ({ from: 0, to: 0, completions: [] });

const lineOf = (width: number) =>
	stripVTControlCharacters(
		filterLine(
			{ screen: typing('zzz:1'), width, theme },
			{ filterCompletions: noCompletions },
			state,
			bindings,
		),
	);

test('a long problem with the filter has a line of its own, and never hides a short filter', () => {
	const above = (width: number, countdown?: WaitLine) =>
		overflowLine(
			{ screen: typing('zzz:1'), width, theme },
			{ ...unknownField, countdown },
			bindings,
		);
	expect(above(80)).toContain('No field “zzz”. Known: name, id, address');
	expect(lineOf(80)).toMatch(/^ \/zzz:1 ▏.* No field “zzz”\. $/);
	expect(above(120)).toBeUndefined();
	expect(lineOf(120)).toContain(problem);
	expect(
		above(80, plainLine('Stopping atlas in 4 s')),
		'the line of the countdown',
	).toBeUndefined();
});

test('a problem that has the line above is not repeated beside the filter, and its list ends after a whole name', () => {
	const screen = typing('zzz:1');
	const beside = (isLineAboveFree: boolean) =>
		stripVTControlCharacters(
			filterLine(
				{ screen, width: 60, theme },
				{ filterCompletions: noCompletions },
				{ ...state, isLineAboveFree },
				bindings,
			),
		);
	expect(beside(true)).not.toContain('No field');
	expect(beside(false)).toContain('No field “zzz”.');
	const above = overflowLine({ screen, width: 60, theme }, { ...state }, bindings) ?? '';
	expect(stripVTControlCharacters(above).trim()).toBe(
		'No field “zzz”. Known: name, id, address, status, stage, …',
	);
	const long = { ...state, problem: 'x'.repeat(80), problemParts: undefined };
	expect(overflowLine({ screen, width: 60, theme }, long, bindings)).toContain('xxx…');
});

test('a problem without room loses its hint, whatever the typed word contains', () => {
	const unknownStatus = unknownNameProblem('status', 'a. b, c', fieldNames);
	const options = { screen: typing('status:"a. b, c"'), width: 60, theme };
	const beside = filterLine(
		options,
		{ filterCompletions: noCompletions },
		{ ...state, ...unknownStatus },
		bindings,
	);
	expect(stripVTControlCharacters(beside)).toMatch(/ No status “a\. b, c”\. $/);
	const above = overflowLine(options, { ...state, ...unknownStatus }, bindings) ?? '';
	expect(stripVTControlCharacters(above).trim()).toBe(
		'No status “a. b, c”. Known: name, id, address, status, …',
	);
});
