import { readForFilter } from '../../script/complete-readings.ts';
import { withFleet } from '../../script/fleet.ts';
import { computerFields, computerRecord } from '../../script/json-records.ts';
import { plainTableLines, unreadableLine } from '../../script/plain-list.ts';
import { outputWidth } from '../../script/plain-sections.ts';
import { filterFromOption } from '../../script/select-computers.ts';
import { type Command, exitCodes } from '../../shell/command.ts';
import { terminalPreferencesFrom } from '../../shell/display-options.ts';
import { asciiOption, filterOption, readingOptions } from '../../shell/options.ts';
import { environmentFrom } from '../../terminal/features/environment.ts';

export const list: Command = {
	name: 'list',
	summary: 'list the computers',
	options: [filterOption, asciiOption, ...readingOptions],
	examples: ['crowsnest list', "crowsnest list --filter 'status:active cpu:>80' --json"],
	json: { form: 'array', fields: computerFields },
	run: (host, args) =>
		withFleet(host, args, async fleet => {
			const { program, clock } = host;
			const { requiredFields, select } = filterFromOption(args.text('filter') ?? '');
			await fleet.readOrThrow('list');
			await readForFilter(fleet, requiredFields);
			const account = fleet.accountNow();
			const computers = select(account, clock.now());
			program.stderr.write(unreadableLine(account));
			if (args.flag('json')) {
				const { publicAddress } = fleet.session.platform;
				const records = computers.map(computer => computerRecord(computer, publicAddress));
				program.stdout.write(`${JSON.stringify(records, undefined, 2)}\n`);
			} else {
				const { hasUnicode } = environmentFrom(program.env, terminalPreferencesFrom(args));
				const outputFormat = { hasUnicode, width: outputWidth(program.stdout) };
				const lines = plainTableLines(account, computers, clock.now(), outputFormat);
				program.stdout.write(lines.map(line => `${line}\n`).join(''));
			}
			return exitCodes.done;
		}),
};
