import type { Command } from '../../shell/command.ts';
import { monitorOptions } from '../../shell/options.ts';

export const monitor: Command = {
	name: 'monitor',
	summary: 'watch and operate the fleet (the default command)',
	options: monitorOptions,
	examples: ['crowsnest', 'crowsnest --demo --computers 1000'],
	async run(host, args) {
		const { openMonitor } = await import('../../monitor/open-monitor.ts');
		const { runMonitor } = await import('../monitor/run-monitor.ts');
		return runMonitor(host, args, openMonitor);
	},
};
