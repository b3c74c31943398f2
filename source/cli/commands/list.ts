import type { ReadingField } from '../../fleet/computers/computer.ts';
import { type Ordering, orderingWithTies } from '../../fleet/computers/order-fields.ts';
import type { Grouping } from '../../screen/map-look.ts';
import { readFilterFields } from '../../script/complete-readings.ts';
import { type Fleets, withFleets } from '../../script/fleet.ts';
import { computerFields, computerRecord } from '../../script/json-records.ts';
import {
	type ListedAccount,
	orderedRows,
	orderingFrom,
	sortOption,
} from '../../script/list-order.ts';
import { groupingFrom, listGroupings, plainGroupLines } from '../../script/plain-groups.ts';
import { placedColumns, plainTableLines, unreadableLine } from '../../script/plain-list.ts';
import { outputWidth } from '../../script/plain-sections.ts';
import {
	type AccountResult,
	accountColumn,
	accountOf,
	readAccounts,
} from '../../script/read-accounts.ts';
import { filterFromOption, readingFieldsOf } from '../../script/select-computers.ts';
import type { Host } from '../../session/host.ts';
import { type Command, exitCodes, type Option, type ParsedArgs } from '../../shell/command.ts';
import { terminalPreferencesFrom } from '../../shell/display-options.ts';
import { createNotify, UsageError, withAccount } from '../../shell/errors.ts';
import { loadSettings, requireAccounts } from '../../shell/load-settings.ts';
import { asciiOption, filterOption, severalReadingOptions } from '../../shell/options.ts';
import type { AccountState, ComputerState } from '../../store/state.ts';
import { environmentFrom } from '../../terminal/features/environment.ts';
import type { Column } from '../../wording/table/column.ts';
import { columns } from '../../wording/table/columns.ts';

const byOption: Option = {
	name: 'by',
	valueName: 'VALUE',
	values: listGroupings,
	help: `count the computers in groups instead: by ${listGroupings.join(', ')}`,
};

const columnsOption: Option = {
	name: 'columns',
	valueName: 'NAMES',
	isRepeatable: true,
	values: columns.map(({ name }) => name),
	help: `show these columns: ${columns.map(({ name }) => name).join(', ')}`,
};

const limitOption: Option = { name: 'limit', valueName: 'N', help: 'list at most N computers' };

export const list: Command = {
	name: 'list',
	summary: 'list the computers',
	options: [
		filterOption,
		sortOption,
		columnsOption,
		limitOption,
		byOption,
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
		const chooseAccounts = () => requireAccounts(host, loadSettings(host, args));
		return withFleets(
			host,
			args,
			chooseAccounts,
			async (fleets, write) => {
				const { requiredFields, refuseUnknownStatus, select } = filterFromOption(
					args.text('filter') ?? '',
				);
				const fields = [...new Set([...requiredFields, ...fieldsOfLook(look)])];
				const printer = createPrinter(host, args, fleets, write, look);
				const read: AccountState[] = [];
				const code = await readAccounts(
					host,
					args,
					fleets,
					async fleet => {
						await fleet.readOrThrow('list');
						await readFilterFields(fleet, fields);
						const account = fleet.accountNow();
						read.push(account);
						if (fleets.length === 1) refuseUnknownStatus(read);
						return { account, computers: select(account, host.clock.now()) };
					},
					printer.print,
				);
				if (code === exitCodes.done) refuseUnknownStatus(read);
				printer.end();
				return code;
			},
			{ needsHistory: look.columns?.some(({ needsHistory }) => needsHistory) ?? false },
		);
	},
};

/** How a person wants to see the list. Undefined means as usual. */
type ListLook = {
	grouping: Grouping | undefined;
	ordering: Ordering | undefined;
	columns: readonly Column[] | undefined;
	limit: number | undefined;
};

function lookFrom(args: ParsedArgs): ListLook {
	const names = args.list('columns');
	const chosen = names.flatMap(name => columns.find(column => column.name === name) ?? []);
	const look = {
		grouping: groupingFrom(args.text('by')),
		ordering: orderingFrom(args),
		columns: chosen.length > 0 ? chosen : undefined,
		limit: args.wholeNumber('limit', 1, 1_000_000),
	};
	const { grouping } = look;
	if (grouping && args.flag('json')) throw new UsageError('--by prints text; leave out --json');
	if (look.columns && args.flag('json'))
		throw new UsageError('--columns prints text; --json always prints all fields');
	const unused =
		grouping && ['sort', 'columns', 'limit'].find(name => args.text(name) !== undefined);
	if (unused) throw new UsageError(`--by counts groups; leave out --${unused}`);
	return look;
}

