import {
	isReversible,
	type Ordering,
	orderFieldFrom,
	orderFields,
	sortComputers,
} from '../../fleet/computers/fields.ts';
import { type CommandError, exitCodes, UsageError } from '../../foundation/error.ts';
import { jsonText } from '../../foundation/json.ts';
import type { Line } from '../../lines/line.ts';
import { type Column, placedColumns, table } from '../../lines/table.ts';
import { filterFromOption, readFor, readReasons } from '../../script/choose-computers.ts';
import { type Fleet, type Fleets, recordOf, withFleets } from '../../script/fleet.ts';
import type { ParsedArgs } from '../../script/parsed-args.ts';
import {
	accountsFor,
	labelledLines,
	type Printer,
	printed,
	printerFor,
	sceneOf,
} from '../../script/print.ts';
import { accountWidthOf, readAccounts, usesKept } from '../../script/read-accounts.ts';
import { errorFromFailure } from '../../script/stderr.ts';
import type { Host } from '../../session/host.ts';
import { type FleetRow, rowsOf, troubleOrderOf } from '../../store/selectors.ts';
import type { ComputerState } from '../../store/state.ts';
import { columns, columnsNamed, type FleetColumn, widthsOf } from '../../views/fleet/columns.ts';
import { summarizeMap } from '../../views/fleet/map.ts';
import { textsOfListNotes } from '../../views/frame/rules.ts';
import type { GroupField } from '../../views/look/screen.ts';
import { cannotReadText } from '../../views/phrases/reads.ts';
import { sceneOfRows } from '../../views/read-scene.ts';
import { computerFields } from '../../views/records.ts';
import type { Command } from '../command.ts';
import { asciiOption, filterOption, severalReadingOptions } from '../options.ts';

const columnNames = columns.map(({ name }) => name);

/** The plan is not among them, because `list` does not read the subscription. */
const groupings: readonly GroupField[] = ['location', 'status', 'version', 'account'];

export const list: Command = {
	name: 'list',
	isTool: true,
	summary: 'list the computers',
	commandWithArguments: 'show',
	options: [
		filterOption,
		{
			name: 'sort',
			valueName: 'FIELD',
			help: 'order by a field of the filter or by trouble, as in cpu:desc',
			values: orderFields.flatMap(field =>
				isReversible(field) ? [field, `${field}:asc`, `${field}:desc`] : [field],
			),
		},
		{
			name: 'columns',
			valueName: 'NAMES',
			isRepeatable: true,
			help: `show these columns: ${columnNames.join(', ')}`,
			values: columnNames,
		},
		{ name: 'limit', valueName: 'N', help: 'list at most N computers' },
		{
			name: 'by',
			valueName: 'VALUE',
			help: `count the computers in groups instead: by ${groupings.join(', ')}`,
			values: groupings,
		},
		asciiOption,
		...severalReadingOptions,
	],
	examples: [
		'crowsnest list',
		"crowsnest list --filter 'status:active cpu:>80' --json",
		'crowsnest list --sort cpu:desc --limit 5 --columns name,cpu,memory',
		'crowsnest list --all-profiles',
	],
	json: { form: 'array', fields: computerFields, formForSeveral: 'array' },
	run(host, args) {
		const look = lookFrom(args);
		const needsHistory = look.columns?.some(column => column.needsHistory) ?? false;
		return withFleets(
			host,
			args,
			accountsFor(host, args),
			(fleets, write) => listAll(host, args, fleets, look, write),
			{ needsHistory },
		);
	},
};

type ListLook = ReturnType<typeof lookFrom>;

