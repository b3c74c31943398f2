import { configFrom } from '../accounts/config-text.ts';
import { reasonToDistrust } from '../accounts/private-file.ts';
import type { SettingProblem } from '../accounts/setting-values.ts';
import type { OwnCommand } from '../fleet/operations/own-command.ts';
import { type Host, pathsOf } from '../session/host.ts';
import { readConfigText } from './load-settings.ts';

export type LoadedCommands = {
	commands: readonly OwnCommand[];
	/** The mistakes in commands of the configuration. Such commands are left out. */
	problems: readonly SettingProblem[];
	/** The reason why no own command may run; undefined if they may. */
	barredBecause?: string;
};

/** Reads the own commands of the configuration file, and whether others could have written them. */
export function loadOwnCommands(host: Host): LoadedCommands {
	const { configPath } = pathsOf(host);
	const loaded = configFrom(readConfigText(configPath) ?? '').config.commands;
	if (loaded.commands.length === 0 && loaded.problems.length === 0) return loaded;
	const distrust = reasonToDistrust(configPath);
	return distrust === undefined
		? loaded
		: { ...loaded, barredBecause: `Own commands do not run: ${distrust}` };
}
