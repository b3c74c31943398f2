import { describe, expect, test } from 'vitest';
import type { Change } from '../../source/fleet/change.ts';
import { type Reading, readingFields } from '../../source/fleet/computers/computer.ts';
import {
	type OrderField,
	type Ordering,
	troubleFirst,
} from '../../source/fleet/computers/order-fields.ts';
import type { Fact, FactBody } from '../../source/fleet/fact.ts';
import type { Operation } from '../../source/fleet/operations/operation.ts';
import { textOf } from '../../source/lines/span.ts';
import { createRowsSelector, type FleetRow } from '../../source/store/selectors.ts';
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
import { initialOrderings } from '../../source/views/look/view-table.ts';
import type { Scene } from '../../source/views/scene.ts';
import { accountAfter, fact, listRead, operationChanged } from '../arbitraries/sample-facts.ts';
import { hour, now } from '../arbitraries/values.ts';
import { testAccount as account, onlyAccount, rowId, testAccount } from '../opened-account.ts';
import { sampleScene } from './sample-scene.ts';

describe('cells', () => {
	const minute = 60_000;

	const listFields = new Set(readingFields);

	/** The last list is of now, and the status of the computer was told some minutes ago. */
	const stateOf = (statusMinutes: number, more: Partial<AccountState> = {}): AccountState => {
		const [at, told] = [now, now - statusMinutes * minute];
		const statusAnswer = { askedAt: told, at: told };
		return {
			...emptyAccount,
			listFields,
			reads: { list: { answer: { askedAt: at, at } } },
			computerReads: new Map([['sb_1', { statusAnswer }]]),
			...more,
		};
	};

	const sceneOf = (state = stateOf(0), more: Partial<Scene> = {}) =>
		sampleScene(state, [120, 36], { ...more });

	type Computer = FleetRow['computer'];

	const rowOf = (computer: Partial<Computer>, more: Partial<FleetRow> = {}): FleetRow => ({
		id: rowId('sb_1'),
		account: testAccount,
		isOutdated: false,
		computer: {
			id: 'sb_1',
			reading: { id: 'sb_1' },
			phase: 'active',
			since: { at: now, isLowerBound: false },
			isListed: true,
			isMissing: false,
			...computer,
		},
		...more,
	});

	function cellOf(name: string, row: FleetRow, width = 17, scene = sceneOf()) {
		const column = columns.find(each => each.name === name);
		return column ? cellSpans(row, column, scene, width) : [];
	}

	const textIn = (...cell: Parameters<typeof cellOf>) => textOf(cellOf(...cell));

	const screenOf = (names?: readonly string[], by: OrderField = troubleFirst.by): Screen => {
		const { fleet, ...orderings } = initialOrderings;
		const screen = { ...initialScreen(), orderings: { ...orderings, fleet: { ...fleet, by } } };
		return { ...screen, columns: names };
	};

	function namesIn(width: number, names?: readonly string[], by?: OrderField) {
		const accounts = onlyAccount(emptyAccount);
		const placed = columnsWithRoom(width, { screen: screenOf(names, by), accounts });
		return placed.map(({ name }) => name);
	}

	describe('which columns a table has', () => {
		const at = (...args: Parameters<typeof namesIn>) => namesIn(...args).join(' ');

		test('a wider table never shows less', () => {
			let before: readonly string[] = [];
			for (let width = 30; width <= 250; width += 1) {
				const names = namesIn(width);
				expect(before.filter(name => !names.includes(name))).toEqual([]);
				before = names;
			}
		});

		test('those that a person chose come in their order, after those that are always shown', () => {
			expect(at(120, ['uptime', 'cpu', 'uptime', 'unknown'])).toBe('name status uptime cpu');
			expect(columnsNamed(undefined, true)[0]?.name).toBe('account');
		});

		test('the one that orders the table is added, even where there is little room', () => {
			expect(at(60)).toBe('name status stage cpu');
			expect(at(60, undefined, 'location')).toBe('name status stage location');
			expect(at(60, ['cpu'], 'location')).toContain('location');
		});
	});

	describe('a value', () => {
		function read(name: string, reading: Omit<Reading, 'id'>, others: readonly Reading[] = []) {
			const state = accountAfter(
				listRead(now, [{ id: 'sb_1', ...reading }, ...others]),
				fact(now, { type: 'answered', read: 'release', answer: { version: '1.4.2', changes: [] } }),
			);
			const [row] = createRowsSelector(testAccount)(state);
			return row ? textIn(name, row, 20, sceneOf(state)) : undefined;
		}
		const withAll: Reading = {
			id: 'sb_2',
			status: 'active',
			cpu: 1,
			memory: 1,
			storage: 1,
			ports: [],
			address: '10.0.0.9',
			location: 'eu',
		};

		test.each(['version', 'cpu', 'memory', 'ports', 'address', 'location', 'storage'])(
			'%s is an ellipsis until somebody has read it',
			name => {
				expect(read(name, { status: 'active' })).toBe('…');
				expect(read(name, { status: 'active', [name]: null })).not.toBe('…');
				expect(read(name, { status: 'creating' })).not.toBe('…');
				if (name !== 'version') expect(read(name, { status: 'active' }, [withAll])).not.toBe('…');
			},
		);

		test.each([
			[{ status: 'error' }, '…'],
			[{ status: 'error', error: null }, 'no reason given'],
			[{ status: 'error', error: 'disk full' }, 'disk full'],
			[{ status: 'error', error: 'image pull failed: disk quota' }, '…disk quota'],
		])('of the stage of %j is “%s”', (reading, text) => expect(read('stage', reading)).toBe(text));

		test.each([
			[12, '12%', undefined],
			[80, '80%', undefined],
			[81, '▲81%', 'busy'],
			[95, '▲95%', 'busy'],
			[96, '!96%', 'bad'],
			[100, '!100', 'bad'],
		])('of %d percent is “%s”, in the tone %s', (percent, text, tone) => {
			const reading = { id: 'sb_1', cpu: percent, memory: percent, storage: percent };
			for (const name of ['cpu', 'memory', 'storage'])
				expect(cellOf(name, rowOf({ reading }))).toEqual([[text, tone]]);
			const statusAnswer = { askedAt: now, at: now };
			const detail = { askedAt: now - hour, at: now - hour };
			const computerReads = new Map([['sb_1', { statusAnswer, detail }]]);
			const older = sceneOf({ ...emptyAccount, computerReads });
			expect(cellOf('cpu', rowOf({ reading }), 4, older)).toEqual([[text, 'faint']]);
		});

		test('of ports has whole numbers, and says how many there is no room for', () => {
			const ports = [{ port: 8080 }, { port: 5173 }, { port: 3000 }];
			const row = rowOf({ reading: { id: 'sb_1', ports } });
			expect(textIn('ports', row, 14)).toBe('8080 5173 3000');
			expect(textIn('ports', row, 13)).toBe('8080 +2');
			expect(textIn('ports', row, 9)).toBe('8080 +2');
		});
	});

	describe('STATUS', () => {
		const at = now - 53 * minute;
		const watchedLately = { at: now, isLowerBound: true };
		const times: readonly [Partial<Computer>, string][] = [
			[{ phase: 'stopped', since: { at, isLowerBound: false } }, '○ Stopped 53m'],
			[{ phase: 'stopped', since: { at, isLowerBound: true } }, '○ Stopped ≥53m'],
			[
				{ phase: 'stopped', reading: { id: 'sb_1', updatedAt: at }, since: watchedLately },
				'○ Stopped ≥53m',
			],
			[
				{
					phase: 'creating',
					reading: { id: 'sb_1', createdAt: now - 41_000 },
					since: watchedLately,
				},
				'◐ Creating 41s',
			],
			[{ phase: 'active', since: { at, isLowerBound: false } }, '● Active'],
			[{ phase: 'unknown', reading: { id: 'sb_1', status: 'frozen' } }, '? frozen'],
		];
		test.each(times)('of %j is “%s”', (computer, text) =>
			expect(textIn('status', rowOf(computer))).toBe(text),
		);

		test.each([
			[9, 17, '● Active, 9 m old'],
			[10, 17, '● 10 m old'],
		])(
			'that is %d minutes older than the last list says so in %d cells: %s',
			(age, width, text) => {
				const { theme } = sceneOf();
				const scene = sceneOf(stateOf(age), { theme });
				expect(textOf(cellOf('status', rowOf({}), width, scene))).toBe(text);
			},
		);
	});

	test('UPTIME is that of the last read, so that it stays when reads begin to fail', () => {
		const row = rowOf({ reading: { id: 'sb_1', startedAt: now - hour } });
		expect(textIn('uptime', row)).toBe('1h 0m');
		expect(textIn('uptime', row, 8, sceneOf(stateOf(0), { now: now + minute / 2 }))).toBe('1h 0m');
		const old = sceneOf(stateOf(0), { now: now + 9 * minute });
		expect(textIn('uptime', row, 8, old)).toBe('≥1h 0m');
		expect(textIn('uptime', row, 5, old)).toBe('≥1h');
	});

	describe('STAGE', () => {
		const operation: Operation = {
			spec: { key: 'k1', operation: 'restart', computer: 'sb_1' },
			stage: 'accepted',
			askedAt: now,
			sentAt: now - 8_000,
			hasPhaseChanged: true,
		};
		const failed: Operation = {
			...operation,
			stage: 'failed',
			failure: { kind: 'conflict', message: 'in use', advice: '', isOutcomeUnknown: false },
		};
		const stages: readonly [string, FleetRow, string][] = [
			['without credits', rowOf({ phase: 'stopped', stopReason: 'credits' }), 'out of credits'],
			['stopped by a person', rowOf({ phase: 'stopped' }), ''],
			['gone', rowOf({ isMissing: true }), 'no longer known to the platform'],
			['restarted, as the status says', rowOf({ phase: 'restarting' }, { operation }), ''],
			['restarted', rowOf({}, { operation }), 'Restarting 8s'],
			['not restarted', rowOf({}, { operation: failed }), 'Restart failed: in use'],
			[
				'in error for a reason that a failed request does not hide',
				rowOf(
					{ phase: 'error', reading: { id: 'sb_1', error: 'disk full' } },
					{ operation: failed },
				),
				'disk full',
			],
		];
		test.each(stages)('of a computer that is %s', (_, row, text) =>
			expect(textIn('stage', row, 34)).toBe(text),
		);

		test.each([
			[60, /^loading image {5}━+.*─+ {2}63% {5}$/],
			[34, /^loading image {5}━+.*─+ {2}63% {5}$/],
			[30, /^loading image ━+.*─+ {2}63% {5}$/],
			[20, /^loading i… {2}63% {5}$/],
			[17, /^loading ima… {2}63%$/],
			[10, /^ {7}63%$/],
		])('of a creation in %d cells is %s', (width, text) => {
			const reading = { id: 'sb_1', stage: 'loading_image', stageProgress: 63 };
			const since = { at: now, isLowerBound: true };
			const cell = textIn('stage', rowOf({ phase: 'creating', reading, since }), width);
			expect(cell).toMatch(text);
			expect(cell.length).toBeLessThanOrEqual(width);
		});

		test('says for an hour what happened last', () => {
			const wish = { key: 'k1', operation: 'restart', computer: 'sb_1' };
			const changesAt = (at: number): readonly Change[] => [
				{
					type: 'statusChanged',
					id: 'sb_1',
					from: 'stopped',
					to: 'active',
					at: at - 1,
					notBefore: at,
				},
				{ type: 'operationMoved', wish, to: 'settled', took: 9, at },
				{ type: 'operationMoved', wish: { ...wish, computer: 'sb_2' }, to: 'settled', took: 9, at },
			];
			const said = (changes: readonly Change[]) =>
				textIn('stage', rowOf({}), 34, sceneOf(stateOf(0, { changes })));
			expect(said(changesAt(now - 2 * minute))).toBe('restarted 2 m ago');
			expect(said(changesAt(now - 2 * minute).slice(0, 1))).toBe('started 2 m ago');
			expect(said(changesAt(now - hour))).toBe('');
		});

		test('says what another pane is about to send, without a name of that pane', () => {
			const others: Operation = {
				...operation,
				spec: { ...operation.spec, operation: 'stop' },
				stage: 'counting',
				graceEndsAt: now + 2_500,
				pane: '4711',
			};
			const said = (more: Partial<Operation> = {}) =>
				textOf(operationSpans({ ...others, ...more }, sceneOf()));
			expect(said()).toBe('Another pane stops it in 3 s');
			expect(said({ stage: 'held', graceEndsAt: undefined })).toBe('Another pane stops it later');
			expect(said({ stage: 'sent' })).toMatch(/^Stop requested/);
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
			const old = sceneOf(stateOf(0), { now: now + 9 * minute });
			const toned = line(rowOf({ phase: 'error' }), old).filter(([text]) => text.trim());
			expect(toned.slice(1).map(([, tone]) => tone)).toEqual(toned.slice(1).map(() => 'faint'));
			const operation: Operation = {
				spec: { key: 'k1', operation: 'restart', computer: 'sb_1' },
				stage: 'accepted',
				askedAt: now,
				hasPhaseChanged: false,
			};
			const spans = line(rowOf({}, { operation }), old);
			expect(spans.find(([text]) => text.startsWith('Restarting'))?.[1]).toBe('busy');
		});

		test('underlines what the filter matched, in the columns that it searches', () => {
			const matchedIn = (filter: string) => {
				const reading = { id: 'sb_1', name: 'atlas', status: 'active', cpu: 90 };
				const { filters } = initialScreen();
				const screen = { ...screenOf(), filters: { ...filters, fleet: filter } };
				return line(rowOf({ reading }), sceneOf(stateOf(0), { screen }))
					.filter(([, , , isMatch]) => isMatch)
					.map(([text]) => text);
			};
			expect(matchedIn('tla')).toEqual(['tla']);
			expect(matchedIn('cpu:>80 act')).toEqual(['Act', '90%']);
			expect(matchedIn('-nova')).toEqual([]);
		});
	});
});

