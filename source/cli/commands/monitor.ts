import { openMonitor } from '../../monitor/open-monitor.ts';
import type { Command } from '../command.ts';
import { runMonitor } from '../monitor/run-monitor.ts';
import { monitorOptions } from '../options.ts';

export const monitor: Command = {
	name: 'monitor',
	summary: 'watch and operate the fleet (the default command)',
	options: monitorOptions,
	examples: ['crowsnest', 'crowsnest --demo --computers 1000'],
	async run(host, args) {
		return runMonitor(host, args, openMonitor);
	},
};