function lookFrom(args: ParsedArgs) {
	const chosen = args
		.list('columns')
		.flatMap(name => columns.find(column => column.name === name) ?? []);
	const [orderWord = '', direction] = args.text('sort')?.split(':') ?? [];
	const by = orderFieldFrom(orderWord);
	const look = {
		isJson: args.flag('json'),
		grouping: groupings.find(each => each === args.text('by')),
		ordering: by && { by, isReversed: direction === 'desc' },
		columns: chosen.length > 0 ? chosen : undefined,
		limit: args.wholeNumber('limit', 1, 1_000_000),
		filter: filterFromOption(args.text('filter') ?? ''),
	};
	if (look.grouping && look.isJson) throw new UsageError('--by prints text; leave out --json');
	if (look.columns && look.isJson)
		throw new UsageError('--columns prints text; --json always prints all fields');
	const unused = ['sort', 'columns', 'limit'].find(name => args.text(name) !== undefined);
	if (look.grouping && unused) throw new UsageError(`--by counts groups; leave out --${unused}`);
	return look;
}

async function listAll(
	host: Host,
	args: ParsedArgs,
	fleets: Fleets,
	look: ListLook,
	write: (text: string) => void,
): Promise<number> {
	const { isJson, grouping, ordering, limit, filter } = look;
	const printer = printerFor(host.program, args);
	const accountWidth = accountWidthOf(fleets);
	const kept: CommandError[] = [];

	async function read(fleet: Fleet): Promise<Listed> {
		const failure = await fleet.read('list');
		if (failure) {
			const error = errorFromFailure(cannotReadText('list'), failure);
			if (!usesKept(host, args, fleet, error)) throw error;
			kept.push(error);
		} else await readWhatIsShown(fleet, look);
		return { fleet, computers: filter.select(fleet.accountNow(), host.clock.now()) };
	}

	const rowsOf = (listed: readonly Listed[]) => orderedRows(listed, ordering).slice(0, limit);
	let isTitled = false;
	function print(listed: readonly Listed[]) {
		const lines = listTable(rowsOf(listed), look.columns, accountWidth, printer);
		write(printed(isTitled ? lines.slice(1) : lines, printer));
		isTitled = true;
	}

	// An order, a limit, groups and JSON are of all accounts together.
	const isJoint = isJson || grouping || ordering || limit !== undefined;
	const { results, code } = await readAccounts(host, args, fleets, read, answered => {
		for (const { fleet } of answered) sayWhatIsMissing(fleet);
		if (fleets.length === 1) filter.refuseUnknownStatus([fleets[0].accountNow()]);
		if (!isJoint) print(answered);
	});
	if (code === exitCodes.done)
		filter.refuseUnknownStatus(results.map(({ fleet }) => fleet.accountNow()));
	const [first] = results;
	if (first && grouping) write(printed(groupLines(results, grouping, printer), printer));
	else if (first && isJson) {
		write(jsonText(rowsOf(results).map(({ row, fleet }) => recordOf(row.computer, fleet))));
	} else if (first) {
		if (isJoint) print(results);
		const shown = columnsIn(printer.width - accountWidth, look.columns);
		const hidden = look.columns?.filter(each => !shown.some(({ column }) => column === each)) ?? [];
		const names = hidden.map(({ name }) => name).join(', ');
		if (names !== '') first.fleet.notify(`The terminal is too narrow for ${names}`);
	}
	const [failure] = kept;
	if (!failure || code !== exitCodes.done) return code;
	return kept.length < fleets.length ? exitCodes.partial : failure.code;
}

async function readWhatIsShown(fleet: Fleet, look: ListLook): Promise<void> {
	const { filter, columns: chosen, ordering, grouping, limit } = look;
	const shown = (chosen ?? []).map(({ field }) => field);
	await readFor(fleet, [...filter.fieldNames, ordering?.by, ...shown]);
	const account = fleet.accountNow();
	if (filter.fieldNames.includes('stage'))
		return readReasons(fleet, [...account.computers.values()]);
	if (grouping || chosen?.every(({ name }) => name !== 'stage')) return;
	const computers = filter.select(account, fleet.clock.now());
	const rows = orderedRows([{ fleet, computers }], ordering).slice(0, limit);
	const listed = rows.map(({ row }) => row.computer);
	await readReasons(fleet, listed);
}

