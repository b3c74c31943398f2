import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { layoutFor } from '../../source/drawing/layout.ts';
import { createTheme } from '../../source/drawing/theme.ts';
import type { Reading } from '../../source/fleet/computers/computer.ts';
import { bindings } from '../../source/keys/bindings.ts';
import { initialScreen, type Screen } from '../../source/screen/screen.ts';
import { createCountsSelector } from '../../source/store/selectors.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import { FleetScreen } from '../../source/views/FleetScreen.tsx';
import { createVisibleRows } from '../../source/wording/table/visible-rows.ts';
import { createViewSelectors } from '../../source/wording/views/view-texts.ts';
import { onlyAccount } from '../opened-account.ts';
import { renderLines } from './rendered.tsx';

const now = Date.UTC(2026, 10, 21, 8);
const account = 'test';

const names = [
	'atlas',
	'東京の非常に長いコンピューター名前です本当に',
	'👩‍👩‍👧‍👦 family 🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀',
	'cafe\u0301 '.repeat(12),
	'x'.repeat(300),
];

const statuses = [
	'active',
	'provisioning',
	'stopped',
	'error',
	'a status nobody has heard of',
	'stopping',
];

const computers = Array.from(
	{ length: 60 },
	(_, index): Reading => ({
		id: `sb_${index}`,
		name: `${names[index % names.length]}${index}`,
		status: statuses[index % statuses.length] ?? '',
		stage: 'loading_image',
		stageProgress: (index * 7) % 101,
		stageMessage: 'Loading the image of the computer, which takes a while '.repeat(3),
		version: index % 3 ? '1.3.9' : '1.4.2-preview.20261121+build.77',
		error: 'image pull failed: disk quota exceeded for this account; '.repeat(3),
		cpu: index,
		memory: 100 - index,
		startedAt: now - index * 9_000_000,
		ports: Array.from({ length: index % 9 }, (_, at) => ({ port: 8000 + at })),
	}),
);

const store = createStore();
store.foldAll([
	{ account, at: now - 90_000, type: 'listRead', computers: computers.slice(1) },
	{ account, at: now - 4000, type: 'listRead', computers },
	{ account, at: now, type: 'signedIn', email: `${'a'.repeat(80)}@example.com` },
	{ account, at: now, type: 'creditsRead', credits: { balance: 123_456.78 } },
	{
		account,
		at: now,
		type: 'subscriptionRead',
		subscription: { plan: 'pro', planName: 'The professional plan for people with taste' },
	},
	{ account, at: now, type: 'releaseRead', release: { version: '1.4.2', changes: [] } },
	{
		account,
		at: now,
		type: 'paceChanged',
		standings: {
			create: { limit: 5, spent: 5 },
			status: { limit: 60, spent: 60, frozenUntil: now + 9000 },
			other: { limit: 30, spent: 30 },
		},
	},
]);

function draw(columns: number, rows: number, screen: Screen, state = store.getState()) {
	const layout = layoutFor(columns, rows);
	if (layout.isTooSmall) throw new Error('too small');
	const theme = createTheme({ colourBits: 24, background: 'dark', hasUnicode: true });
	const known = state.accounts.get(account) ?? emptyAccount;
	const accounts = onlyAccount(known);
	const shown = createVisibleRows()({ accounts, screen, layout, now });
	const counts = createCountsSelector()(shown.allRows);
	const operationsState = {
		question: undefined,
		isLocked: false,
		isReadOnly: false,
		commandRuns: [],
		portChecks: [],
		holdReason: undefined,
		isEscapePending: () => false,
	};
	const viewSelectors = createViewSelectors();
	const addresses = { publicAddress: () => 'https://a.example', shareAddress: () => '' };
	const waiting = {
		viewSelectors,
		isLowBandwidth: false,
		addressesOf: () => addresses,
		waitingFor: () => undefined,
		estimateTimeLeft: () => 0,
		keyContext: screen.view,
		operationsState,
	};
	const runway = { burnPerHour: 12_345.678, timeLeftMs: 9_000_000_000 };
	const props = {
		accounts,
		account: known,
		screen,
		shown,
		firstRow: 0,
		counts,
		statusAges: undefined,
		runway,
		layout,
		bindings,
		now,
		theme,
		...waiting,
		badge: { text: 'production-with-a-long-name', colour: '#aa0011' },
	};
	// The renderer is wider than the screen, so that a line that is too long would be seen.
	return renderLines(<FleetScreen {...props} />, columns + 10);
}

