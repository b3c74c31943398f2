import { accountCommands } from './catalog-account.ts';
import { operationCommands } from './catalog-operations.ts';
import { accountOptions, readOnlyOption } from './catalog-options.ts';
import { recordingCommands } from './catalog-recording.ts';
import { setupCommands } from './catalog-setup.ts';
import { shellCommands } from './catalog-shell.ts';
import { watchingCommands } from './catalog-watching.ts';
import type { Command } from './command.ts';
import { demoOptions, screenOptions } from './monitor-options.ts';

/** THE table of subcommands. The first one is what runs when none is named. */
export const commands: readonly Command[] = [
	{
		name: 'monitor',
		summary: 'watch the fleet and operate it (what runs when no command is named)',
		options: [
			...accountOptions,
			readOnlyOption,
			...screenOptions,
			{ name: 'demo', help: 'watch the embedded demo platform, whatever is configured' },
			...demoOptions,
		],
		examples: ['crowsnest', 'crowsnest --demo --computers 1000'],
		load: async () => (await import('./monitor.tsx')).monitor,
	},
	...watchingCommands,
	...recordingCommands,
	...operationCommands,
	...accountCommands,
	...setupCommands,
	...shellCommands(() => commands),
];