function fieldsOfLook({ ordering, columns: chosen = [] }: ListLook): readonly ReadingField[] {
	return readingFieldsOf([
		...(ordering ? orderingWithTies(ordering).map(({ by }) => by) : []),
		...chosen.map(({ field }) => field),
	]);
}

type Listed = ListedAccount & { computers: readonly ComputerState[] };

/**
 * Prints the computers of each account as a table, or all of them as one JSON array at the end. Only the first
 * part of the table has titles. A list in an order of its own, or cut at a limit, is printed at the end as well.
 */
function createPrinter(
	{ program, clock }: Host,
	args: ParsedArgs,
	fleets: Fleets,
	write: (lines: string) => void,
	look: ListLook,
) {
	const isJson = args.flag('json');
	const column = accountColumn(fleets);
	const { hasUnicode } = environmentFrom(program.env, terminalPreferencesFrom(args));
	const form = {
		...look,
		hasUnicode,
		width: outputWidth(program.stdout),
		accountTitle: column.title,
	};
	const { grouping, ordering, limit } = look;
	const isJoint = ordering !== undefined || limit !== undefined;
	const results: AccountResult<Listed>[] = [];
	let isFirst = true;

	function printTable(accounts: readonly AccountResult<Listed>[]) {
		const listed = accounts.map(({ fleet, result }) => ({
			...result,
			accountCell: column.cellOf(fleet),
		}));
		const lines = plainTableLines(listed, clock.now(), form).slice(isFirst ? 0 : 1);
		isFirst = false;
		write(lines.map(line => `${line}\n`).join(''));
	}

	return {
		print(more: readonly AccountResult<Listed>[]) {
			results.push(...more);
			for (const { fleet, result } of more)
				program.stderr.write(unreadableLine(result.account, accountOf(fleet)));
			if (!isJson && !grouping && !isJoint) printTable(more);
		},
		end() {
			const ordered = fleets.flatMap(fleet => results.filter(each => each.fleet === fleet));
			if (ordered.length === 0) return;
			if (grouping) return write(groupLines(ordered, grouping, clock.now()));
			if (isJson) return write(jsonText(ordered, isJoint, look, clock.now()));
			if (isJoint) printTable(ordered);
			notifyOfHiddenColumns(program, form);
		},
	};
}

function groupLines(
	results: readonly AccountResult<Listed>[],
	grouping: Grouping,
	now: number,
): string {
	const accounts = results.map(({ fleet, result }) => {
		return { profile: fleet.session.profile, state: result.account };
	});
	const computers = new Set(results.flatMap(({ result }) => result.computers));
	const lines = plainGroupLines(accounts, computers, grouping, now);
	return lines.map(line => `${line}\n`).join('');
}

/** Without an order or a limit, the records stand in the order of the platform. */
function jsonText(
	results: readonly AccountResult<Listed>[],
	isJoint: boolean,
	{ ordering, limit }: ListLook,
	now: number,
): string {
	const all = results.map(({ fleet, result }) => ({ ...result, fleet }));
	const computers = isJoint
		? orderedRows(all, ordering, now)
				.slice(0, limit)
				.map(({ row, listed }) => ({ computer: row.computer, fleet: listed.fleet }))
		: all.flatMap(({ fleet, computers: own }) => own.map(computer => ({ computer, fleet })));
	const records = computers.map(({ computer, fleet }) =>
		withAccount(computerRecord(computer, fleet.session.platform.publicAddress), accountOf(fleet)),
	);
	return `${JSON.stringify(records, undefined, 2)}\n`;
}

/** Says which of the columns that a person named have no room on the terminal. */
function notifyOfHiddenColumns(
	program: Host['program'],
	form: Parameters<typeof placedColumns>[0],
): void {
	const { columns: chosen = [] } = form;
	const shown = new Set(placedColumns(form).map(({ column }) => column));
	const hidden = chosen.filter(each => !shown.has(each)).map(({ name }) => name);
	if (hidden.length > 0)
		createNotify(program, false)(`The terminal is too narrow for ${hidden.join(', ')}`);
}
