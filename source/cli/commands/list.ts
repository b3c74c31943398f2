import { readForFilter } from '../../script/complete-readings.ts';
import { recordFrom } from '../../script/computer-record.ts';
import { withFleet } from '../../script/fleet.ts';
import { plainLines } from '../../script/plain-list.ts';
import { paperWidth } from '../../script/plain-sections.ts';
import { filterOf } from '../../script/select-computers.ts';
import { exitCodes, type Run } from '../../shell/command.ts';
import { looksFromFlags } from '../../shell/display-options.ts';
import { environmentFrom } from '../../terminal/environment.ts';

/** The fleet once, as a table or for other programs. */
export const list: Run = (host, given) =>
	withFleet(host, given, async fleet => {
		const { program, clock } = host;
		const { reads, choose } = filterOf(given.text('filter') ?? '');
		await fleet.need('list');
		await readForFilter(fleet, reads);
		const account = fleet.known();
		const computers = choose(account, clock.now());
		if (given.flag('json')) {
			const { publicAddress } = fleet.lookout.platform;
			const records = computers.map(computer => recordFrom(computer, publicAddress));
			program.stdout.write(`${JSON.stringify(records, undefined, 2)}\n`);
		} else {
			const { hasUnicode } = environmentFrom(program.env, looksFromFlags(given));
			const paper = { hasUnicode, width: paperWidth(program.stdout) };
			const lines = plainLines(account, computers, clock.now(), paper);
			program.stdout.write(lines.map(line => `${line}\n`).join(''));
		}
		return exitCodes.done;
	});