// NAME      STATUS    STAGE                       CPU  MEM  VERSION
// atlas     ● Active                              36%  60%  1.4.2
// draco     ✖ Error   image pull failed: disk               1.4.2       a long reason goes on in the next line
//                     quota exceeded

type Listed = { fleet: Fleet; computers: readonly ComputerState[] };

type ListedRow = { row: FleetRow; fleet: Fleet };

/** Without an order, by account and name. */
function orderedRows(all: readonly Listed[], ordering?: Ordering): readonly ListedRow[] {
	const rows = all.flatMap(({ fleet, computers }, at) => {
		const place = String(at).padStart(6, '0');
		const own = rowsOf(fleet.session.account, fleet.accountNow(), computers);
		return own.map(row => ({ row, fleet, place }));
	});
	const now = all[0]?.fleet.clock.now() ?? 0;
	return sortComputers(rows, ordering ?? { by: 'account', isReversed: false }, now, {
		computerOf: ({ row }) => row.computer,
		accountOf: ({ place }) => place,
		troubleOrderOf: ({ row }) => troubleOrderOf(row),
	});
}

const listColumns = columnsNamed(undefined).filter(({ needsHistory }) => !needsHistory);

/** Without --columns, a wider terminal shows no more columns. */
const usualWidth = 120;

function columnsIn(width: number, columns: readonly FleetColumn[] = listColumns) {
	const room = columns === listColumns ? Math.min(width, usualWidth) : width;
	return placedColumns(columns, room, widthsOf);
}

/** Of a reason, which `crowsnest show` prints whole. */
const maxLines = 4;

/** `accountWidth` is 0 for one account. */
function listTable(
	rows: readonly ListedRow[],
	chosen: readonly FleetColumn[] | undefined,
	accountWidth: number,
	printer: Printer,
): readonly Line[] {
	const { width } = printer;
	const scene = sceneOfRows(
		sceneOf([...new Set(rows.map(({ fleet }) => fleet))], printer),
		rows.map(({ row }) => row),
	);
	const accounts: Column<ListedRow> = {
		title: 'ACCOUNT',
		cell: ({ fleet }) => [[fleet.shortName.padEnd(accountWidth)]],
	};
	const columns = columnsIn(width - accountWidth, chosen).map(
		({ column, cells: min }): Column<ListedRow> => ({
			title: column.title,
			min,
			align: column.align,
			maxLines: column.flows ? maxLines : 1,
			cell: ({ row }, cells) => column.cell(row, scene, column.flows ? Infinity : cells),
		}),
	);
	return table(accountWidth > 0 ? [accounts, ...columns] : columns, rows, width, () => ({}));
}

function sayWhatIsMissing({ accountNow, notify }: Fleet): void {
	const { listNotes } = accountNow();
	const advice = listNotes.unreadable ? ['Run `crowsnest doctor` to see why.'] : [];
	const texts = textsOfListNotes(listNotes);
	if (texts.length > 0) notify([texts.join('; '), ...advice].join('. '));
}

//  eu-north    7  1 error, 6 active

function groupLines(results: readonly Listed[], grouping: GroupField, { theme }: Printer) {
	const rows = orderedRows(results).map(({ row }) => row);
	const scene = sceneOf(
		results.map(({ fleet }) => fleet),
		{ theme, width: Number.POSITIVE_INFINITY },
	);
	const map = { ...scene.screen.map, grouping };
	const groups = summarizeMap({ ...sceneOfRows(scene, rows), screen: { ...scene.screen, map } });
	const width = Math.max(0, ...groups.map(({ total }) => String(total).length));
	return labelledLines(
		groups.map(({ label, total, levels }) => [
			label,
			[[`${String(total).padStart(width)}  ${levels.join(', ')}`]],
		]),
	);
}
