import { join } from 'node:path';
import { pathsFrom } from '../accounts/paths.ts';
import { createTerminal } from '../terminal/terminal.ts';
import { exitCodes, type Run } from './command.ts';
import { startDemo } from './demo.ts';
import { openLookout } from './lookout.ts';
import { showLookout } from './show-lookout.tsx';

/** The monitor: opens the account and the screen, and joins them. */
export const monitor: Run = async (host, given) => {
	const { program, clock } = host;
	const demo = await startDemo(host, given);
	const lookout = openLookout(host, {
		account: 'demo',
		baseUrl: demo.baseUrl,
		credentials: {
			kind: 'password',
			authUrl: demo.authUrl,
			anonKey: demo.anonKey,
			email: demo.email,
			password: async () => demo.password,
		},
		fetch: host.fetch,
	});
	const terminal = createTerminal({
		program,
		clock,
		reportsPath: join(pathsFrom(program.env, host.home).statePath, 'reports'),
		about: `crowsnest ${host.version}`,
		async beforeExit() {
			shown.close();
			await lookout.close();
			await demo.close();
		},
	});
	terminal.open();
	const shown = showLookout({ lookout, terminal, clock });
	await shown.closed;
	return exitCodes.done;
};
