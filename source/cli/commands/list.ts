import { readForFilter } from '../../script/complete-readings.ts';
import { computerRecord } from '../../script/computer-record.ts';
import { withFleet } from '../../script/fleet.ts';
import { plainLines } from '../../script/plain-list.ts';
import { outputWidth } from '../../script/plain-sections.ts';
import { filterFromOption } from '../../script/select-computers.ts';
import { exitCodes, type Run } from '../../shell/command.ts';
import { looksFromFlags } from '../../shell/display-options.ts';
import { environmentFrom } from '../../terminal/environment.ts';

/** The fleet once, as a table or for other programs. */
export const list: Run = (host, args) =>
	withFleet(host, args, async fleet => {
		const { program, clock } = host;
		const { fields: reads, select: choose } = filterFromOption(args.text('filter') ?? '');
		await fleet.require('list');
		await readForFilter(fleet, reads);
		const account = fleet.current();
		const computers = choose(account, clock.now());
		if (args.flag('json')) {
			const { publicAddress } = fleet.session.platform;
			const records = computers.map(computer => computerRecord(computer, publicAddress));
			program.stdout.write(`${JSON.stringify(records, undefined, 2)}\n`);
		} else {
			const { hasUnicode } = environmentFrom(program.env, looksFromFlags(args));
			const paper = { hasUnicode, width: outputWidth(program.stdout) };
			const lines = plainLines(account, computers, clock.now(), paper);
			program.stdout.write(lines.map(line => `${line}\n`).join(''));
		}
		return exitCodes.done;
	});
