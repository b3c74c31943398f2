import type { Host } from '../session/host.ts';
import { loadSettingsOfAll, requireAccounts } from '../session/settings.ts';
import { type ParsedArgs, withAccount } from './command.ts';
import { type Fleet, withFleets } from './fleet.ts';
import { accountColumn, accountOf, readAccounts } from './read-accounts.ts';

type AccountOutput<T> = {
	read: (fleet: Fleet) => Promise<T>;
	/** The record that --json prints. */
	recordOf: (result: T) => object;
	/** The lines for a person. */
	textOf: (result: T) => string;
};

/** Prints something about each account. With several, every line and every record names its account. */
export function printAccounts<T>(
	host: Host,
	args: ParsedArgs,
	{ read, recordOf, textOf }: AccountOutput<T>,
): Promise<number> {
	const chooseAccounts = () => requireAccounts(host, loadSettingsOfAll(host, args));
	return withFleets(host, args, chooseAccounts, async (fleets, write) => {
		const column = accountColumn(fleets);
		const records = new Map<Fleet, object>();
		const isJson = args.flag('json');
		const code = await readAccounts(host, args, fleets, read, results => {
			for (const { fleet, result } of results) {
				if (isJson) records.set(fleet, withAccount(recordOf(result), accountOf(fleet)));
				else write(textOf(result).replace(/^(?=.)/gm, column.cellOf(fleet)));
			}
		});
		const ordered = fleets.flatMap(fleet => records.get(fleet) ?? []);
		const output = fleets.length > 1 ? ordered : ordered[0];
		if (ordered.length > 0) write(`${JSON.stringify(output, undefined, 2)}\n`);
		return code;
	});
}
