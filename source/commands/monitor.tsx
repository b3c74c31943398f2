import { join } from 'node:path';
import { createTerminal } from '../terminal/terminal.ts';
import { exitCodes, type Run } from './command.ts';
import { pathsOf } from './config-settings.ts';
import { openMonitored } from './monitored.ts';
import { showLookout } from './show-lookout.tsx';

/** The monitor: opens the account and the screen, and joins them. */
export const monitor: Run = async (host, given) => {
	const { program, clock } = host;
	const troubles: string[] = [];
	let tell = (message: string): void => {
		troubles.push(message);
	};
	const monitored = await openMonitored(host, given, { onTrouble: message => tell(message) });
	const terminal = createTerminal({
		program,
		clock,
		reportsPath: join(pathsOf(host).statePath, 'reports'),
		about: `crowsnest ${host.version}`,
		async beforeExit() {
			shown.close();
			await monitored.close();
		},
	});
	terminal.open();
	const shown = showLookout({ ...monitored, terminal, clock });
	tell = shown.say;
	for (const trouble of troubles) tell(trouble);
	await shown.closed;
	return exitCodes.done;
};