/** A table in which facts arrive, a person looks around, and a key was pressed a moment ago or not. */
function openTable() {
	const store = createStore();
	const shownOf = createVisibleRows();
	const layout = layoutFor(120, 36);
	let screen = initialScreen();
	const shown = (isOrderHeld = false, at = now) => {
		const state = store.getState().accounts.get(account) ?? emptyAccount;
		return shownOf({ accounts: onlyAccount(state), screen, layout, isOrderHeld, now: at });
	};
	return {
		shown,
		names: (isOrderHeld = false, at = now) =>
			shown(isOrderHeld, at)
				.rows.map(({ computer }) => computer.reading.name)
				.join(' '),
		fold: (body: FactBody, at = now) => store.receive([{ ...body, account, at } as Fact]),
		list(...computers: readonly Reading[]) {
			store.receive([{ account, at: now, type: 'listRead', computers }]);
		},
		listStatuses(...statuses: readonly string[]) {
			const computers = statuses.map((status, n) => ({ id: `sb_${n}`, name: `c${n}`, status }));
			store.receive([{ account, at: now, type: 'listRead', computers }]);
		},
		look(change: Partial<Screen>) {
			screen = { ...screen, ...change };
		},
		filter: (fleet: string) => ({ filters: { ...screen.filters, fleet } }),
		order: (fleet: Ordering) => ({ orderings: { ...screen.orderings, fleet } }),
		cursorOn: (n: number) => ({ cursor: { id: rowId(`sb_${n}`), index: 0, line: 0 } }),
	};
}

