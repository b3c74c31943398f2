import type { Grouping } from '../../screen/map-look.ts';
import { readForFilter } from '../../script/complete-readings.ts';
import { type Fleets, withFleets } from '../../script/fleet.ts';
import { computerFields, computerRecord } from '../../script/json-records.ts';
import { groupingFrom, listGroupings, plainGroupLines } from '../../script/plain-groups.ts';
import { plainTableLines, unreadableLine } from '../../script/plain-list.ts';
import { outputWidth } from '../../script/plain-sections.ts';
import {
	type AccountResult,
	accountColumn,
	accountOf,
	readAccounts,
} from '../../script/read-accounts.ts';
import { filterFromOption } from '../../script/select-computers.ts';
import type { Host } from '../../session/host.ts';
import { type Command, exitCodes, type Option, type ParsedArgs } from '../../shell/command.ts';
import { terminalPreferencesFrom } from '../../shell/display-options.ts';
import { UsageError, withAccount } from '../../shell/errors.ts';
import { loadSettings, requireAccounts } from '../../shell/load-settings.ts';
import { asciiOption, filterOption, severalReadingOptions } from '../../shell/options.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { AccountState, ComputerState } from '../../store/state.ts';
import { environmentFrom } from '../../terminal/features/environment.ts';

const byOption: Option = {
	name: 'by',
	valueName: 'VALUE',
	values: listGroupings,
	help: `count the computers in groups instead: by ${listGroupings.join(', ')}`,
};

export const list: Command = {
	name: 'list',
	summary: 'list the computers',
	options: [filterOption, byOption, asciiOption, ...severalReadingOptions],
	examples: [
		'crowsnest list',
		"crowsnest list --filter 'status:active cpu:>80' --json",
		'crowsnest list --all-profiles',
	],
	json: { form: 'array', fields: computerFields, formForSeveral: 'array' },
	run(host, args) {
		const grouping = groupingFrom(args.text('by'));
		if (grouping && args.flag('json')) throw new UsageError('--by prints text; leave out --json');
		const chooseAccounts = () => requireAccounts(host, loadSettings(host, args));
		return withFleets(
			host,
			args,
			chooseAccounts,
			async (fleets, write) => {
				const { requiredFields, refuseUnknownStatus, select } = filterFromOption(
					args.text('filter') ?? '',
				);
				const printer = createPrinter(host, args, fleets, write, grouping);
				const read: AccountState[] = [];
				const code = await readAccounts(
					host,
					args,
					fleets,
					async fleet => {
						await fleet.readOrThrow('list');
						await readForFilter(fleet, requiredFields);
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
			{ needsHistory: false },
		);
	},
};

type Listed = { account: AccountState; computers: readonly ComputerState[] };

/**
 * Prints the computers of each account as a table, or all of them as one JSON array at the end. Only the first
 * part of the table has titles.
 */
function createPrinter(
	{ program, clock }: Host,
	args: ParsedArgs,
	fleets: Fleets,
	write: (lines: string) => void,
	grouping: Grouping | undefined,
) {
	const isJson = args.flag('json');
	const column = accountColumn(fleets);
	const { hasUnicode } = environmentFrom(program.env, terminalPreferencesFrom(args));
	const form = { hasUnicode, width: outputWidth(program.stdout), accountTitle: column.title };
	const records = new Map<string, readonly object[]>();
	const accounts: OpenedAccount[] = [];
	const counted = new Set<ComputerState>();
	let isFirst = true;
	return {
		print(results: readonly AccountResult<Listed>[]) {
			for (const { fleet, result } of results) {
				const name = accountOf(fleet);
				program.stderr.write(unreadableLine(result.account, name));
				const { publicAddress } = fleet.session.platform;
				records.set(
					fleet.name,
					result.computers.map(each => withAccount(computerRecord(each, publicAddress), name)),
				);
			}
			if (isJson) return;
			if (grouping) {
				for (const { fleet, result } of results) {
					accounts.push({ profile: fleet.session.profile, state: result.account });
					for (const computer of result.computers) counted.add(computer);
				}
				return;
			}
			const listed = results.map(({ fleet, result }) => ({
				...result,
				accountCell: column.cellOf(fleet),
			}));
			const lines = plainTableLines(listed, clock.now(), form).slice(isFirst ? 0 : 1);
			isFirst = false;
			write(lines.map(line => `${line}\n`).join(''));
		},
		end() {
			if (grouping) {
				const lines = plainGroupLines(accounts, counted, grouping, clock.now());
				write(lines.map(line => `${line}\n`).join(''));
				return;
			}
			const ordered = fleets.flatMap(({ name }) => records.get(name) ?? []);
			if (isJson && records.size > 0) write(`${JSON.stringify(ordered, undefined, 2)}\n`);
		},
	};
}
