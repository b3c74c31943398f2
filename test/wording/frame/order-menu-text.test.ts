import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { unknownNameProblem } from '../../../source/foundation/unknown-name.ts';
import { bindings } from '../../../source/keys/bindings.ts';
import { initialScreen } from '../../../source/screen/screen.ts';
import { filterLine } from '../../../source/wording/frame/filter-line.ts';
import { orderMenuLine } from '../../../source/wording/frame/order-menu-text.ts';
import { theme } from '../../sample-theme.ts';

const menuIn = (width: number, hasSeveralAccounts = false) =>
	stripVTControlCharacters(
		orderMenuLine({ current: 'trouble', bindings, hasSeveralAccounts, width, theme }),
	);

test('the menu of orders is one line, with all orders where they fit, or it says that it leaves some out', () => {
	expect(menuIn(200)).toMatch(/^ Order by {2}t trouble {2}n name .* {2}r address +Esc closes$/);
	expect(menuIn(200)).not.toContain('w account');
	expect(menuIn(200, true)).toContain('w account');
	expect(menuIn(120)).toMatch(/^ t trouble n name .* r addr +Esc$/);
	expect(menuIn(80)).toMatch(/^ t trouble n name s status v ver .* p port … +Esc$/);
	for (const width of [200, 120, 80, 60, 40, 30]) expect(stringWidth(menuIn(width))).toBe(width);
});

test('a problem with the filter that has no room loses its hint, whatever the typed word contains', () => {
	const initial = initialScreen();
	const screen = {
		...{ ...initial, isFiltering: true },
		filters: { ...initial.filters, fleet: 'status:"a. b, c"' },
	};
	const names = ['name', 'id', 'address', 'status', 'stage', 'version', 'location', 'uptime'];
	const lineIn = (width: number) =>
		stripVTControlCharacters(
			filterLine(
				{ screen, width, theme },
				{ filterCompletions: () => ({ from: 0, to: 0, completions: [] }) },
				{
					...{ matchCount: 3, totalCount: 7, hiddenMarkCount: 0, countdown: undefined },
					...unknownNameProblem('status', 'a. b, c', names),
				},
				bindings,
			),
		);
	expect(lineIn(60)).toMatch(/ No status “a\. b, c”\. $/);
	expect(lineIn(160)).toMatch(/ No status “a\. b, c”\. Known: name, id, .* uptime $/);
});