const byName: Ordering = { by: 'name', isReversed: false };

test.each([
	['', 'a-b atlas atlas-2 borealis'],
	['atlas', 'atlas atlas-2'],
	['name:=atlas', 'atlas'],
	['cpu:>5', 'a-b atlas-2 borealis'],
	['-atlas', 'a-b borealis'],
	['status:stopped OR bor', 'atlas borealis'],
	['nothing-of-the-kind', ''],
	// What is not understood hides no row: an unknown field, value or status.
	['cpu:>x', 'a-b atlas atlas-2 borealis'],
	['colour:red', 'a-b atlas atlas-2 borealis'],
	['status:foo', 'a-b atlas atlas-2 borealis'],
	['-status:foo', 'a-b atlas atlas-2 borealis'],
	['atlas status:foo', 'atlas atlas-2'],
])('the filter “%s” leaves “%s”', (filter, left) => {
	const table = openTable();
	table.list(
		{ id: 'sb_1', name: 'atlas', status: 'stopped', cpu: 0 },
		{ id: 'sb_2', name: 'borealis', status: 'active', cpu: 10 },
		{ id: 'sb_3', name: 'atlas-2', status: 'active', cpu: 20 },
		{ id: 'sb_4', name: 'a-b', status: 'active', cpu: 30 },
	);
	table.look({ ...table.order(byName), ...table.filter(filter) });
	expect(table.names()).toBe(left);
	expect(table.shown().allRows).toHaveLength(4);
});

