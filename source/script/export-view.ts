import { phaseStartOf } from '../fleet/computers/uptime.ts';
import { isoTime, jsonText } from '../foundation/json.ts';
import { spellOut } from '../lines/print.ts';
import { textOf } from '../lines/span.ts';
import { accountOfRow, type FleetRow } from '../store/selectors.ts';
import { columnsNamed } from '../views/fleet/columns.ts';
import { freshnessOf, idleMsOf, stateOfRow } from '../views/fleet/status.ts';
import { isTextView } from '../views/look/view-table.ts';
import { textViews } from '../views/open-text.ts';
import { computerRecord, withAccount } from '../views/records.ts';
import type { Records, Scene } from '../views/scene.ts';

export const exportFormats = ['csv', 'json', 'md'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** As the command of the view prints them with --json. */
const recordsOf = (scene: Scene): Records =>
	isTextView(scene.screen.view)
		? textViews[scene.screen.view].records(scene)
		: scene.shown.rows.map(row => fleetRecord(row, scene));

function fleetRecord(row: FleetRow, scene: Scene) {
	const { accounts, addressesOf } = scene;
	const label = accounts.length > 1 ? accountOfRow(accounts, row)?.profile.name : undefined;
	const addresses = addressesOf(row.account);
	return withAccount(computerRecord(row.computer, stateOfRow(row, scene), addresses), label);
}

type Table = readonly (readonly string[])[];

/** CSV and Markdown have the columns of the fleet as they are seen, or the fields that some record has. */
export function exportedView(
	scene: Scene,
	format: ExportFormat,
): { text: string; count: number } | undefined {
	const { view } = scene.screen;
	const records = recordsOf(scene);
	const { length: count } = records;
	if (count === 0) return undefined;
	if (format === 'json') return { text: jsonText(records), count };
	const table = format === 'csv' ? fleetValues : fleetTexts;
	const [titles = [], ...rows] = view === 'fleet' ? table(scene, records) : tableOf(records);
	const line = format === 'csv' ? csvLine : markdownLine;
	const rule = format === 'md' ? [`|${' --- |'.repeat(titles.length)}`] : [];
	return { text: `${[line(titles), ...rule, ...rows.map(line)].join('\n')}\n`, count };
}

const fleetColumns = ({ screen, accounts }: Scene) =>
	columnsNamed(screen.columns, accounts.length > 1).filter(({ isDrawn }) => !isDrawn);

function fleetTexts(scene: Scene): Table {
	const columns = fleetColumns(scene);
	return [
		columns.map(({ title }) => title),
		...scene.shown.rows.map(row =>
			columns.map(({ cell }) => spellOut(textOf(cell(row, scene, Number.POSITIVE_INFINITY)))),
		),
	];
}

/** The fields of JSON that a column shows, where its name is none of them. */
const fieldsByColumn: Readonly<Record<string, readonly string[]>> = {
	status: ['status', 'since', 'seenAt'],
	stage: ['stage', 'error'],
	version: ['version', 'behind'],
	idle: ['idleSeconds'],
	uptime: ['startedAt'],
	age: ['createdAt'],
	seen: ['seenAt'],
};

function fleetValues(scene: Scene, records: Records): Table {
	const named = fleetColumns(scene).flatMap(({ name }) => fieldsByColumn[name] ?? [name]);
	const hasRelease = (row: FleetRow) => stateOfRow(row, scene).release !== undefined;
	const values = scene.shown.rows.map((row, at) => ({
		...row.computer.reading,
		...records[at],
		since: isoTime(phaseStartOf(row.computer).at),
		behind: row.computer.reading.version && hasRelease(row) ? row.isBehind : null,
		ports: row.computer.reading.ports?.map(({ port }) => port).join(' ') ?? null,
		idleSeconds: Math.round(idleMsOf(row, scene) / 1000),
		seenAt: isoTime(freshnessOf(row, scene).toldAt),
	}));
	return tableOf(values, [...new Set(named)]);
}

function tableOf(
	records: Records,
	names = Object.keys(records[0] ?? {}).filter(name =>
		records.some(record => record[name] !== null),
	),
): Table {
	const cellOf = (value: unknown) =>
		typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
	return [names, ...records.map(record => names.map(name => cellOf(record[name])))];
}

// A spreadsheet would take a name such as `=cmd` for a formula.
const csvLine = (cells: readonly string[]) =>
	cells
		.map(cell => (/^[=+\-@]/.test(cell) && Number.isNaN(Number(cell)) ? `'${cell}` : cell))
		.map(cell => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
		.join(',');

const markdownLine = (cells: readonly string[]) =>
	`| ${cells.map(cell => cell.replace(/[\\|`<*_[\]]/g, '\\$&')).join(' | ')} |`;
