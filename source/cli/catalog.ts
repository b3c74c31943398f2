import type { Command } from '../shell/command.ts';
import { accountOptions, demoOptions, readOnlyOption, screenOptions } from '../shell/options.ts';
import { accountCommands } from './catalog-account.ts';
import { operationCommands } from './catalog-operations.ts';
import { recordingCommands } from './catalog-recording.ts';
import { setupCommands } from './catalog-setup.ts';
import { shellCommands } from './catalog-shell.ts';
import { watchingCommands } from './catalog-watching.ts';

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
		load: async () => (await import('./commands/monitor.tsx')).monitor,
	},
	...watchingCommands,
	...recordingCommands,
	...operationCommands,
	...accountCommands,
	...setupCommands,
	...shellCommands(() => commands),
];
