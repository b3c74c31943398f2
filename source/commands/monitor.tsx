import { join } from 'node:path';
import { environmentFrom, refusalFrom } from '../terminal/environment.ts';
import { createTerminal } from '../terminal/terminal.ts';
import { exitCodes, type Run } from './command.ts';
import { pathsOf } from './config-settings.ts';
import { openMonitored } from './monitored.ts';
import { listPlainly } from './plain-list.ts';
import { showLookout } from './show-lookout.tsx';

/** The monitor: opens the account and the screen, and joins them. */
export const monitor: Run = async (host, given) => {
	const { program, clock } = host;
	const troubles: string[] = [];
	let tell = (message: string): void => {
		troubles.push(message);
	};
	const monitored = await openMonitored(host, given, { onTrouble: message => tell(message) });
	if (refusalFrom(program.env, program.stdin, program.stdout) !== undefined) {
		const { hasUnicode } = environmentFrom(program.env);
		const code = await listPlainly(host, monitored.lookout, hasUnicode);
		await monitored.close();
		return code;
	}
	const terminal = createTerminal({
		program,
		clock,
		isLowBandwidth: given.flag('low-bandwidth'),
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
