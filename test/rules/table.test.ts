import { describe, expect, test } from 'vitest';
import type { Change } from '../../source/fleet/change.ts';
import { type Reading, readingFields } from '../../source/fleet/computers/computer.ts';
import type { OrderField, Ordering } from '../../source/fleet/computers/fields.ts';
import type { Fact, FactBody } from '../../source/fleet/fact.ts';
import type { Operation } from '../../source/fleet/operations/operation.ts';
import { plainTexts } from '../../source/lines/print.ts';
import { textOf } from '../../source/lines/span.ts';
import { type FleetRow, rowsOf } from '../../source/store/selectors.ts';
import { type AccountState, emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import {
	cellSpans,
	columns,
	columnsNamed,
	columnsWithRoom,
	tableLines,
} from '../../source/views/fleet/columns.ts';
import { createVisibleRows } from '../../source/views/fleet/rows.ts';
import { operationSpans } from '../../source/views/fleet/status.ts';
import { layoutFor } from '../../source/views/layout.ts';
import { initialScreen, type Screen } from '../../source/views/look/screen.ts';
import { models } from '../../source/views/models.ts';
import type { Scene } from '../../source/views/scene.ts';
import { accountAfter, fact, listRead, operationChanged } from '../arbitraries/sample-facts.ts';
import { hour, now } from '../arbitraries/values.ts';
import { minute } from '../durations.ts';
import { testAccount as account, onlyAccount, rowId } from '../opened-account.ts';
import { sampleScene } from './sample-scene.ts';

/** The last list is of now, and the status of the computer was told some minutes ago. */
function sceneOf(statusMinutes = 0, state: Partial<AccountState> = {}, more: Partial<Scene> = {}) {
	const told = now - statusMinutes * minute;
	const statusAnswer = { askedAt: told, at: told };
	return sampleScene(
		{
			...emptyAccount,
			listFields: new Set(readingFields),
			reads: { list: { answer: { askedAt: now, at: now } } },
			computerReads: new Map([['sb_1', { statusAnswer }]]),
			...state,
		},
		[120, 36],
		more,
	);
}

/** Nine minutes after the last read. */
const oldScene = (more: Partial<Scene> = {}) => sceneOf(0, {}, { now: now + 9 * minute, ...more });

type Computer = FleetRow['computer'];

const rowOf = (computer: Partial<Computer>, operation?: Operation): FleetRow => ({
	id: rowId('sb_1'),
	account,
	isBehind: false,
	listFields: new Set(),
	operation,
	computer: {
		id: 'sb_1',
		reading: { id: 'sb_1' },
		phase: 'active',
		since: { at: now, isLowerBound: false },
		isListed: true,
		isMissing: false,
		...computer,
	},
});

function cellOf(name: string, row: FleetRow, width = 17, scene = sceneOf()) {
	const column = columns.find(each => each.name === name);
	return column ? cellSpans(row, column, scene, width) : [];
}

const textIn = (...cell: Parameters<typeof cellOf>) => textOf(cellOf(...cell));

describe('which columns a table has', () => {
	function namesIn(width: number, names?: readonly string[], by: OrderField = 'trouble') {
		const { orderings } = initialScreen();
		const fleet = { by, isReversed: false };
		const screen = { ...initialScreen(), columns: names, orderings: { ...orderings, fleet } };
		const placed = columnsWithRoom(width, { screen, accounts: onlyAccount(emptyAccount) });
		return placed.map(({ name }) => name);
	}

	test('a wider table never shows less', () => {
		let before: readonly string[] = [];
		for (let width = 30; width <= 250; width += 1) {
			const names = namesIn(width);
			expect(before.filter(name => !names.includes(name))).toEqual([]);
			before = names;
		}
	});

	test('those that are always shown come first, then those that a person chose in their order', () => {
		const chosen = ['uptime', 'cpu', 'uptime', 'unknown'];
		expect(namesIn(120, chosen)).toEqual(['name', 'status', 'uptime', 'cpu']);
		expect(columnsNamed(undefined, true)[0]?.name).toBe('account');
	});

	test('those that nobody sees without choosing them come before those that are usual', () => {
		const wanted = ['address', 'storage'];
		expect(namesIn(80, [...namesIn(80), ...wanted])).toEqual(expect.arrayContaining(wanted));
	});

	test('the one that orders the table is added, even where there is little room', () => {
		expect(namesIn(60)).toEqual(['name', 'status', 'stage', 'cpu']);
		expect(namesIn(60, undefined, 'location')).toEqual(['name', 'status', 'stage', 'location']);
		expect(namesIn(60, ['cpu'], 'location')).toContain('location');
	});

	test.each(columns.flatMap(({ field, title }) => (field ? [{ field, title }] : [])))(
		'there is room for the sign of the order by $field',
		({ field, title }) => {
			const orderings = { ...initialScreen().orderings, fleet: { by: field, isReversed: false } };
			const scene = sceneOf(0, {}, { screen: { ...initialScreen(), orderings } });
			expect(textOf(tableLines([], 120, scene)[0] ?? [])).toContain(`${title}▲`);
		},
	);
});

describe('a value', () => {
	function read(name: string, reading: Omit<Reading, 'id'>, others: readonly Reading[] = []) {
		const state = accountAfter(
			listRead(now, [{ id: 'sb_1', ...reading }, ...others]),
			fact(now, { type: 'answered', read: 'release', answer: { version: '1.4.2', changes: [] } }),
		);
		const [row] = rowsOf(account, state);
		return row && textIn(name, row, 20, sampleScene(state));
	}
	const known = { cpu: 1, memory: 1, storage: 1, ports: [], address: '10.0.0.9', location: 'eu' };

	test.each(['version', ...Object.keys(known)])(
		'%s is an ellipsis until somebody has read it',
		name => {
			expect(read(name, { status: 'active' })).toBe('…');
			expect(read(name, { status: 'active', [name]: null })).not.toBe('…');
			expect(read(name, { status: 'creating' })).not.toBe('…');
			const other = { id: 'sb_2', status: 'active', ...known };
			if (name !== 'version') expect(read(name, { status: 'active' }, [other])).not.toBe('…');
		},
	);

	test.each([
		[{}, '…'],
		[{ error: null }, 'no reason given'],
		[{ error: 'disk full' }, 'disk full'],
		[{ error: 'image pull failed: disk quota' }, '…disk quota'],
	])('of the stage of a computer in error with %j is “%s”', (reading, text) =>
		expect(read('stage', { status: 'error', ...reading })).toBe(text),
	);

	test.each([
		[12, '12%', undefined],
		[80, '80%', undefined],
		[81, '▲81%', 'busy'],
		[95, '▲95%', 'busy'],
		[96, '!96%', 'bad'],
		[100, '!100', 'bad'],
	])(
		'of %d percent is “%s” in the tone %s, and grey when it is older than the row',
		(percent, text, tone) => {
			const row = rowOf({
				reading: { id: 'sb_1', cpu: percent, memory: percent, storage: percent },
			});
			for (const name of ['cpu', 'memory', 'storage'])
				expect(cellOf(name, row)).toEqual([[text, tone]]);
			const statusAnswer = { askedAt: now, at: now };
			const detail = { askedAt: now - hour, at: now - hour };
			const computerReads = new Map([['sb_1', { statusAnswer, detail }]]);
			const older = sceneOf(0, { listFields: new Set(), computerReads });
			expect(cellOf('cpu', row, 4, older)).toEqual([[text, 'faint']]);
		},
	);

	test.each([
		[14, '8080 5173 3000'],
		[13, '8080 +2'],
	])('of ports has whole numbers in %d cells: %s', (width, text) => {
		const ports = [{ port: 8080 }, { port: 5173 }, { port: 3000 }];
		expect(textIn('ports', rowOf({ reading: { id: 'sb_1', ports } }), width)).toBe(text);
	});
});

const at = now - 53 * minute;
const watchedLately = { at: now, isLowerBound: true };

test.each<[Partial<Computer>, string]>([
	[{ phase: 'stopped', since: { at, isLowerBound: false } }, '○ Stopped 53m'],
	[{ phase: 'stopped', since: { at, isLowerBound: true } }, '○ Stopped ≥53m'],
	[
		{ phase: 'stopped', reading: { id: 'sb_1', updatedAt: at }, since: watchedLately },
		'○ Stopped ≥53m',
	],
	[
		{ phase: 'creating', reading: { id: 'sb_1', createdAt: now - 41_000 }, since: watchedLately },
		'◐ Creating 41s',
	],
	[{ phase: 'active', since: { at, isLowerBound: false } }, '● Active'],
	[{ phase: 'unknown', reading: { id: 'sb_1', status: 'frozen' } }, '? frozen'],
])('STATUS of %j is “%s”', (computer, text) =>
	expect(textIn('status', rowOf(computer))).toBe(text),
);

test.each([
	[9, '● Active, 9 m old'],
	[10, '● 10 m old'],
])('STATUS that is %d minutes older than the last list says so: %s', (minutes, text) =>
	expect(textIn('status', rowOf({}), 17, sceneOf(minutes))).toBe(text),
);

test.each([
	[sceneOf(), 8, '1h 0m'],
	[sceneOf(0, {}, { now: now + minute / 2 }), 8, '1h 0m'],
	[oldScene(), 8, '≥1h 0m'],
	[oldScene(), 5, '≥1h'],
])(
	'UPTIME is that of the last read, so that it stays when reads begin to fail: row %$',
	(scene, width, text) => {
		const row = rowOf({ reading: { id: 'sb_1', startedAt: now - hour } });
		expect(textIn('uptime', row, width, scene)).toBe(text);
	},
);

describe('STAGE', () => {
	const restart: Operation = {
		spec: { key: 'k1', operation: 'restart', computer: 'sb_1' },
		stage: 'accepted',
		askedAt: now,
		sentAt: now - 8_000,
		hasPhaseChanged: true,
	};
	const failure = { kind: 'conflict', message: 'in use', advice: '', isOutcomeUnknown: false };
	const failed = { ...restart, stage: 'failed', failure } as Operation;
	const inError = { phase: 'error', reading: { id: 'sb_1', error: 'disk full' } } as const;

	test.each<[string, FleetRow, string]>([
		['without credits', rowOf({ phase: 'stopped', stopReason: 'credits' }), 'out of credits'],
		['stopped by a person', rowOf({ phase: 'stopped' }), ''],
		['gone', rowOf({ isMissing: true }), 'no longer known to the platform'],
		['restarted, as the status says', rowOf({ phase: 'restarting' }, restart), ''],
		['restarted', rowOf({}, restart), 'Restarting 8s'],
		['not restarted', rowOf({}, failed), 'Restart failed: in use'],
		['in error, which a failed request does not hide', rowOf(inError, failed), 'disk full'],
	])('of a computer that is %s', (_, row, text) => expect(textIn('stage', row, 34)).toBe(text));

	test.each([
		[60, /^loading image {5}━+.*─+ {2}63% {5}$/],
		[30, /^loading image ━+.*─+ {2}63% {5}$/],
		[20, /^loading i… {2}63% {5}$/],
		[17, /^loading ima… {2}63%$/],
		[10, /^ {7}63%$/],
	])('of a creation in %d cells is %s', (width, text) => {
		const reading = { id: 'sb_1', stage: 'loading_image', stageProgress: 63 };
		const cell = textIn(
			'stage',
			rowOf({ phase: 'creating', reading, since: watchedLately }),
			width,
		);
		expect(cell).toMatch(text);
		expect(cell.length).toBeLessThanOrEqual(width);
	});

	test('says for an hour what happened last', () => {
		const wish = { key: 'k1', operation: 'restart', computer: 'sb_1' };
		const to = { from: 'stopped', to: 'active' };
		const said = (ms: number, count: number) => {
			const happened = now - ms;
			const done = { type: 'operationMoved', to: 'settled', took: 9, at: happened } as const;
			const changes: readonly Change[] = [
				{ type: 'statusChanged', id: 'sb_1', ...to, at: happened, notBefore: happened },
				{ ...done, wish },
				{ ...done, wish: { ...wish, computer: 'sb_2' } },
			];
			return textIn('stage', rowOf({}), 34, sceneOf(0, { changes: changes.slice(0, count) }));
		};
		expect(said(2 * minute, 3)).toBe('restarted 2 m ago');
		expect(said(2 * minute, 1)).toBe('started 2 m ago');
		expect(said(hour, 3)).toBe('');
	});

	test.each<[Partial<Operation>, RegExp]>([
		[{ stage: 'counting', countdownEndsAt: now + 2_500 }, /^Another pane stops it in 3 s$/],
		[{ stage: 'held' }, /^Another pane stops it later$/],
		[{ stage: 'sent' }, /^Stop requested/],
	])('says of an operation of another pane: row %$', (more, text) => {
		const spec = { ...restart.spec, operation: 'stop' };
		const stop: Operation = { ...restart, spec, pane: '4711', ...more };
		expect(textOf(operationSpans(stop, sceneOf()))).toMatch(text);
	});
});

describe('a row', () => {
	const line = (row: FleetRow, scene = sceneOf()) => tableLines([row], 100, scene)[1] ?? [];

	test('has a text that flows over empty cells, and is cut where the next value begins', () => {
		const error = 'image pull failed: disk quota exceeded on volume vol-7';
		const reading = { id: 'sb_1', name: 'draco', error, version: '1.4.2' };
		const text = textOf(line(rowOf({ phase: 'error', reading })));
		expect(text).toMatch(/✖ Error 0s +…disk quota exceeded on volume v… {2}1\.4\.2/);
		expect(text.length).toBeLessThanOrEqual(100);
		const busy = textOf(line(rowOf({ phase: 'error', reading: { ...reading, cpu: 12 } })));
		expect(busy).toMatch(/…disk quota exceeded… +12%/);
	});

	test('is grey when it is old, but for an operation of this program', () => {
		const toned = line(rowOf({ phase: 'error' }), oldScene()).filter(([text]) => text.trim());
		expect(new Set(toned.slice(1).map(([, tone]) => tone))).toEqual(new Set(['faint']));
		const spec = { key: 'k1', operation: 'restart', computer: 'sb_1' };
		const operation: Operation = { spec, stage: 'accepted', askedAt: now, hasPhaseChanged: false };
		const spans = line(rowOf({}, operation), oldScene());
		expect(spans.find(([text]) => text.startsWith('Restarting'))?.[1]).toBe('busy');
	});

	test.each([
		['tla', ['tla']],
		['cpu:>80 act', ['Act', '▲90%']],
		['-nova', []],
	])('underlines what the filter “%s” matched, in the columns that it searches', (fleet, found) => {
		const reading = { id: 'sb_1', name: 'atlas', status: 'active', cpu: 90 };
		const { filters } = initialScreen();
		const screen = { ...initialScreen(), filters: { ...filters, fleet } };
		const spans = line(rowOf({ reading }), sceneOf(0, {}, { screen }));
		expect(spans.filter(([, , , isMatch]) => isMatch).map(([text]) => text)).toEqual(found);
	});
});

/** A table in which facts arrive, a person looks around, and a key was pressed a moment ago or not. */
function openTable() {
	const store = createStore();
	const shownOf = createVisibleRows();
	const layout = layoutFor(120, 36);
	let screen = initialScreen();
	const shown = (isOrderHeld = false, now_ = now) => {
		const state = store.getState().accounts.get(account) ?? emptyAccount;
		return shownOf({ accounts: onlyAccount(state), screen, layout, isOrderHeld, now: now_ });
	};
	const receive = (body: FactBody, when = now) =>
		store.receive([{ ...body, account, at: when } as Fact]);
	return {
		shown,
		receive,
		names: (...when: Parameters<typeof shown>) =>
			shown(...when)
				.rows.map(({ computer }) => computer.reading.name)
				.join(' '),
		list(...statuses: readonly string[]) {
			const computers = statuses.map((status, n) => ({ id: `sb_${n}`, name: `c${n}`, status }));
			receive({ type: 'listRead', computers });
		},
		look(change: Partial<Screen>) {
			screen = { ...screen, ...change };
		},
		filter(fleet: string) {
			screen = { ...screen, filters: { ...screen.filters, fleet } };
		},
		order(fleet: Ordering) {
			screen = { ...screen, orderings: { ...screen.orderings, fleet } };
		},
		cursorOn(n: number) {
			screen = { ...screen, cursor: { id: rowId(`sb_${n}`), index: 0, line: 0 } };
		},
	};
}

const byName: Ordering = { by: 'name', isReversed: false };

test('a status that nobody knew counts as soon as a computer has it', () => {
	const table = openTable();
	table.list('active', 'active');
	table.filter('status:frozen');
	expect(table.names()).toBe('c0 c1');
	table.list('active', 'frozen');
	expect(table.names()).toBe('c1');
});

test('while the order is held, rows stay in their places, new ones stand at the end, and those that are gone leave', () => {
	const table = openTable();
	table.cursorOn(2);
	table.list('active', 'active', 'active');
	expect(table.names(true)).toBe('c0 c1 c2');
	table.list('active', 'active', 'error', 'error');
	expect(table.names(true)).toBe('c0 c1 c2 c3');
	table.list('active', 'active', 'error');
	expect(table.names(true)).toBe('c0 c1 c2');
	expect(table.names()).toBe('c2 c0 c1');
	table.order(byName);
	expect(table.names(true)).toBe('c0 c1 c2');
});

describe('the rows of an operation that was asked for under a filter', () => {
	function openFiltered(batch?: string) {
		const table = openTable();
		table.list('stopped', 'active', 'stopped');
		table.filter('status:active');
		table.order(byName);
		const ids = [rowId('sb_0'), rowId('sb_1')];
		table.look({ capturedRows: [{ asked: batch ?? 'k1', filter: 'status:active', ids }] });
		const spec = { key: 'k1', operation: 'stop', computer: 'sb_0', batch };
		return {
			...table,
			step: (step: Parameters<typeof operationChanged>[1], ended?: number) =>
				table.receive(operationChanged(spec, step, ended ? { ended } : {}), ended),
			shownAt: (when = now) => [table.names(false, when), table.shown(false, when).keptIds.size],
		};
	}

	test('stay although the filter would hide them, until the batch is dismissed', () => {
		const table = openFiltered('b1');
		expect(table.shownAt()).toEqual(['c1', 0]);
		table.step('queued');
		expect(table.shownAt()).toEqual(['c0 c1', 1]);
		table.step('failed');
		table.step('seen');
		expect(table.shownAt()).toEqual(['c1', 0]);
	});

	test.each([
		['status:stopped', 'c0 c2'],
		['', 'c0 c1 c2'],
	])('add nothing under the filter “%s”', (other, names) => {
		const table = openFiltered('b1');
		table.step('queued');
		table.filter(other);
		expect(table.shownAt()).toEqual([names, 0]);
	});

	test('stay until ten seconds after the end, and longer under the cursor', () => {
		const table = openFiltered();
		table.step('queued');
		table.cursorOn(1);
		const end = now + minute;
		expect(table.shownAt(end)).toEqual(['c0 c1', 1]);
		table.step('done', end);
		expect(table.shownAt(end + 9_999)).toEqual(['c0 c1', 1]);
		expect(table.shownAt(end + 10_000)).toEqual(['c1', 0]);
		table.cursorOn(0);
		expect(table.shownAt(end + 10_000)).toEqual(['c0 c1', 1]);
	});
});

test.each([
	[3, '3.00'],
	[0.25, '0.25'],
	[0.075, '0.075'],
	[12.1234567, '12.123457'],
])('a model that costs %d per million tokens shows %s', (inputPrice, text) => {
	const scene = sampleScene({ ...emptyAccount, models: [{ id: 'harbor', inputPrice }] });
	expect(plainTexts(models.lines(scene)).at(-1)).toMatch(new RegExp(` ${text} +–$`));
});