const plain = initialScreen();
const screens: Record<string, Screen> = {
	'the table of computers': plain,
	'a filter that is being typed': {
		...plain,
		isFiltering: true,
		filters: { fleet: 'status:active colour:red '.repeat(9), models: '', log: '' },
	},
	'a filtered table': {
		...plain,
		filters: { fleet: 'status:active name:very-long-words-that-never-end', models: '', log: '' },
	},
	'a notice': { ...plain, notice: { text: 'copied sb_0123456789'.repeat(8), shownAt: now } },
	'the help': { ...plain, isHelpOpen: true },
	'the details of a computer': { ...plain, isDetailOpen: true },
	'the billing view': { ...plain, view: 'billing' },
	'the models view': { ...plain, view: 'models' },
	'the versions view': { ...plain, view: 'versions' },
	'the log': { ...plain, view: 'log' },
};

const sizes = [
	...Array.from({ length: 12 }, (_, index) => [30 + index * 25, 24] as const),
	...[31, 57, 79, 89, 109, 133].map(columns => [columns, 36] as const),
	...[6, 7, 9, 15, 19, 20, 100].map(rows => [80, rows] as const),
];

test.each(Object.entries(screens))(
	'no line is wider than the terminal while the screen shows %s',
	(_, screen) => {
		for (const [columns, rows] of sizes) {
			const lines = draw(columns, rows, screen);
			expect(lines.length, `${columns}x${rows}`).toBe(rows);
			for (const line of lines) {
				const width = stringWidth(line);
				expect(width, `${columns}x${rows}: ${line}`).toBeLessThanOrEqual(columns);
			}
		}
	},
);

test('a text that is wider than its column ends in an ellipsis', () => {
	const lines = draw(80, 100, plain);
	expect(lines.find(line => line.includes('xxx'))).toMatch(/ x+… /);
	expect(lines.join('\n')).toMatch(/✖ Error.*…/);
});

test('the columns of the fleet table line up with rows of any content', () => {
	const lines = draw(120, 36, plain);
	const title = lines.findIndex(line => line.includes('STATUS'));
	const column = stringWidth((lines[title] ?? '').split('STATUS')[0] ?? '');
	for (const line of lines.slice(title + 1, -3)) {
		const glyph = /[●◐○✖?] (Active|Creating|Stopped|Error|Stopping|a status)/.exec(line);
		expect(glyph, line).not.toBeNull();
		expect(stringWidth(line.slice(0, glyph?.index)), line).toBe(column);
	}
});

test('the filter of the table stands above its rows on every screen', () => {
	const filtered: Screen = { ...plain, filters: { fleet: 'status:active', models: '', log: '' } };
	for (let rows = 6; rows < 40; rows += 1) {
		const lines = draw(60, rows, filtered);
		const filter = lines.findIndex(line => line.includes('/status:active'));
		expect(filter, `${rows} rows`).toBeGreaterThan(0);
		expect(filter, `${rows} rows`).toBeLessThan(lines.findIndex(line => line.includes('● Active')));
	}
});

test('from 9 rows, a message has a line of its own and leaves the key hints alone', () => {
	const noted: Screen = { ...plain, notice: { text: 'Copied sb_0123456789', shownAt: now } };
	for (let rows = 9; rows < 40; rows += 1) {
		const keys = draw(60, rows, plain).at(-1);
		const lines = draw(60, rows, noted);
		expect(lines.at(-1), `${rows} rows`).toBe(keys);
		expect(lines.at(-2), `${rows} rows`).toContain('Copied sb_0123456789');
	}
});

test('a terminal with one more row shows as many rows of the table or more', () => {
	let before = 0;
	for (let rows = 6; rows < 80; rows += 1) {
		const layout = layoutFor(80, rows);
		if (layout.isTooSmall) throw new Error('too small');
		expect(layout.tableRowCount, `${rows} rows`).toBeGreaterThanOrEqual(before);
		before = layout.tableRowCount;
	}
});
