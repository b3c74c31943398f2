import { environmentFrom } from '../terminal/environment.ts';
import { exitCodes, type Run } from './command.ts';
import { filterOf } from './list-choice.ts';
import { withFleet } from './list-fleet.ts';
import { recordFrom } from './list-record.ts';
import { readForFilter } from './list-untold.ts';
import { plainLines } from './plain-list.ts';
import { paperWidth } from './plain-sections.ts';
import { looksFromFlags } from './screen-looks.ts';

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