test('a status that nobody knew counts as soon as a computer has it', () => {
	const table = openTable();
	table.listStatuses('active', 'active');
	table.look(table.filter('status:frozen'));
	expect(table.names()).toBe('c0 c1');
	table.listStatuses('active', 'frozen');
	expect(table.names()).toBe('c1');
});

describe('while the order is held', () => {
	test('rows stay in their places, new ones stand at the end, and then all take theirs', () => {
		const table = openTable();
		table.listStatuses('active', 'active', 'active');
		expect(table.names()).toBe('c0 c1 c2');
		table.listStatuses('active', 'active', 'error');
		expect(table.names(true)).toBe('c0 c1 c2');
		table.listStatuses('active', 'active', 'error', 'error');
		expect(table.names(true)).toBe('c0 c1 c2 c3');
		expect(table.names()).toBe('c2 c3 c0 c1');
	});

	test('a row that is gone leaves, and the first rows of all are in their order', () => {
		const table = openTable();
		table.listStatuses('active', 'error');
		expect(table.names(true)).toBe('c1 c0');
		table.list({ id: 'sb_0', name: 'c0', status: 'active' });
		expect(table.names(true)).toBe('c0');
	});

	test('another order that a person chooses is shown at once', () => {
		const table = openTable();
		table.listStatuses('active', 'error');
		expect(table.names()).toBe('c1 c0');
		table.look(table.order(byName));
		expect(table.names(true)).toBe('c0 c1');
	});
});

