import type { Command } from './command.ts';
import { accountViewCommands } from './commands/account-views.ts';
import { billingSetup, checkout } from './commands/billing.ts';
import { complete, completion } from './commands/completion.ts';
import { config, profiles } from './commands/config.ts';
import { doctor } from './commands/doctor.ts';
import { list } from './commands/list.ts';
import { log } from './commands/log.ts';
import { login, logout } from './commands/login.ts';
import { mcp } from './commands/mcp.ts';
import { monitor } from './commands/monitor.ts';
import { open, show } from './commands/one-computer.ts';
import { operationCommands } from './commands/operations.ts';
import { record, replay } from './commands/record.ts';
import { simulate } from './commands/simulate.ts';
import { status } from './commands/status.ts';
import { watch } from './commands/watch.ts';
import { help, licences, version } from './help.ts';

/** In the order of the help text. The first is the default. */
export const commands: readonly Command[] = [
	monitor,
	list,
	show,
	open,
	status,
	watch,
	log,
	record,
	replay,
	...operationCommands,
	mcp,
	...accountViewCommands,
	billingSetup,
	checkout,
	login,
	logout,
	profiles,
	config,
	doctor,
	simulate,
	completion,
	complete,
	help,
	version,
	licences,
];
