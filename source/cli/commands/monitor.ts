import { demoOptionsFrom } from '../../monitor/demo-options.ts';
import { openMonitor } from '../../monitor/open-monitor.ts';
import type { ParsedArgs } from '../../script/command.ts';
import { displayFor } from '../../script/display-options.ts';
import type { Host } from '../../session/host.ts';
import { loadSettings } from '../../session/settings.ts';
import type { Command } from '../command.ts';
import { runInDemo } from '../command-line.ts';
import { monitorOptions } from '../options.ts';
import { runMonitor } from '../run-monitor.ts';
import { list } from './list.ts';

export const monitor: Command = {
	name: 'monitor',
	summary: 'watch and operate the fleet (the default command)',
	options: monitorOptions,
	examples: ['crowsnest', 'crowsnest --demo --computers 1000'],
	async run(host, args, commands) {
		if (hasDisplay(host, args)) return runMonitor(host, args, openMonitor);
		// Where nothing can be drawn, the monitor is a list.
		if (!args.flag('demo')) return list.run(host, args, commands);
		return runInDemo(host, args, demoOptionsFrom(args), demo => list.run(demo, args, commands));
	},
};

/** With a screen reader, lines of text are enough. */
function hasDisplay(host: Host, args: ParsedArgs): boolean {
	if (displayFor(host, args) !== 'list') return true;
	const settings = loadSettings(host, args);
	if (settings.kind === 'wrong') return false;
	const { preferences } = settings.kind === 'accounts' ? settings.accounts[0] : settings;
	return displayFor(host, args, preferences.screenReader) !== 'list';
}