test('the computer under the cursor takes its place in the order like every other', () => {
	const table = openTable();
	table.look(table.cursorOn(2));
	table.listStatuses('active', 'active', 'error');
	expect(table.names()).toBe('c2 c0 c1');
	table.listStatuses('active', 'active', 'active');
	expect(table.names(true)).toBe('c2 c0 c1');
	expect(table.names()).toBe('c0 c1 c2');
});

describe('the rows of an operation that was asked for under a filter', () => {
	const filter = 'status:active';
	const shownIn = (table: ReturnType<typeof openTable>, at = now) => {
		const { keptIds } = table.shown(false, at);
		return [table.names(false, at), keptIds.size];
	};
	function openFiltered(asked: string) {
		const table = openTable();
		table.listStatuses('stopped', 'active', 'stopped');
		const ids = [rowId('sb_0'), rowId('sb_1')];
		table.look({
			...table.filter(filter),
			...table.order(byName),
			capturedRows: [{ asked, filter, ids }],
		});
		return table;
	}

	test('stay although the filter would hide them, until the batch is dismissed', () => {
		const table = openFiltered('b1');
		expect(shownIn(table)).toEqual(['c1', 0]);
		table.fold(
			operationChanged({ key: 'k1', operation: 'stop', computer: 'sb_0', batch: 'b1' }, 'queued'),
		);
		expect(shownIn(table)).toEqual(['c0 c1', 1]);
		for (const step of ['failed', 'seen'] as const)
			table.fold(
				operationChanged({ key: 'k1', operation: 'stop', computer: 'sb_0', batch: 'b1' }, step),
			);
		expect(shownIn(table)).toEqual(['c1', 0]);
	});

	test.each([
		['status:stopped', 'c0 c2'],
		['', 'c0 c1 c2'],
	])('add nothing under the filter “%s”', (other, names) => {
		const table = openFiltered('b1');
		table.fold(
			operationChanged({ key: 'k1', operation: 'stop', computer: 'sb_0', batch: 'b1' }, 'queued'),
		);
		table.look(table.filter(other));
		expect(shownIn(table)).toEqual([names, 0]);
	});

	test('stay until ten seconds after the end, and longer under the cursor', () => {
		const table = openFiltered('k1');
		const wish = { key: 'k1', operation: 'stop', computer: 'sb_0' };
		table.fold(operationChanged(wish, 'queued'));
		table.look(table.cursorOn(1));
		expect(shownIn(table, now + 60_000)).toEqual(['c0 c1', 1]);
		const at = now + 60_000;
		table.fold(operationChanged(wish, 'done', { ended: at }), at);
		expect(shownIn(table, at + 9_999)).toEqual(['c0 c1', 1]);
		expect(shownIn(table, at + 10_000)).toEqual(['c1', 0]);
		table.look(table.cursorOn(0));
		expect(shownIn(table, at + 10_000)).toEqual(['c0 c1', 1]);
	});
});
