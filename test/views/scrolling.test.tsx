import { expect, test } from 'vitest';
import { maxScroll } from '../../source/drawing/layout.ts';
import { sectionsHeight } from '../../source/drawing/section.ts';
import type { Change } from '../../source/fleet/change.ts';
import { initialScreen } from '../../source/screen/screen.ts';
import type { TextView } from '../../source/screen/view-table.ts';
import { type AccountState, emptyAccount } from '../../source/store/state.ts';
import { Stack } from '../../source/views/Stack.tsx';
import { createViewSelectors, viewTexts } from '../../source/wording/views/view-texts.ts';
import { now } from '../arbitraries/values.ts';
import { noOperations, onlyAccount } from '../opened-account.ts';
import { theme } from '../sample-theme.ts';
import { renderLines } from './rendered.tsx';

const ids = Array.from({ length: 25 }, (_, at) => `model-${String(at).padStart(2, '0')}`);
const account: AccountState = {
	...emptyAccount,
	models: ids.map(id => ({ id })),
	release: { version: '1.4.2', changes: ids.map(text => ({ type: 'fixed', text })) },
};
const look = { width: 60, now, theme };

const changes = ids.map(
	(name, at): Change => ({
		type: 'statusChanged',
		id: name,
		name,
		at: now - at * 60_000,
		notBefore: now - at * 60_000,
		from: 'active',
		to: 'stopped',
	}),
);

function viewOf(view: TextView) {
	const options = {
		...initialScreen(),
		...createViewSelectors(),
		...look,
		account: { ...account, changes },
		accounts: onlyAccount(account),
		runway: null,
		...noOperations,
		lines: 10,
	};
	const text = {
		title: viewTexts[view].title(options),
		sections: viewTexts[view].sections(options),
	};
	const draw = (lines: number, firstLine: number) =>
		renderLines(<Stack {...text} {...look} {...{ lines, firstLine }} isLowBandwidth />, look.width);
	return { draw, height: sectionsHeight(text.sections) };
}

const { draw: models } = viewOf('models');

test.each(['models', 'versions', 'log'] as const)(
	'scrolling the %s view reaches every line and stops at the last one',
	view => {
		const { draw, height } = viewOf(view);
		const lines = 10;
		const end = maxScroll(height, lines);
		const seen = Array.from({ length: end + 1 }, (_each, first) => draw(lines, first));
		for (const id of ids) {
			expect(seen.some(window => window.some(line => line.includes(id)))).toBe(true);
		}
		expect(seen[0]?.at(-1)).toBe(` ▼ ${height - 8} more lines`);
		expect(seen[3]?.at(-1)).toBe(` ▼ ${height - 11} more lines  ▲ 3 above`);
		expect(seen.at(-1)?.at(-1)).toBe(` ▲ ${height - 8} above`);
		expect(draw(lines, end + 5)).toEqual(seen.at(-1));
		expect(seen.at(-2)).not.toEqual(seen.at(-1));
	},
);

test('a view whose lines all fit does not scroll', () => {
	expect(maxScroll(26, 27)).toBe(0);
	expect(models(27, 9)).toEqual(models(27, 0));
	expect(models(27, 0).at(-1)).toContain('model-24');
});

test('the column titles of a table scroll away with its rows', () => {
	expect(models(10, 0)[1]).toContain('MODEL▲');
	expect(models(10, 1)[1]).toContain('model-00');
});
