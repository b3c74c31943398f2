import { isReversible, orderFields } from '../../fleet/computers/order-fields.ts';
import { type CommandError, exitCodes } from '../../foundation/error.ts';
import { errorFromFailure } from '../../script/command.ts';
import { readFilterFields, readReasons } from '../../script/complete-readings.ts';
import { terminalPreferencesFrom } from '../../script/display-options.ts';
import { withFleets } from '../../script/fleet.ts';
import { computerFields } from '../../script/json-records.ts';
import { usesKept } from '../../script/kept-fleet.ts';
import {
	computersWhoseReasonsCount,
	fieldsOfLook,
	lookFrom,
	needsHistory,
} from '../../script/list-look.ts';
import { createListPrinter } from '../../script/list-printer.ts';
import { listGroupings } from '../../script/plain-groups.ts';
import { outputWidth } from '../../script/plain-sections.ts';
import { readAccounts } from '../../script/read-accounts.ts';
import { filterFromOption } from '../../script/select-computers.ts';
import { loadSettingsOfAll, requireAccounts } from '../../session/settings.ts';
import type { AccountState } from '../../store/state.ts';
import { environmentFrom } from '../../terminal/features/environment.ts';
import { columns } from '../../views/fleet/columns.ts';
import { cannotReadText } from '../../views/phrases/reads.ts';
import type { Command, Option } from '../command.ts';
import { asciiOption, filterOption, severalReadingOptions } from '../options.ts';

const columnNames = columns.map(({ name }) => name);

const listOptions: readonly Option[] = [
	filterOption,
	{
		name: 'sort',
		valueName: 'FIELD',
		help: 'order by a field of the filter or by trouble, as in cpu:desc',
		suggestions: orderFields.flatMap(field =>
			isReversible(field) ? [field, `${field}:desc`] : [field],
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
		help: `count the computers in groups instead: by ${listGroupings.join(', ')}`,
		values: listGroupings,
	},
	asciiOption,
	...severalReadingOptions,
];

export const list: Command = {
	name: 'list',
	summary: 'list the computers',
	commandWithArguments: 'show',
	options: listOptions,
	examples: [
		'crowsnest list',
		"crowsnest list --filter 'status:active cpu:>80' --json",
		'crowsnest list --sort cpu:desc --limit 5 --columns name,cpu,memory',
		'crowsnest list --all-profiles',
	],
	json: { form: 'array', fields: computerFields, formForSeveral: 'array' },
	run(host, args) {
		const look = lookFrom(args);
		const filter = filterFromOption(args.text('filter') ?? '');
		const { requiredFields, refuseUnknownStatus, select } = filter;
		const chooseAccounts = () => requireAccounts(host, loadSettingsOfAll(host, args));
		return withFleets(
			host,
			args,
			chooseAccounts,
			async (fleets, write) => {
				const fields = [...new Set([...requiredFields, ...fieldsOfLook(look)])];
				const { stdout, stderr, env } = host.program;
				const printer = createListPrinter(fleets, look, {
					write,
					stderr,
					now: host.clock.now,
					hasUnicode: environmentFrom(env, terminalPreferencesFrom(args)).hasUnicode,
					width: outputWidth(stdout),
				});
				const read: AccountState[] = [];
				const kept: CommandError[] = [];
				const report = { stderr, isJson: args.flag('json') };
				const code = await readAccounts(
					host,
					args,
					fleets,
					async fleet => {
						const failure = await fleet.read('list');
						if (failure) {
							const error = errorFromFailure(cannotReadText('list'), failure);
							if (!usesKept(fleet, error, host.clock.now(), report)) throw error;
							kept.push(error);
						} else {
							await readFilterFields(fleet, fields);
							await readReasons(
								fleet,
								computersWhoseReasonsCount(fleet.accountNow(), filter, look, host.clock.now()),
							);
						}
						const account = fleet.accountNow();
						read.push(account);
						if (fleets.length === 1) refuseUnknownStatus(read);
						return { account, computers: select(account, host.clock.now()) };
					},
					results => printer.print(results),
				);
				if (code === exitCodes.done) refuseUnknownStatus(read);
				printer.end();
				const [first] = kept;
				if (first && code === exitCodes.done)
					return kept.length < fleets.length ? exitCodes.partial : first.code;
				return code;
			},
			{ needsHistory: needsHistory(look), firstRead: 'list' },
		);
	},
};
